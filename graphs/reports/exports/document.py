"""A session as it is exported: its report, what was asked, and where each quote is found."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from forager.adapters.store.sessions.session_store import Session
from forager.adapters.web.web_database import fetch_times
from forager.domain.spend import Budget
from forager.settings import Settings
from forager.text.unicode import escape_json
from graphs.reports.exports.pinned_graph import yaml_text
from graphs.reports.report import Report, ReportedEvidence, ReportedSpend
from graphs.reports.stored_pages import StoredPage, open_blobs, read_stored_page
from graphs.reports.text_fragments import link_to_quote
from graphs.spec.spec import graph_of

WEB = re.compile(r"https?://", re.IGNORECASE)
"""How an address begins that an export links to."""
EXPORT_VERSION = 1
"""Raised when a reader of older exports would misread a newer one."""
FIRST_KEYS = ("version", "question", "sites", "budget", "seed", "asked")


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

    @property
    def title(self) -> str:
        """The first question of the conversation, on one line."""
        first = self.turns[0].question if self.turns else self.question
        return " ".join(first.split())


def assemble_export(session: Session, report: Report, settings: Settings) -> Export:
    """The export of a session with this report. Raises StoreError."""
    question = session.question
    shared = {name: getattr(report, name) for name in Report.model_fields if name != "evidence"}
    return Export(
        **{**shared, "question": question.text},
        sites=question.sites,
        budget=question.budget,
        seed=question.seed,
        asked=_utc_time(session.created),
        graph_body=yaml_text(graph_of(session)),
        evidence=tuple(_export_evidence(report.evidence, settings)),
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


def spend_facts(used: ReportedSpend) -> Iterator[tuple[str, str]]:
    """What was spent, by name; tokens and cost only if a model was asked."""
    yield "Rounds", f"{used.rounds:,}"
    yield "Actions", f"{used.actions:,}"
    yield "Pages fetched", f"{used.pages_fetched:,}"
    yield "Pages from the cache", f"{used.pages_cached:,}"
    yield "Model calls", f"{used.model_calls:,}"
    if used.tokens_in or used.tokens_out:
        cached = f", {used.tokens_cached:,} of them cached" if used.tokens_cached else ""
        yield "Tokens read", f"{used.tokens_in:,}{cached}"
        yield "Tokens written", f"{used.tokens_out:,}"
    if used.usd:
        yield "US dollars", f"{used.usd:.4f}"
    if used.refused:
        yield "Calls beyond the budget", f"{used.refused:,}"
    yield "Seconds", f"{used.seconds:,.1f}"


def format_limits(budget: Budget) -> str:
    """The limits of a question as the command line takes them."""
    limits = budget.model_dump(exclude_none=True)
    return ", ".join(f"{name}={value:g}" for name, value in limits.items())


def as_json(export: Export) -> str:
    """The export as one JSON object: what was asked, then the report with the whole ledger."""
    body = export.model_dump(mode="json")
    ordered = {name: body.pop(name) for name in FIRST_KEYS} | body
    return escape_json(json.dumps(ordered, ensure_ascii=False, indent=2)) + "\n"
