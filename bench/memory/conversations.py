"""Compares conversations in one session with the same turns asked alone.

Every turn is asked three times: in the conversation's session; as written, in a new session that
knows no earlier turn; and as the conversation's session interpreted it, in a new session. Only the
last can answer a follow-up without memory, so it shows how many page loads a later turn would need
if asked afresh.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import ConfigDict

from forager.domain.base import Frozen
from forager.domain.state import Question
from forager.errors import UsageError
from forager.settings import Settings
from graphs.experiments import scoring
from graphs.experiments.question_set import (
    GoldPage,
    Sites,
    allow_sites,
    load_records,
    refuse_unserved,
)
from graphs.reports.report import Report
from graphs.sessions.service import Sessions, open_sessions

Say = Callable[[str], None]
TYPE = "conversation"
WAYS: Final = {
    "right": "in the conversation",
    "alone": "as written, each alone",
    "fresh": "as read, each alone",
}


class ConversationTurn(Frozen):
    """A turn with its gold strings and the pages that contain them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    answer: tuple[str, ...] = ()
    pages: tuple[GoldPage, ...] = ()


class Conversation(Frozen):
    """A conversation: turns on the same sites."""

    id: str
    sites: tuple[str, ...]
    turns: tuple[ConversationTurn, ...]


class TurnOutcome(Frozen):
    """How a turn went in its conversation (`right`), alone as written, and alone as interpreted."""

    id: str
    number: int
    question: str
    meant: str
    right: bool
    alone: bool
    fresh: bool
    loads: int
    fresh_loads: int
    answer: str = ""


@dataclass(frozen=True, kw_only=True)
class ConversationPlan:
    """The conversations to run, with the graph and model to use."""

    conversations: Sequence[Conversation]
    sites: Sites
    graph: str
    model: str
    seed: int = 0


def read_conversations(path: Path, names: Sequence[str] = ()) -> tuple[Conversation, ...]:
    """Read the conversations of a question file, or those named. Raises UsageError."""
    kept = {record.id for record in load_records(path) if record.type == TYPE}
    lines = path.read_text(encoding="utf-8").splitlines()
    bodies = (json.loads(line) for line in lines if line.strip())
    found = [
        Conversation.model_validate(_conversation_fields(body))
        for body in bodies
        if body["id"] in kept
    ]
    found = [each for each in found if not names or each.id in names]
    if not found:
        raise UsageError(f"There are no conversations in {path}.", "Give a file that has some.")
    return tuple(found)


def _conversation_fields(body: dict[str, object]) -> dict[str, object]:
    return {name: body[name] for name in ("id", "sites", "turns")}


def run_conversations(
    plan: ConversationPlan, settings: Settings, path: Path, say: Say
) -> list[TurnOutcome]:
    """Run all conversations of a plan. Raises UsageError for a site without an address."""
    refuse_unserved(load_records(path), plan.sites)
    return asyncio.run(_run_all(plan, allow_sites(settings, plan.sites), say))


async def _run_all(plan: ConversationPlan, settings: Settings, say: Say) -> list[TurnOutcome]:
    found: list[TurnOutcome] = []
    for conversation in plan.conversations:
        async with open_sessions(settings) as sessions:
            for outcome in await _run_conversation(plan, conversation, sessions):
                found.append(outcome)
                say(_outcome_line(outcome))
    return found


async def _run_conversation(
    plan: ConversationPlan, asked: Conversation, sessions: Sessions
) -> list[TurnOutcome]:
    """Run all turns in one session, and each turn in up to two sessions of its own."""
    id = ""
    found = []
    for number, turn in enumerate(asked.turns, start=1):
        if id:
            await sessions.follow(id, turn.question)
        else:
            id = await _start_session(plan, asked, turn.question, sessions)
        report = await sessions.run(id)
        alone = await sessions.run(await _start_session(plan, asked, turn.question, sessions))
        fresh = alone
        if report.meant:
            fresh = await sessions.run(await _start_session(plan, asked, report.meant, sessions))
        found.append(
            TurnOutcome(
                id=asked.id,
                number=number,
                question=turn.question,
                meant=report.meant,
                right=_is_right(report, turn),
                alone=_is_right(alone, turn),
                fresh=_is_right(fresh, turn),
                loads=report.spent.actions,
                fresh_loads=fresh.spent.actions,
                answer=report.answer,
            )
        )
    return found


async def _start_session(
    plan: ConversationPlan, asked: Conversation, text: str, sessions: Sessions
) -> str:
    sites = tuple(plan.sites[name] for name in asked.sites)
    question = Question(text=text, sites=sites, seed=plan.seed)
    return await sessions.start(question, plan.graph, plan.model)


def _is_right(report: Report, turn: ConversationTurn) -> bool:
    if not turn.answer:
        return report.status == "abstained"
    return bool(report.citations) and not scoring.missing_gold(
        report.answer, turn.answer, whole=True
    )


def _outcome_line(one: TurnOutcome) -> str:
    marks = "".join("+" if each else "-" for each in (one.right, one.alone, one.fresh))
    read = f" → {one.meant}" if one.meant else ""
    return f"{marks} {one.id}/{one.number} loads {one.loads}/{one.fresh_loads} {one.question}{read}"


def accuracy_lines(found: Sequence[TurnOutcome]) -> list[str]:
    """Return the accuracy of the three ways and the page loads of later turns."""
    later = [each for each in found if each.number > 1]
    loads = sum(each.loads for each in later)
    fresh = sum(each.fresh_loads for each in later)
    share = f"{loads / fresh:.2f}" if fresh else "-"
    return [
        f"{len(found)} turns of {len({each.id for each in found})} conversations; "
        "right: the cited answer has all their gold strings, as whole words",
        *(
            f"{label:24} {_format_share(found, name)}, later turns {_format_share(later, name)}"
            for name, label in WAYS.items()
        ),
        f"page loads of later turns: {loads} in the conversation, {fresh} asked afresh as read; "
        f"{share} of them",
    ]


def _format_share(found: Sequence[TurnOutcome], name: str) -> str:
    right = sum(bool(getattr(each, name)) for each in found)
    return f"{right / (len(found) or 1):.2f} ({right}/{len(found)})"
