"""The sessions as rows of a list: what of them is told, and which are wanted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

from pydantic import JsonValue

from graphs.events import plural
from graphs.sessions import Line, Lined

ALL: Final = "all"
FILTERS: Final = {
    ALL: "All",
    "running": "Running",
    "waiting": "Needs approval",
    "paused": "Paused",
    "interrupted": "Interrupted",
    "answered": "Answered",
    "partial": "Partly answered",
    "abstained": "No page answers it",
    "failed": "Failed",
}
"""What the statuses are called, in the order in which they can be chosen."""


def counted(sessions: Iterable[Lined]) -> dict[str, int]:
    """How many there are of each status that there is, and of all."""
    found = Counter[str](item.status for item in sessions)
    return {ALL: found.total()} | {name: found[name] for name in FILTERS if found[name]}


def wanted(sessions: Iterable[Lined], words: str, status: str) -> list[Lined]:
    """Those of a status that hold all the words in title, question or answer."""
    sought = words.casefold().split()
    return [item for item in sessions if status in (ALL, item.status) and item.line.says(sought)]


def row(item: Lined) -> dict[str, JsonValue]:
    """A session as the list draws it."""
    line = item.line
    return {
        "id": line.id,
        "title": line.name,
        "fork": f"Fork of step {line.forked_step}" if line.forked_from else "",
        "status": item.status,
        "sites": hosts(line.sites),
        "graph": line.graph,
        "model": line.model.partition(",")[0],
        "spent": spent(line),
        "created": line.created,
    }


def spent(line: Line) -> str:
    """What it cost, or else the pages that it opened."""
    if line.spend.usd:
        return f"${line.spend.usd:.3f}"
    return plural(line.pages, "page") if line.pages else ""


def hosts(sites: Sequence[str]) -> str:
    """The sites by their hosts."""
    names = dict.fromkeys(urlsplit(site).netloc.removeprefix("www.") or site for site in sites)
    return ", ".join(names) or "the web"
