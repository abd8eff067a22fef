"""What a survey knows of a site: its map, its ranked pages, its words."""

from typing import Literal

from pydantic import Field

from forager.domain.base import Frozen, Stored


class Form(Stored):
    """What a page lets its reader ask: `says` are the words of its fields, options and buttons.

    `search` is a search box, `filter` a form that narrows what is shown, `gate` a page that shows
    nothing until its button is pressed. `url` names the page where it is not plain.
    """

    kind: Literal["search", "filter", "gate"]
    says: str = ""
    url: str = ""


class SiteSurvey(Frozen):
    """A site's map: the pages known (all of them if `whole`), and how its root names itself.

    `forms` are those of the pages next to the root; `notes` tell what kept pages out.
    """

    site: str
    pages: int
    whole: bool = False
    title: str = ""
    lang: str = ""
    notes: tuple[str, ...] = ()
    forms: tuple[Form, ...] = ()


Ranking = Literal["hybrid", "bm25"]


class Hit(Frozen):
    """A ranked page of a surveyed site; `score` is comparable within one part.

    `blob` keeps the page as the site's map has it.
    """

    url: str
    title: str
    depth: int
    part: str
    score: float
    blob: str = ""


class TermStatistics(Frozen):
    """What a site knows of the index terms of a text.

    Their inverse document frequency in nats (0: nowhere), the share of pages that hold each, its
    words near to each, the average lengths of units and pages; `whole` as in its map.
    """

    idf: dict[str, float] = Field(default_factory=dict)
    share: dict[str, float] = Field(default_factory=dict)
    variants: dict[str, dict[str, float]] = Field(default_factory=dict)
    unit_length: float = 40.0
    page_length: float = 800.0
    whole: bool = True


NOTHING_FOUND = "Nothing was found."
"""How the reason of a search begins that was made and found nothing."""


class SearchResult(Stored):
    """A page that a search found; `rank` counts from 1, `source` names the provider."""

    url: str
    title: str
    snippet: str
    rank: int
    source: str


class SearchResults(Frozen):
    """What a search gave, the best first, and in words what fell through or was left out."""

    results: tuple[SearchResult, ...] = ()
    notes: tuple[str, ...] = ()
