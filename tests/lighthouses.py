"""Sites whose pages contradict each other, or say the same word for word."""

from collections.abc import Iterable

HEIGHT = "How tall is the Skarn lighthouse?"
BUILT = "When was the Holm lighthouse built?"
LAMP = "How many lamps burned in the Vang lighthouse?"
OLDER = "The Skarn lighthouse is 32 metres tall and stands on granite."
NEWER = "The Skarn lighthouse is 34 metres tall and stands on granite."
ONE_YEAR = "The Holm lighthouse was built in 1874 by the harbour board."
OTHER_YEAR = "The Holm lighthouse was built in 1881 by the harbour board."
LAMPS = "In the Vang lighthouse burned seven lamps, each with its own wick and mirror."
COPIES = 10
FILLERS = {
    "boats": "Forty boats lie in the harbour, and the herring trade pays for all of them.",
    "storms": "The storms of autumn come from the west and last for several days.",
    "keepers": "Keepers lived with their families beside the towers and grew potatoes.",
}


def page(title: str, text: str, links: Iterable[str] = (), dated: str = "") -> str:
    listed = "".join(f'<li><a href="/{name}.html">{name.title()}</a>' for name in links)
    last = f"<footer>Last updated on {dated}.</footer>" if dated else ""
    return f"<title>{title}</title><h1>{title}</h1><p>{text}</p><ul>{listed}</ul>{last}"


_OTHERS = {f"/{name}.html": page(name.title(), text) for name, text in FILLERS.items()}
CONTRADICTING = {
    "/": page(
        "Lights of the coast",
        "A site about the lights.",
        ["skarn", "visitors", "holm", "chronicle", *FILLERS],
    ),
    "/skarn.html": page("Skarn", OLDER, dated="3 May 2019"),
    "/visitors.html": page("Visitors at Skarn", NEWER, dated="31 May 2024"),
    "/holm.html": page("Holm", ONE_YEAR),
    "/chronicle.html": page("Chronicle of Holm", OTHER_YEAR),
    **_OTHERS,
}
REPEATING = {
    "/": page(
        "Lights of the coast",
        "A site about the lights.",
        [*(f"copy{number}" for number in range(COPIES)), *FILLERS],
    ),
    **{f"/copy{number}.html": page(f"Vang {number}", LAMPS) for number in range(COPIES)},
    **_OTHERS,
}
