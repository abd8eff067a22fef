"""The rows of the list of sessions: what each says, and which are shown."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from pydantic import JsonValue

from forager.answers.likelihood import doubt_of, is_uncertain
from graphs.sessions.service import ListedLine, SessionLine
from ui.server.live.session_status import EMPTY, ENDED, STOPPED, UNCERTAIN, UNLIKELY, display_status
from ui.web.graph_names import name_graph
from ui.web.labels import label_site
from ui.web.words import later, local_dollars, local_time, say, say_count

ALL: Final = "all"
FILTERS: Final = {
    ALL: later("All"),
    "running": later("Running"),
    "waiting": later("Needs your approval"),
    "paused": later("Paused"),
    "interrupted": later("Interrupted"),
    "answered": later("Answered"),
    UNCERTAIN: later("Answered, uncertain"),
    UNLIKELY: later("Possibly answered"),
    "partial": later("Partly answered"),
    STOPPED: later("Stopped"),
    EMPTY: later("Ended without an answer"),
    "abstained": later("Not found"),
    "failed": later("Failed"),
    "damaged": later("Damaged"),
}
"""The statuses to filter by, in their order, with their names."""


class Filter(NamedTuple):
    """What the list is to show: sessions with all the words, of this status, with all the tags."""

    words: str = ""
    status: str = ALL
    tags: tuple[str, ...] = ()

    def choose(self, sessions: Iterable[ListedLine]) -> list[ListedLine]:
        """The sessions to show, pinned ones first."""
        sought = self.words.casefold().split()
        found = [
            item
            for item in sessions
            if self.status in (ALL, *_statuses_of(item))
            and set(self.tags) <= set(item.line.tags)
            and item.line.matches(sought)
        ]
        return sorted(found, key=lambda item: not item.line.pinned)


def count_statuses(sessions: Iterable[ListedLine], chosen: str = ALL) -> dict[str, int]:
    """How many sessions there are, in all and of each status that occurs or is chosen.

    One whose follow-up ended in another way than its first question shows both, and counts for
    both.
    """
    listed = list(sessions)
    found = Counter(status for item in listed for status in _statuses_of(item))
    shown = (name for name in FILTERS if found[name] or name == chosen)
    return {ALL: len(listed)} | {name: found[name] for name in shown if name != ALL}


def count_tags(sessions: Iterable[ListedLine], chosen: Iterable[str] = ()) -> dict[str, int]:
    """How many sessions have each tag that occurs or is chosen, in alphabetical order."""
    found = Counter(tag for item in sessions for tag in item.line.tags)
    return {tag: found[tag] for tag in sorted({*found, *chosen}, key=str.casefold)}


def session_row(item: ListedLine, names: Mapping[str, str]) -> dict[str, JsonValue]:
    """A session as the list draws it; `names` are those of sites, by address."""
    line = item.line
    stands, *follow_up = _statuses_of(item)
    return {
        "id": line.id,
        "title": line.name,
        "fork": say("Fork of step {number}", number=line.forked_step) if line.forked_from else "",
        "stands": stands,
        "follow_up": "".join(follow_up),
        "sites": list(label_sites(line.sites, names, line.searched)),
        "tags": list(line.tags),
        "turns": line.turn,
        "graph": name_graph(line.graph),
        "model": line.writer.partition(",")[0],
        "spent": _format_spend(line),
        "created": line.created,
        "pinned": line.pinned,
    }


def describe_session(line: SessionLine) -> str:
    """A session in one line, with what tells it from others of the same question."""
    fork = " · " + say("fork of step {number}", number=line.forked_step) if line.forked_from else ""
    return f"{line.name} · {name_graph(line.graph)}{fork} · {local_time(line.created)}"


def nearness(line: SessionLine, other: SessionLine) -> int:
    """How near two sessions are: by descent, then first question, then sites; 0 if not at all."""
    descent = (
        other.forked_from == line.id or line.forked_from == other.id,
        line.forked_from and other.forked_from == line.forked_from,
    )
    question = _first_question(line)
    same_question = question and question == _first_question(other)
    same_sites = line.sites and set(line.sites) == set(other.sites)
    ranked = (*descent, same_question and same_sites, same_question, same_sites)
    return next((len(ranked) - place for place, near in enumerate(ranked) if near), 0)


def sort_by_nearness(line: SessionLine, others: Iterable[SessionLine]) -> list[str]:
    """The ids of the sessions, the nearest first; equally near ones stay in their order."""
    return [each.id for each in sorted(others, key=lambda each: -nearness(line, each))]


def _first_question(line: SessionLine) -> str:
    return " ".join((line.first_question or line.question).casefold().split())


def _statuses_of(item: ListedLine) -> tuple[str, ...]:
    """The status of a session; of one whose newest question ended, that of the first before it."""
    line, first = item.line, item.line.first_answer
    now = display_status(item.status, line.answer, uncertain=line.uncertain, doubt=line.doubt)
    if first is None or item.status not in ENDED | {"failed"}:
        return (now,)
    weak, doubt = is_uncertain(first), doubt_of(first)
    before = display_status(first.status, first.text, uncertain=weak, doubt=doubt)
    return tuple(dict.fromkeys((before, now)))


def _format_spend(line: SessionLine) -> str:
    """What it cost, or else how many pages it read."""
    if line.spend.usd:
        return local_dollars(line.spend.usd, 3)
    return say_count(line.pages, "{n} page read", "{n} pages read") if line.pages else ""


PLACES: Final = {
    "": later("the web"),
    "kept": later("pages read before, not the web"),
    "both": later("the web and pages read before"),
}
"""Where a session without sites searches, or has searched."""


def label_sites(
    sites: Sequence[str], names: Mapping[str, str], searched: str = ""
) -> tuple[str, ...]:
    """The sites by their hosts; several of one host with their paths; without one, the place."""
    hosts = [label_site(site, names) for site in sites]
    labels = (
        host + urlsplit(site).path.rstrip("/") if hosts.count(host) > 1 else host
        for host, site in zip(hosts, sites, strict=True)
    )
    return tuple(dict.fromkeys(labels)) or (say(PLACES.get(searched, PLACES[""])),)
