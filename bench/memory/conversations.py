"""Conversations asked turn by turn in one session, beside the same turns each on its own.

Every turn is asked three times over: in the conversation's session; as it is written, in a session
of its own, which knows of no turn before; and as the conversation's session read it, in a session
of its own. Only the last can answer without memory what a follow-up asks, and so says what
page loads a later turn would need if it were asked afresh.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

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


class Asked(Frozen):
    """A turn, its gold strings, and the pages that hold them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    answer: tuple[str, ...] = ()
    pages: tuple[GoldPage, ...] = ()


class Conversation(Frozen):
    """Turns on the same sites."""

    id: str
    sites: tuple[str, ...]
    turns: tuple[Asked, ...]


class Outcome(Frozen):
    """How a turn went: in its conversation, alone as written, and alone as read."""

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
class Plan:
    """What is asked, with which graph and model."""

    conversations: Sequence[Conversation]
    sites: Sites
    graph: str
    model: str
    seed: int = 0


def read(path: Path, names: Sequence[str] = ()) -> tuple[Conversation, ...]:
    """The conversations of a question file, or those named. Raises UsageError."""
    kept = {record.id for record in load_records(path) if record.type == TYPE}
    lines = path.read_text(encoding="utf-8").splitlines()
    bodies = (json.loads(line) for line in lines if line.strip())
    found = [Conversation.model_validate(_plain(body)) for body in bodies if body["id"] in kept]
    found = [each for each in found if not names or each.id in names]
    if not found:
        raise UsageError(f"There are no conversations in {path}.", "Name a file that has some.")
    return tuple(found)


def _plain(body: dict[str, object]) -> dict[str, object]:
    return {name: body[name] for name in ("id", "sites", "turns")}


def run(plan: Plan, settings: Settings, path: Path, say: Say) -> list[Outcome]:
    """Ask all of them; raises UsageError for a site without an address."""
    refuse_unserved(load_records(path), plan.sites)
    return asyncio.run(_run(plan, allow_sites(settings, plan.sites), say))


async def _run(plan: Plan, settings: Settings, say: Say) -> list[Outcome]:
    found: list[Outcome] = []
    for conversation in plan.conversations:
        async with open_sessions(settings) as sessions:
            for outcome in await _converse(plan, conversation, sessions):
                found.append(outcome)
                say(_line(outcome))
    return found


async def _converse(plan: Plan, asked: Conversation, sessions: Sessions) -> list[Outcome]:
    """One session for all turns, and for each two of its own."""
    id = ""
    found = []
    for number, turn in enumerate(asked.turns, start=1):
        if id:
            await sessions.follow(id, turn.question)
        else:
            id = await _started(plan, asked, turn.question, sessions)
        report = await sessions.run(id)
        alone = await sessions.run(await _started(plan, asked, turn.question, sessions))
        fresh = alone
        if report.meant:
            fresh = await sessions.run(await _started(plan, asked, report.meant, sessions))
        found.append(
            Outcome(
                id=asked.id,
                number=number,
                question=turn.question,
                meant=report.meant,
                right=_right(report, turn),
                alone=_right(alone, turn),
                fresh=_right(fresh, turn),
                loads=report.spent.actions,
                fresh_loads=fresh.spent.actions,
                answer=report.answer,
            )
        )
    return found


async def _started(plan: Plan, asked: Conversation, text: str, sessions: Sessions) -> str:
    sites = tuple(plan.sites[name] for name in asked.sites)
    question = Question(text=text, sites=sites, seed=plan.seed)
    return await sessions.start(question, plan.graph, plan.model)


def _right(report: Report, turn: Asked) -> bool:
    if not turn.answer:
        return report.status == "abstained"
    return bool(report.citations) and not scoring.missing_gold(
        report.answer, turn.answer, whole=True
    )


def _line(one: Outcome) -> str:
    marks = "".join("+" if each else "-" for each in (one.right, one.alone, one.fresh))
    read = f" → {one.meant}" if one.meant else ""
    return f"{marks} {one.id}/{one.number} loads {one.loads}/{one.fresh_loads} {one.question}{read}"


def lines(found: Sequence[Outcome]) -> list[str]:
    """Accuracy of both ways, and the loads of later turns."""
    later = [each for each in found if each.number > 1]
    loads = sum(each.loads for each in later)
    fresh = sum(each.fresh_loads for each in later)
    share = f"{loads / fresh:.2f}" if fresh else "-"
    return [
        f"{len(found)} turns of {len({each.id for each in found})} conversations; "
        "right: the cited answer has all their gold strings, as whole words",
        f"in the conversation      {_share(found, 'right')}, later turns {_share(later, 'right')}",
        f"as written, each alone   {_share(found, 'alone')}, later turns {_share(later, 'alone')}",
        f"as read, each alone      {_share(found, 'fresh')}, later turns {_share(later, 'fresh')}",
        f"page loads of later turns: {loads} in the conversation, {fresh} asked afresh as read; "
        f"{share} of them",
    ]


def _share(found: Sequence[Outcome], name: str) -> str:
    right = sum(bool(getattr(each, name)) for each in found)
    return f"{right / (len(found) or 1):.2f} ({right}/{len(found)})"
