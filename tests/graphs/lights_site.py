"""A site on loopback with a list of twenty lights, in several shapes."""

NAMES = (
    "Ona",
    "Holm",
    "Skarn",
    "Vega",
    "Senja",
    "Runde",
    "Utsira",
    "Lista",
    "Eigerøy",
    "Obrestad",
    "Feistein",
    "Stad",
    "Hendanes",
    "Geitungen",
    "Marstein",
    "Hellisøy",
    "Fedje",
    "Slåtterøy",
    "Svinøy",
    "Kråkenes",
)
LIGHTS = tuple((name, f"{20 + place} m", f"{1830 + 3 * place}") for place, name in enumerate(NAMES))
SAID = "The lights of the coast, with height and year:"
QUESTION = "List all 20 lights of the coast, with their height and year."


def home(*links: str) -> str:
    listed = "".join(f'<li><a href="/{link}.html">{link}</a>' for link in links)
    return f"<title>Harbours</title><h1>Harbours</h1><p>A site about harbours.</p><ul>{listed}</ul>"


def table(title: str, rows: tuple[tuple[str, ...], ...]) -> str:
    """A page with a table."""
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    head = "<tr><th>Light</th><th>Height</th><th>Year</th></tr>"
    return f"<title>{title}</title><h1>{title}</h1><p>{SAID}</p><table>{head}{body}</table>"


def items(title: str, rows: tuple[tuple[str, ...], ...]) -> str:
    """A page with a list."""
    body = "".join(f"<li>{name}: {', '.join(rest)}</li>" for name, *rest in rows)
    return f"<title>{title}</title><h1>{title}</h1><p>{SAID}</p><ul>{body}</ul>"


OTHER = "<title>Pilots</title><h1>Pilots</h1><p>The pilots of the coast are twelve.</p>"
SITES = {
    "table": {
        "/": home("lights", "pilots"),
        "/lights.html": table("Lights of the coast", LIGHTS),
        "/pilots.html": OTHER,
    },
    "items": {
        "/": home("lights", "pilots"),
        "/lights.html": items("Lights of the coast", LIGHTS),
        "/pilots.html": OTHER,
    },
    "pages": {
        "/": home("north", "south", "pilots"),
        "/north.html": table("Lights of the coast, part 1 of 2", LIGHTS[:12]),
        "/south.html": table("Lights of the coast, part 2 of 2", LIGHTS[12:]),
        "/pilots.html": OTHER,
    },
}
