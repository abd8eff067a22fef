"""A session as it is exported: its report, what was asked, and where each quote is found."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import Field

from forager.adapters.store.sessions.session_store import Session
from forager.adapters.web.web_database import fetch_times
from forager.answers.likelihood import doubt_of
from forager.domain.base import OMIT_EMPTY
from forager.domain.spend import Budget
from forager.settings import Settings
from forager.text.unicode import escape_json
from graphs.reports.exports.formats import PARTS, Part
from graphs.reports.exports.markup import web_address
from graphs.reports.exports.pinned_graph import yaml_text
from graphs.reports.exports.wording import say, write_number
from graphs.reports.report import Report, ReportedEvidence, ReportedSpend
from graphs.reports.stored_pages import StoredPage, open_blobs, read_stored_page
from graphs.reports.text_fragments import link_to_quote
from graphs.reports.turns import EarlierTurn, describe_reading, questions_before
from graphs.spec.spec import graph_of

EXPORT_VERSION = 1
"""Raised when a reader of older exports would misread a newer one."""
FIRST_KEYS = ("version", "question", "sites", "budget", "seed", "asked")
PART_KEYS: Final[Mapping[Part, tuple[str, ...]]] = {
    "answer": ("answer", "table", "leads", "open", "reason", "nearest", "notes", "doubts"),
    "sources": (),
    "evidence": (),
    "steps": ("visited", "actions", "pleas", "arms"),
    "run": ("spent", "graph_body"),
}
"""The keys of the JSON that are left out with a part; those with quotes are cut down."""
MAX_SHOWN = 10_000
"""Characters of a quote in a document to read, about four pages."""
SO_FAR: Final = "this is what it has so far"
STANDINGS: Final[Mapping[str, str]] = {
    "answered": "Answered",
    "partial": "Partly answered",
    "abstained": "Not found: no answer was recognized on the pages that were read",
    "failed": "Failed",
    "running": f"Still running: {SO_FAR}",
    "waiting": f"Waiting for an approval: {SO_FAR}",
    "paused": f"Paused: {SO_FAR}",
    "interrupted": f"Interrupted: {SO_FAR}",
}
"""What a status means, for a reader who does not know the program."""
EMPTY: Final = "Ended without an answer"
STOPPED: Final = "Stopped before the answer was checked: this is what it has so far"
DOUBTS: Final[Mapping[str, str]] = {
    "uncertain": "Answered, uncertain: a part of the answer may not be right",
    "unlikely": "Possibly answered: the first sentence is more likely wrong, another quote may "
    "answer",
}
"""The same of an answer that is weaker than its status."""


class ExportedEvidence(ReportedEvidence):
    """A quote of the ledger. `link` shows it on its page, `lang` is the language of the page.

    `fetched` is null where an old session does not have it and the cache has a newer page.
    """

    fetched: datetime | None = None
    lang: str = ""
    link: str = ""


class Export(Report):
    """The report, and all that is needed without the data folder; `graph_body` is YAML to run."""

    version: int = EXPORT_VERSION
    question: str
    sites: tuple[str, ...] = ()
    budget: Budget = Budget()
    seed: int = 0
    asked: datetime | None = None
    graph_body: str = ""
    evidence: tuple[ExportedEvidence, ...] = ()
    parts: Annotated[tuple[Part, ...], OMIT_EMPTY] = ()
    """The parts that it has; left out of the JSON where these are all."""
    name: str = Field("", exclude=True)
    """The title that a person gave to the session."""
    site_names: Mapping[str, str] = Field({}, exclude=True)
    """The names of sites that are served on this machine, by host."""
    page_times: Mapping[str, datetime] = Field({}, exclude=True)
    """When the pages that earlier turns cite were fetched, by blob, as far as that is known."""

    def has(self, part: Part) -> bool:
        """Whether a part is wanted."""
        return not self.parts or part in self.parts

    def example_page(self, url: str) -> str:
        """A page of a site that ships with the program, in words; empty for any other page.

        Its address is one of the machine that served it, and leads nowhere elsewhere.
        """
        parts = urlsplit(web_address(url))
        site, page = self.site_names.get(parts.netloc, ""), parts.path.strip("/")
        if not site:
            return ""
        return say(f"Example site: {site}, page {page}" if page else f"Example site: {site}")

    def place_of(self, url: str) -> str:
        """Where a page is: its address, or the example site that it is of."""
        return self.example_page(url) or url

    @property
    def standing(self) -> str:
        """The status in words."""
        if self.status == "partial" and not self.answer:
            return say(EMPTY)
        if self.answer and self.unjudged:
            return say(STOPPED)
        return say(DOUBTS.get(doubt_of(self)) or STANDINGS[self.status])

    @property
    def reading(self) -> str:
        """How the question was understood, in a sentence; empty where it is as it is written."""
        return describe_reading(self.meant, self.question, questions_before(self.turns)[-1])

    def reading_of(self, turn: EarlierTurn) -> str:
        """The same for an earlier turn."""
        before = questions_before(self.turns)[turn.number - 1]
        return describe_reading(turn.meant, turn.question, before)

    @property
    def title(self) -> str:
        """The title of the session, or else its first question, on one line."""
        return session_title(self.name, self)

    @property
    def untold(self) -> str:
        """The question on one line, where neither the title nor the heading of a turn is it."""
        asked = " ".join(self.question.split())
        return "" if self.turns or asked == self.title else asked


def session_title(name: str, report: Report) -> str:
    """The title that a session was given, or else its first question, on one line."""
    first = report.turns[0].question if report.turns else report.question
    return " ".join((name or first).split())


def assemble_export(
    session: Session,
    report: Report,
    settings: Settings,
    parts: tuple[Part, ...] = (),
    sites: Mapping[str, str] = MappingProxyType({}),
) -> Export:
    """The export of a session with this report; without `parts` it has all. Raises StoreError."""
    question = session.question
    earlier = {item.blob for turn in report.turns for item in turn.citations}
    times = fetch_times(settings.data, earlier)
    shared = {name: getattr(report, name) for name in Report.model_fields if name != "evidence"}
    return Export(
        **{**shared, "question": question.text},
        sites=question.sites,
        budget=question.budget,
        seed=question.seed,
        asked=_utc_time(session.created),
        graph_body=yaml_text(graph_of(session)),
        evidence=tuple(_export_evidence(report.evidence, settings)),
        parts=() if parts == PARTS else parts,
        name=session.title,
        site_names=sites,
        page_times={blob: _utc_time(time) for blob, time in times.items()},
    )


def _export_evidence(
    kept: Iterable[ReportedEvidence], settings: Settings
) -> Iterable[ExportedEvidence]:
    kept = tuple(kept)
    if not kept:
        return
    times = fetch_times(settings.data, (item.blob for item in kept if item.fetched is None))
    with open_blobs(settings) as blobs:
        pages = {item.blob: read_stored_page(blobs, item.blob) for item in kept}
    for item in kept:
        yield _with_page(item, pages[item.blob], times.get(item.blob))


def _with_page(
    item: ReportedEvidence, page: StoredPage | None, time: float | None
) -> ExportedEvidence:
    values = {name: getattr(item, name) for name in ReportedEvidence.model_fields}
    values["fetched"] = item.fetched or (_utc_time(time) if time else None)
    return ExportedEvidence(
        **values,
        lang=page.lang if page else "",
        link=_link_to_quote(item, page),
    )


def _link_to_quote(item: ReportedEvidence, page: StoredPage | None) -> str:
    """The address that shows the quote; by its own words alone where the page is not stored."""
    if page is None:
        return link_to_quote(item.url, item.quote, 0, len(item.quote))
    return link_to_quote(item.url, page.text, item.start, item.end)


def _utc_time(seconds: float) -> datetime:
    return datetime.fromtimestamp(round(seconds), UTC)


def cut_quote(quote: str) -> tuple[str, str]:
    """A quote as a document shows it, and a note on what is left out; the note is empty if all
    is there.
    """
    if len(quote) <= MAX_SHOWN:
        return quote, ""
    left = len(quote) - MAX_SHOWN
    more = f"… {write_number(left)} characters more; an export as JSON has the whole quote"
    return quote[:MAX_SHOWN], say(more)


def spend_facts(used: ReportedSpend) -> Iterator[tuple[str, str]]:
    """What was spent, by name; tokens and cost only if a model was asked."""
    yield say("Rounds"), write_number(used.rounds)
    yield say("Actions"), write_number(used.actions)
    yield say("Pages fetched"), write_number(used.pages_fetched)
    yield say("Pages from the cache"), write_number(used.pages_cached)
    yield say("Model calls"), write_number(used.model_calls)
    if used.tokens_in or used.tokens_out:
        read, cached = write_number(used.tokens_in), write_number(used.tokens_cached)
        told = say(f"{read}, {cached} of them cached") if used.tokens_cached else read
        yield say("Tokens read"), told
        yield say("Tokens written"), write_number(used.tokens_out)
    if used.usd:
        yield say("US dollars"), write_number(used.usd, 4)
    if used.refused:
        yield say("Calls beyond the budget"), write_number(used.refused)
    yield say("Seconds"), write_number(used.seconds, 1)


def format_limits(budget: Budget) -> str:
    """The limits of a question as the command line takes them."""
    limits = budget.model_dump(exclude_none=True)
    return ", ".join(f"{name}={value:g}" for name, value in limits.items())


def as_json(export: Export) -> str:
    """The export as one JSON object: what was asked, then the report with the whole ledger."""
    left_out = {key for part, keys in PART_KEYS.items() if not export.has(part) for key in keys}
    body = _cut_quotes(export).model_dump(mode="json", exclude=left_out)
    if not export.has("answer"):
        for turn in body.get("turns", ()):
            del turn["answer"]
    ordered = {name: body.pop(name) for name in FIRST_KEYS} | body
    return escape_json(json.dumps(ordered, ensure_ascii=False, indent=2)) + "\n"


def _cut_quotes(export: Export) -> Export:
    """The export with the quotes of its parts alone: those that are cited, and all others."""
    wanted = [True] * export.has("sources") + [False] * export.has("evidence")
    cited = {item.id for item in export.citations}
    kept = tuple(item for item in export.evidence if (item.id in cited) in wanted)
    if export.has("sources"):
        return export.model_copy(update={"evidence": kept})
    turns = tuple(turn.model_copy(update={"citations": ()}) for turn in export.turns)
    return export.model_copy(update={"evidence": kept, "turns": turns, "citations": ()})
