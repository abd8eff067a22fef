"""The rows of the list of sessions: what each says, and which are shown."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pydantic import JsonValue

from graphs.reports.events import format_count
from graphs.sessions.service import ListedLine, SessionLine
from ui.server.live.session_status import EMPTY, display_status
from ui.web.labels import format_time, label_site

ALL: Final = "all"
FILTERS: Final = {
    ALL: "All",
    "running": "Running",
    "waiting": "Needs your approval",
    "paused": "Paused",
    "interrupted": "Interrupted",
    "answered": "Answered",
    "partial": "Partly answered",
    EMPTY: "Nothing found",
    "abstained": "No page answers it",
    "failed": "Failed",
    "damaged": "Damaged",
}
"""The statuses to filter by, in their order, with their names."""


def count_statuses(sessions: Iterable[ListedLine]) -> dict[str, int]:
    """How many sessions there are, in all and of each status that occurs."""
    found = Counter(map(_status_of, sessions))
    return {ALL: found.total()} | {name: found[name] for name in FILTERS if found[name]}


def filter_sessions(sessions: Iterable[ListedLine], words: str, status: str) -> list[ListedLine]:
    """Those of this status with all the words in title, question or answer."""
    sought = words.casefold().split()
    return [
        item for item in sessions if status in (ALL, _status_of(item)) and item.line.matches(sought)
    ]


def session_row(item: ListedLine, names: Mapping[str, str]) -> dict[str, JsonValue]:
    """A session as the list draws it; `names` are those of sites, by address."""
    line = item.line
    return {
        "id": line.id,
        "title": line.name,
        "fork": f"Fork of step {line.forked_step}" if line.forked_from else "",
        "stands": _status_of(item),
        "sites": label_sites(line.sites, names),
        "graph": line.graph,
        "model": line.model.partition(",")[0],
        "spent": _format_spend(line),
        "created": line.created,
        "pinned": line.pinned,
    }


def describe_session(line: SessionLine) -> str:
    """A session in one line, with what tells it from others of the same question."""
    fork = f" · fork of step {line.forked_step}" if line.forked_from else ""
    return f"{line.graph}{fork} · {format_time(line.created)} · {line.name}"


def _status_of(item: ListedLine) -> str:
    return display_status(item.status, item.line.answer)


def _format_spend(line: SessionLine) -> str:
    """What it cost, or else how many pages it opened."""
    if line.spend.usd:
        return f"${line.spend.usd:.3f}"
    return format_count(line.pages, "page") if line.pages else ""


def label_sites(sites: Sequence[str], names: Mapping[str, str]) -> str:
    """The sites by their hosts."""
    return ", ".join(dict.fromkeys(label_site(site, names) for site in sites)) or "the web"
