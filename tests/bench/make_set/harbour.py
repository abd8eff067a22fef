"""A package of four pages about a harbour, and questions on it that pass every check."""

from collections.abc import Mapping
from pathlib import Path

from bench.make_set.packages import unpack
from bench.make_set.set_questions import Question, QuotedPage
from bench.make_set.site_pages import SitePages, read_site

NAME = "harbour-doc"
FILLER = (
    "Boats come and go here in all weathers, and nobody counts how many of them there are. " * 16
)
LAMP = "The beacon on the mole burns rape oil, of which the keeper fetches forty litres each month."
ROW = "Pilot boat | 23 | red"
CHARGES = "Whoever stays longer than a week pays nothing more from the eighth day on."
PAGES = {
    "index.html": """<title>Harbour</title><p>A site about a harbour.</p><ul>
        <li><a href="light/beacon.html">Beacon</a><li><a href="berths/fees.html">Fees</a>
        <li><a href="berths/fleet.html#top">Fleet</a>
        <li><a href="../../etc/passwd.html">Out</a></ul>""",
    "light/beacon.html": f"<title>Beacon</title><h1>Beacon</h1><p>{LAMP}</p><p>{FILLER}</p>",
    "berths/fees.html": f"<title>Fees</title><h1>Fees</h1><p>{CHARGES}</p><p>{FILLER} Ask.</p>",
    "berths/fleet.html": f"""<title>Fleet</title><h1>Fleet</h1><table><tr><th>Boat<th>Length
        <th>Hull<tr><td>Pilot boat<td>23<td>red<tr><td>Dredger<td>41<td>grey</table>
        <p>{FILLER} Look.</p>""",
    "lost.html": f"<title>Lost</title><p>No link leads here. {FILLER}</p>",
}


def write_package(folder: Path, pages: Mapping[str, str] = PAGES, name: str = NAME) -> Path:
    """A folder of pages, as somebody has unpacked a package."""
    root = folder / name
    for path, html in pages.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(html)
    return root


def read_harbour(folder: Path) -> SitePages:
    """The pages of the package as the reader reads them."""
    return read_site(unpack(str(write_package(folder)), folder / "unpacked"))


def ask(number: int = 1, /, **fields: object) -> Question:
    """A question about the beacon's fuel, with some fields of its own."""
    given = {
        "id": f"{NAME}-{number:02}",
        "type": "single",
        "sites": [NAME],
        "question": f"What is the stuff that shines at night at the end of the pier ({number})?",
        "answer": ["rape oil"],
        "pages": [QuotedPage(site=NAME, path="/light/beacon.html", quote=LAMP)],
        "lang": "en",
        "file": "form.toml",
        "line": 7,
    }
    return Question.model_validate({**given, **fields})
