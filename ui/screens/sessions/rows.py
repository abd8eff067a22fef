"""The sessions as rows of a list: what of them is told, and which are wanted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from pydantic import JsonValue

from graphs.reports.events import plural
from graphs.sessions.service import Line, Lined
from ui.parts.places import place
from ui.server.live.session_status import EMPTY
from ui.server.live.session_status import display_status as stands

ALL: Final = "all"
FILTERS: Final = {
    ALL: "All",
    "running": "Running",
    "waiting": "Waits for you",
    "paused": "Paused",
    "interrupted": "Interrupted",
    "answered": "Answered",
    "partial": "Partly answered",
    EMPTY: "Nothing found",
    "abstained": "No page answers it",
    "failed": "Failed",
}
"""What it is called how sessions stand, in the order in which that can be chosen."""


def counted(sessions: Iterable[Lined]) -> dict[str, int]:
    """How many sessions stand each way that there is, and how many there are."""
    found = Counter(map(_stands, sessions))
    return {ALL: found.total()} | {name: found[name] for name in FILTERS if found[name]}


def wanted(sessions: Iterable[Lined], words: str, chosen: str) -> list[Lined]:
    """Those that stand so and hold all the words in title, question or answer."""
    sought = words.casefold().split()
    return [item for item in sessions if chosen in (ALL, _stands(item)) and item.line.says(sought)]


def row(item: Lined, handbook: str) -> dict[str, JsonValue]:
    """A session as the list draws it; `handbook` is where the handbook is served."""
    line = item.line
    return {
        "id": line.id,
        "title": line.name,
        "fork": f"Fork of step {line.forked_step}" if line.forked_from else "",
        "stands": _stands(item),
        "sites": hosts(line.sites, handbook),
        "graph": line.graph,
        "model": line.model.partition(",")[0],
        "spent": spent(line),
        "created": line.created,
    }


def _stands(item: Lined) -> str:
    return stands(item.status, item.line.answer)


def spent(line: Line) -> str:
    """What it cost, or else the pages that it opened."""
    if line.spend.usd:
        return f"${line.spend.usd:.3f}"
    return plural(line.pages, "page") if line.pages else ""


def hosts(sites: Sequence[str], handbook: str = "") -> str:
    """The sites by their hosts."""
    return ", ".join(dict.fromkeys(place(site, handbook) for site in sites)) or "the web"
