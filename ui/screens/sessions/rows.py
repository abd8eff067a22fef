"""The sessions as rows of a list: what of them is told, and which are wanted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

from pydantic import JsonValue

from graphs.listing import Listed

ALL: Final = "all"
FILTERS: Final = {
    ALL: "All",
    "running": "Running",
    "waiting": "Needs approval",
    "interrupted": "Interrupted",
    "answered": "Answered",
    "partial": "Partly answered",
    "abstained": "No page answers it",
    "failed": "Failed",
}
"""What the statuses are called, in the order in which they can be chosen."""


def counted(sessions: Iterable[Listed]) -> dict[str, int]:
    """How many there are of each status that there is, and of all."""
    found = Counter[str](item.status for item in sessions)
    return {ALL: found.total()} | {name: found[name] for name in FILTERS if found[name]}


def wanted(sessions: Iterable[Listed], words: str, status: str) -> list[Listed]:
    """Those of a status that hold all the words in their question."""
    sought = words.casefold().split()
    return [
        item
        for item in sessions
        if status in (ALL, item.status)
        and all(word in item.session.question.text.casefold() for word in sought)
    ]


def row(item: Listed) -> dict[str, JsonValue]:
    """A session as the list draws it."""
    session = item.session
    return {
        "id": session.id,
        "title": session.question.text,
        "fork": f"Fork of step {session.forked_step}" if session.forked_from else "",
        "status": item.status,
        "sites": hosts(session.question.sites),
        "graph": session.graph,
        "model": session.model.partition(",")[0],
        "created": session.created,
    }


def hosts(sites: Sequence[str]) -> str:
    """The sites by their hosts."""
    names = dict.fromkeys(urlsplit(site).netloc.removeprefix("www.") or site for site in sites)
    return ", ".join(names) or "the web"
