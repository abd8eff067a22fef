"""A session as the pages show it: one JSON document; the stream sends what changes of it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from pydantic import JsonValue

from forager.answers.likelihood import doubt_of, doubtful_parts, unlikely_parts
from forager.budget import counts_fetched, pages_used
from forager.domain.answers import Lead, NearestQuote, Quote
from forager.domain.spend import Budget
from forager.evidence.passages import table_columns
from forager.questions.subquestions import label_subquestion
from forager.text.tokens import search_terms, tokenize
from graphs.reports.answer_layout import (
    AnswerLayout,
    LeadSentence,
    Passage,
    QuoteBlock,
    lay_out_answer,
    lines_before_more,
    quote_blocks,
)
from graphs.reports.events import shorten
from graphs.reports.report import (
    ArmReport,
    ReportedEvidence,
    answer_layout,
    answer_worth,
    count_read,
    is_weak,
    noted_place,
)
from graphs.reports.trace import RunTrace
from graphs.reports.turns import EarlierTurn, describe_reading, questions_before
from graphs.sessions.service import Report, Session
from graphs.spec.spec import graph_of
from ui.server.live.merge_patch import Document, apply_patch
from ui.server.live.run_clock import Work
from ui.server.live.session_status import ACTIVE, ENDED, RESUMABLE, display_status
from ui.server.live.step_names import step_names
from ui.server.live.timeline import OUTCOMES, Entry, Timeline

MOST_IN_DRAFT: Final = 4
MOST_CARRIED: Final = 90
NEAREST_LINES: Final = 3
DRAFT_LINES: Final = 2
"""Of a quote that stands for an answer until there is one."""


def build_view(
    session: Session,
    report: Report,
    timeline: Timeline,
    way: RunTrace,
    providers: Sequence[str] = (),
) -> Document:
    """The document; lists whose items change are objects by id, so that patches stay small."""
    numbers = {quote.id: number for number, quote in enumerate(report.citations, 1)}
    return {
        "session": _describe_session(session, report, timeline, providers),
        "answer": _describe_answer(report) | _describe_reading(report, timeline),
        "citations": {
            str(numbers[quote.id]): _describe_citation(quote, report) for quote in report.citations
        },
        "evidence": {
            item.id: _describe_evidence(item, numbers, report.leads) for item in report.evidence
        },
        "parts": _describe_parts(report),
        "pages": report.known,
        "read": count_read(report),
        "arms": {
            f"{place:03d}": _describe_arm(arm, report, place)
            for place, arm in enumerate(report.arms, 1)
        },
        "actions": {
            f"{place:03d}": act.model_dump(mode="json", exclude_none=True)
            for place, act in enumerate(report.actions, 1)
        },
        "visited": {
            f"{place:03d}": {"url": page.url, "round": page.round}
            for place, page in enumerate(report.visited, 1)
        },
        "spend": _describe_spend(report, session.question.budget, timeline),
        "timeline": _dump_entries(timeline.entries),
        "graph": _describe_graph(way),
        "names": dict(step_names(graph_of(session))),
        "turns": {
            str(turn.number): {
                **turn.model_dump(mode="json", exclude_none=True),
                **_describe_turn(turn),
                "meant": describe_reading(turn.meant, turn.question, before),
                "answer": "\n".join(lines_before_more(turn.answer)),
                "stands": display_status(
                    turn.status, turn.answer, uncertain=turn.uncertain, doubt=turn.doubt
                ),
                "timeline": _dump_entries(timeline.past.get(turn.number, {})),
            }
            for turn, before in zip(report.turns, questions_before(report.turns), strict=False)
        },
    }


def _dump_entries(entries: Mapping[str, Entry]) -> Document:
    return {key: entry.model_dump(mode="json") for key, entry in entries.items()}


def _describe_graph(way: RunTrace) -> Document:
    """How often each node ran and each edge was taken, what it carried last, and where it is."""
    standing = way.node_statuses()
    nodes: Document = {
        name: {"count": count, **({"status": standing[name]} if name in standing else {})}
        for name, count in way.count.items()
    }
    carried: Document = {edge: shorten(text, MOST_CARRIED) for edge, text in way.carried.items()}
    return {
        "nodes": nodes,
        "edges": dict(way.edges),
        "carried": carried,
        "waiting": list(way.waiting),
    }


def _describe_session(
    session: Session, report: Report, timeline: Timeline, providers: Sequence[str]
) -> Document:
    before = questions_before(report.turns)[-1]
    return {
        "id": session.id,
        "question": session.question.text,
        "sites": list(session.question.sites),
        "searched": report.searched or noted_place(timeline.warnings()),
        "providers": [] if report.status in ENDED else list(providers),
        "meant": describe_reading(report.meant, session.question.text, before),
        "graph": session.graph,
        "model": session.writer,
        "status": report.status,
        "stands": shown_status(report),
        "asked": session.asked,
        "created": session.created,
        **({"forked": _describe_fork(session)} if session.forked_from else {}),
        "turn": session.turn,
        "pleas": len(report.pleas),
        "error": report.error,
        "notes": list(report.notes),
        "open": list(report.open),
    }


def shown_status(report: Report) -> str:
    """The status of a report as every page shows it."""
    weak, doubt = is_weak(report), doubt_of(report)
    return display_status(report.status, report.answer, uncertain=weak, doubt=doubt)


def _describe_fork(session: Session) -> JsonValue:
    """From which step of which session it was forked, and its newest hint."""
    hints = session.question.hints
    return {
        "origin": session.forked_from,
        "step": session.forked_step,
        "hint": hints[-1] if hints else "",
    }


def _describe_answer(report: Report) -> Document:
    found: Document = {"text": report.answer, "worth": answer_worth(report).capitalize()}
    laid = answer_layout(report)
    if laid.leads:
        found["laid"] = _describe_layout(laid, report.citations)
    elif laid.passages:
        found["closest"] = describe_passages(laid.passages, report.citations)
    if not report.answer:
        found["draft"] = [_describe_draft(item) for item in _best_evidence(report)]
    if report.reason:
        found["reason"] = report.reason
    if report.nearest and not (report.table and report.nearest.id in _cited_ids(report)):
        found["nearest"] = _describe_nearest(report.nearest)
    if report.doubts:
        found["doubts"] = [doubt.model_dump(mode="json") for doubt in report.doubts]
    if report.table:
        found["table"] = report.table.model_dump(mode="json", exclude_none=True)
    return found


def _describe_reading(report: Report, timeline: Timeline) -> Document:
    """What a run that was left has read, and what it has not."""
    if report.status in ACTIVE:
        return {}
    mapped = timeline.survey_left()
    lines = [_describe_survey(mapped, report.known)] if mapped else []
    if report.status in RESUMABLE and report.arms:
        read = sum(bool(arm.round) for arm in report.arms)
        left = len(report.arms) - read
        lines.append(f"Ranked pages read: {read}; not read: {left}.")
    elif report.status in {"paused", "interrupted"} and not report.visited:
        lines.append("No page was read for an answer yet.")
    return {"reading": " ".join(lines)} if lines else {}


def _describe_survey(mapped: str, known: int) -> str:
    """How far a survey came; once it was stopped, by the pages that the timeline tells of, too."""
    if known == 1:
        return "Finding pages is not complete: 1 page is known."
    if known:
        return f"Finding pages is not complete: {known:,} pages are known."
    return f"Finding pages is not complete: {mapped}."


def _describe_turn(turn: EarlierTurn) -> Document:
    """How the answer of an earlier turn is laid out: as it was when it was the present one."""
    leads = [
        lead.model_copy(update={"part": label_subquestion(lead.part, turn.question)})
        for lead in turn.leads
    ]
    laid = lay_out_answer(turn.answer, turn.citations, leads, turn.sections)
    found: Document = {"read": turn.read}
    if laid.leads:
        open = [label_subquestion(text, turn.question) for text in turn.open]
        signs = _describe_leads(leads)
        parts: Document = {text: {"quotes": 0, "open": True, "doubtful": False} for text in open}
        for text in (lead.part for lead in leads):
            parts[text] = {"quotes": 1, "open": text in open, **signs[text]}
        found |= {"laid": _describe_layout(laid, turn.citations), "parts": parts}
    elif laid.passages:
        found["closest"] = describe_passages(laid.passages, turn.citations)
    return found


def _describe_layout(laid: AnswerLayout, citations: Sequence[Quote]) -> JsonValue:
    return {
        "before": list(laid.before),
        "leads": [_describe_lead(lead, citations) for lead in laid.leads],
        "after": list(laid.after),
        "more": [describe_further(citations[number - 1]) for number in laid.further],
    }


def _describe_lead(lead: LeadSentence, citations: Sequence[Quote]) -> JsonValue:
    return {
        "part": lead.part,
        "words": lead.words,
        "quote": citations[lead.number - 1].id,
        "columns": list(lead.columns),
        "blocks": describe_blocks(lead.blocks),
        "yes_no": lead.yes_no,
        "undecided": lead.undecided,
        "so_far": lead.so_far,
    }


def _best_evidence(report: Report) -> list[ReportedEvidence]:
    """What stands for an answer until there is one, in the order in which it was found."""
    best = sorted(report.evidence, key=lambda item: -item.score)[:MOST_IN_DRAFT]
    return [item for item in report.evidence if item in best]


def _describe_draft(item: ReportedEvidence) -> Document:
    """The lines of a quote that fit its sub-question best, as only these may become the answer."""
    blocks = list(quote_blocks(item.quote))
    asked = set(search_terms(item.part_text))
    fit = [len(asked.intersection(tokenize(block.text))) for block in blocks]
    best = fit.index(max(fit)) if fit else 0
    start = best - 1 if best and blocks[best - 1].kind == "heading" else best
    return {"quote": item.id, "blocks": describe_blocks(blocks[start : best + DRAFT_LINES])}


def describe_passages(passages: Sequence[Passage], citations: Sequence[Quote]) -> JsonValue:
    """The passages that stand for an answer, in their lines."""
    return [
        {"quote": citations[number - 1].id, "blocks": describe_blocks(blocks)}
        for number, blocks in passages
    ]


def describe_further(quote: Quote | ReportedEvidence) -> Document:
    """A quote in its lines."""
    return {"quote": quote.id, "blocks": describe_blocks(quote_blocks(quote.quote))}


def _cited_ids(report: Report) -> set[str]:
    return {quote.id for quote in report.citations}


def _describe_nearest(quote: NearestQuote) -> Document:
    return {
        **quote.model_dump(mode="json", include={"why", "title", "url"}),
        "blocks": describe_blocks(islice(quote_blocks(quote.quote), NEAREST_LINES)),
    }


def describe_blocks(blocks: Iterable[QuoteBlock]) -> JsonValue:
    """Each line with its kind and its cells; a cell is a list of texts with their marks."""
    return [
        {"kind": block.kind, "cells": [[[*piece] for piece in cell] for cell in block.cells]}
        for block in blocks
    ]


def _describe_citation(quote: Quote, report: Report) -> Document:
    kept = next((item for item in report.evidence if item.id == quote.id), None)
    return {
        "id": quote.id,
        "url": quote.url,
        "title": quote.title,
        "quote": quote.quote,
        "section": kept.section if kept else "",
        "round": kept.round if kept else 0,
    }


def _describe_evidence(
    item: ReportedEvidence, numbers: Mapping[str, int], leads: Sequence[Lead]
) -> Document:
    """The quote with the words that answer marked in it; `numbers` are those of the citations."""
    marks = [(lead.start, lead.end) for lead in leads if lead.quote == item.id]
    return {
        "quote": item.quote,
        "blocks": describe_blocks(quote_blocks(item.quote, marks)),
        "columns": list(table_columns(item.section)),
        "url": item.url,
        "title": item.title,
        "section": item.section,
        "part": item.part_text,
        "round": item.round,
        "cited": numbers.get(item.id, 0),
        "score": round(item.score, 2),
        "dated": item.dated,
        "also": list(item.also),
        "agrees": list(item.agrees),
        "conflicts": list(item.conflicts),
    }


def _describe_parts(report: Report) -> dict[str, JsonValue]:
    """Each sub-question: how many quotes it has, and whether it is open, or its lead doubtful."""
    quotes: dict[str, int] = dict.fromkeys(report.open, 0)
    for item in report.evidence:
        quotes[item.part_text] = quotes.get(item.part_text, 0) + 1
    for lead in report.leads:  # whose quote may have been found for another sub-question
        quotes[lead.part] = quotes.get(lead.part, 0) or 1
    open, signs = frozenset(report.open), _describe_leads(report.leads)
    return {
        text: {
            "quotes": count,
            "open": text in open,
            **signs.get(text, {"doubtful": False}),
            **({"unjudged": True} if text in report.unjudged else {}),
        }
        for text, count in quotes.items()
        if text
    }


def _describe_leads(leads: Sequence[Lead]) -> dict[str, Document]:
    """By sub-question, how likely its weakest lead is right, and what that means."""
    doubtful, unlikely = doubtful_parts(leads), unlikely_parts(leads)
    rated: dict[str, float] = {}
    for lead in leads:
        if lead.confidence is not None:
            rated[lead.part] = min(lead.confidence, rated.get(lead.part, 1.0))
    return {
        lead.part: {
            "doubtful": lead.part in doubtful,
            **({"unlikely": True} if lead.part in unlikely else {}),
            **({"likely": rated[lead.part]} if lead.part in rated else {}),
        }
        for lead in leads
    }


def _describe_arm(arm: ArmReport, report: Report, number: int) -> JsonValue:
    prior = [round(value, 3) for value in arm.prior]
    shown = {**arm.model_dump(mode="json"), "alpha": round(arm.alpha, 3), "prior": prior}
    return {**shown, "beta": round(arm.beta, 3), "sign": _arm_sign(arm, report), "number": number}


def _arm_sign(arm: ArmReport, report: Report) -> str:
    """The outcome as a sign; `now` for an arm that is being visited."""
    if arm.round and not arm.outcome and report.status in ("running", "waiting"):
        return "now"
    read = {page.url for page in report.visited}
    if arm.outcome == "infeasible" and arm.url not in read:
        return "failed"
    return OUTCOMES.get(arm.outcome, "unvisited")


def read_clock(report: Report, timeline: Timeline) -> Work:
    """The run's clock: whole seconds while it runs, so that it changes once a second.

    It is rounded down, so that a run that is resumed does not seem to go back.
    """
    active, spent = report.status in ACTIVE, report.spent
    used = timeline.clock.read(Work(spent.seconds, spent.pages_fetched), running=active)
    parts = 1 if active else 10
    return Work(int(used.seconds * parts) / parts, used.pages)


def _describe_spend(report: Report, budget: Budget, timeline: Timeline) -> dict[str, JsonValue]:
    """What was used, by kind, and the limit if one is set; a fork has `taken` some seconds over."""
    now = read_clock(report, timeline)
    spent = report.spent.model_copy(update={"pages_fetched": now.pages})
    tokens = spent.tokens_in + spent.tokens_out
    pairs: dict[str, tuple[float, float | None]] = {
        "pages": (pages_used(budget, spent), budget.pages),
        **({"rounds": (spent.rounds, spent.most_rounds)} if spent.most_rounds > 1 else {}),
        "calls": (spent.model_calls, budget.calls),
        "tokens": (tokens, budget.tokens),
        "dollars": (round(spent.usd, 6), budget.usd),
        "seconds": (now.seconds, budget.seconds),
    }
    shown: dict[str, JsonValue] = {
        name: {"used": used} if limit is None else {"used": used, "limit": limit}
        for name, (used, limit) in pairs.items()
    }
    fetched: Document = {"fetched": counts_fetched(budget, spent)}
    taken: Document = {"taken": round(timeline.clock.taken_over, 1)}
    return apply_patch(shown, {"pages": fetched, "seconds": taken})
