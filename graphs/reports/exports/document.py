"""A session as it is handed on: its report, what was asked, and where each quote is to be found."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import ClassVar

from forager.adapters.store.sessions.session_store import Session
from forager.adapters.web.page_rows import fetched
from forager.domain.spend import Budget
from forager.settings import Settings
from graphs.reports.exports.graph_yaml import yaml_text
from graphs.reports.report import Report, ReportedEvidence
from graphs.reports.stored_pages import StoredPage, open_blobs, read_stored_page
from graphs.reports.text_fragments import link_to_quote
from graphs.spec.spec import graph_of

EXPORT_VERSION = 1
"""Raised when a reader of older exports would misread a newer one."""


class ExportedEvidence(ReportedEvidence):
    """An entry of the ledger. `link` leads to the quote on its page, `lang` is the page's language.

    `fetched` is null where an old session does not say it and the cache has a newer page.
    """

    SILENT: ClassVar[tuple[str, ...]] = ("dated", "also", "agrees", "conflicts")
    lang: str = ""
    link: str = ""


class Export(Report):
    """The report, and what someone needs who has nothing else; `graph_body` is YAML that runs."""

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
    """All that a document of the session says. Raises StoreError."""
    question = session.question
    said = {name: getattr(report, name) for name in Report.model_fields if name != "evidence"}
    return Export(
        **{**said, "question": question.text},
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
    times = fetched(settings.data, (item.blob for item in kept if item.fetched is None))
    with open_blobs(settings) as blobs:
        pages = {item.blob: read_stored_page(blobs, item.blob) for item in kept}
    for item in kept:
        yield _with_page(item, pages[item.blob], times.get(item.blob))


def _with_page(
    item: ReportedEvidence, page: StoredPage | None, time: float | None
) -> ExportedEvidence:
    said = {name: getattr(item, name) for name in ReportedEvidence.model_fields}
    said["fetched"] = item.fetched or (_utc_time(time) if time else None)
    return ExportedEvidence(
        **said,
        lang=page.lang if page else "",
        link=_link_to_quote(item, page),
    )


def _link_to_quote(item: ReportedEvidence, page: StoredPage | None) -> str:
    """Without its page a quote is named as far as its own words go."""
    if page is None:
        return link_to_quote(item.url, item.quote, 0, len(item.quote))
    return link_to_quote(item.url, page.text, item.start, item.end)


def _utc_time(seconds: float) -> datetime:
    return datetime.fromtimestamp(round(seconds), UTC)
