"""What a survey knows about a site: its map, its ranked pages, its term statistics."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from forager.domain.base import Frozen, Stored


class Form(Stored):
    """A form of a page; `says` is the text of its fields, options and buttons.

    `search` is a search box, `filter` narrows what the page shows, and `gate` is a page that shows
    nothing until its button is pressed. `url` is the page, where it is not clear from the context.
    """

    kind: Literal["search", "filter", "gate"]
    says: str = ""
    url: str = ""


class ClosedPage(Stored):
    """A page that cannot be read, and `why`: "is closed by robots.txt", "asks for a login" ….

    `texts` are the texts of the links to it, or its title.
    """

    url: str
    why: str
    texts: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """A sentence that names the page and says why it was not read."""
        name = f"“{self.texts[0]}” ({self.url})" if self.texts else self.url
        return f"The page {name} {self.why}."


class SiteSurvey(Frozen):
    """A site's map: its known pages (all of them if `whole`), and the title of its root.

    `forms` are those of the pages nearest to the root; `notes` tell why pages are missing.
    """

    site: str
    pages: int
    whole: bool = False
    title: str = ""
    lang: str = ""
    notes: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()
    closed: tuple[ClosedPage, ...] = ()


Ranking = Literal["hybrid", "bm25"]


class Hit(Frozen):
    """A ranked page of a surveyed site; `score` is comparable within one part.

    `blob` holds the page as it is in the site's map.
    """

    url: str
    title: str
    depth: int
    part: str
    score: float
    blob: str = ""


class TermStatistics(Frozen):
    """Statistics of a text's index terms on a site.

    Their inverse document frequency in nats (0: on no page), the share of pages with each, its
    stems in the languages of the pages, and the average lengths of units and pages; `whole` as in
    the site's map. `unwritten` are the text's identifiers that no page has; `gloss` tells
    its words and phrases in the language of the pages.
    """

    idf: dict[str, float] = Field(default_factory=dict)
    share: dict[str, float] = Field(default_factory=dict)
    variants: dict[str, dict[str, float]] = Field(default_factory=dict)
    unit_length: float = 40.0
    page_length: float = 800.0
    whole: bool = True
    unwritten: tuple[str, ...] = ()
    gloss: dict[str, str] = Field(default_factory=dict)


NOTHING_FOUND = "Nothing was found."
"""How the reason begins of a search that succeeded but found nothing."""
NOT_THE_WEB = "Not the web, but pages that earlier sessions have fetched were searched."
"""The note of a search of the web that had to make do with the index of crawled pages."""
PARTLY_THE_WEB = "Besides the web, pages that earlier sessions have fetched were searched."
"""The same of several searches of which some found something on the web."""


class SearchResult(Stored):
    """A page that a search found; `rank` counts from 1, `source` names the provider."""

    url: str
    title: str
    snippet: str
    rank: int
    source: str


class SearchResults(Frozen):
    """The results of a search, best first, with notes on failed providers and omitted results."""

    results: tuple[SearchResult, ...] = ()
    notes: tuple[str, ...] = ()


def join_notes(found: Sequence[SearchResults]) -> tuple[str, ...]:
    """The notes of several searches, each once."""
    on_web = any(one.results and NOT_THE_WEB not in one.notes for one in found)
    partly = {NOT_THE_WEB: PARTLY_THE_WEB} if on_web else {}
    notes = (note for one in found for note in one.notes)
    return tuple(dict.fromkeys(partly.get(note, note) for note in notes))


OF_A_PAGE = re.compile(r"https?://\S+ (answered \d{3}\b[^.]*\.)")
"""A note on what a page answered instead of its text."""


def join_pages(notes: Iterable[str]) -> tuple[str, ...]:
    """The notes, each once; of several pages that answered alike, how many there are."""
    distinct = tuple(dict.fromkeys(notes))
    said = {note: found[1] for note in distinct if (found := OF_A_PAGE.match(note))}
    count = Counter(said.values())
    alike = (
        f"{count[said[note]]} pages {said[note]}"
        if note in said and count[said[note]] > 1
        else note
        for note in distinct
    )
    return tuple(dict.fromkeys(alike))
