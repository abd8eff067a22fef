"""The example sites: their names, their pages, questions that they answer, and their servers."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from forager.data_folder import read_ports
from ui.server.handbook.handbook_site import HOST, PORT_FILE, serve_at_last_port

FOLDER = Path(__file__).parent
GRAPH = "forager"
HANDBOOK = "Handbook"


class ExampleSite(NamedTuple):
    """A site of the folder `name`: what it calls itself, and what kind of site it is."""

    name: str
    title: str
    kind: str

    @property
    def port_file(self) -> str:
        """The file in the data folder that holds the port of last time."""
        return f"example-{self.name}-port"

    def pages(self) -> dict[str, bytes]:
        """The pages and their style by path, `/` for the index."""
        folder = FOLDER / self.name
        files = sorted([*folder.glob("*.html"), *folder.glob("*.css")])
        return {
            "/" if file.stem == "index" else f"/{file.name}": file.read_bytes() for file in files
        }


class ExampleQuestion(NamedTuple):
    """A question, the site that is asked, what it takes to answer it, and words of the answer."""

    site: ExampleSite
    needs: str
    text: str
    answer: tuple[str, ...]


ENCYCLOPEDIA = ExampleSite("encyclopedia", "Orrin Isles Encyclopedia", "encyclopedia")
MANUAL = ExampleSite("manual", "Heron D12 manual", "product manual")
CONFERENCE = ExampleSite("conference", "Tidewater 2027", "conference programme")
SITES = (ENCYCLOPEDIA, MANUAL, CONFERENCE)

QUESTIONS = (
    ExampleQuestion(
        ENCYCLOPEDIA,
        "two pages",
        "When was Harrow Light first lit, and when was kelp first burned on Linga?",
        ("3 November 1865", "1752"),
    ),
    ExampleQuestion(
        MANUAL,
        "two tables",
        "What does error code E3 mean, and what is the price of the air filter?",
        ("The air filter is blocked", "€14.90"),
    ),
    ExampleQuestion(
        CONFERENCE,
        "two pages",
        "When does early booking end, and how long do trains from Dublin take?",
        ("31 March 2027", "2 hours and 20 minutes"),
    ),
    ExampleQuestion(
        ENCYCLOPEDIA, "one page", "How many boats were lost in the storm of 1907?", ("23 boats",)
    ),
)
"""They need no key and no network."""


def name_shipped_sites(data: Path) -> dict[str, str]:
    """The names of the sites that ship with Forager, by each host at which they were served."""
    notes = {PORT_FILE: HANDBOOK} | {site.port_file: site.title for site in SITES}
    return {
        f"{HOST}:{port}": name for file, name in notes.items() for port in read_ports(data / file)
    }


@contextmanager
def serve_examples(data: Path) -> Iterator[Mapping[ExampleSite, str]]:
    """Serve the sites during the body, at their last addresses; the root address of each."""
    with ExitStack() as stack:
        yield {
            site: stack.enter_context(serve_at_last_port(site.pages(), data / site.port_file))
            for site in SITES
        }
