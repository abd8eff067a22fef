"""Does what one question taught help another one on the same site?

The turns of conversations are asked in sessions of their own, in words that stand alone: without
memory, and with the memory of the sessions before. Nothing but the memory joins them.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from bench.answer import run
from bench.remembering.conversations import Conversation
from bench.remembering.passes import AFRESH, FIRST, mean, states
from forager.domain.state import Arm, State
from forager.domain.urls import page_identity
from forager.offline.interpreter import resolve_followup
from forager.questions.followups import Exchange
from forager.settings import Settings
from graphs.experiments.experiment import ExperimentPlan, Say
from graphs.experiments.question_set import Record
from graphs.experiments.result_rows import Row
from graphs.experiments.text_table import align_columns

TYPE: Final = "turn"
DRAWS: Final = 4000
WAYS: Final = {AFRESH: "without memory", FIRST: "with memory"}
SITES: Final = {"unknown site": True, "known site": False}


class Start(NamedTuple):
    """A row, and how its gold pages stood before the first visit.

    `counts` are the pseudo-counts for the best of them in its prior, `place` is that of it among
    the arms, `chance` that one of them is drawn first, `opened` the number of pages opened up to
    the first of them; None where it never was, or was no arm.
    """

    row: Row
    counts: float | None
    place: int | None
    chance: float
    opened: int | None


def records(conversations: Sequence[Conversation]) -> list[Record]:
    """A question for each turn, as the built-in rule reads it."""
    found: list[Record] = []
    for each in conversations:
        earlier: list[Exchange] = []
        for number, turn in enumerate(each.turns, start=1):
            read = resolve_followup(turn.question, earlier)
            earlier.append(Exchange(question=read.text, context=read.context))
            found.append(
                Record(
                    id=f"{each.id}/{number}",
                    type=TYPE,
                    sites=each.sites,
                    question=read.text,
                    answer=turn.answer,
                    pages=turn.pages,
                )
            )
    return found


def warmed(plan: ExperimentPlan, settings: Settings, say: Say) -> dict[str, list[Start]]:
    """All questions in both ways. The memory is that of a user of its own, named after `plan.out`.

    Raises UsageError, StoreError and ModelError.
    """
    gold = {
        each.id: {page_identity(key) for key in each.gold_keys(plan.sites)} for each in plan.records
    }
    found: dict[str, list[Start]] = {}
    for name in WAYS:
        update = {"memory": name != AFRESH, "user": f"bench {plan.out.stem}"}
        out = plan.out.with_suffix(f".{name}.jsonl")
        say(f"{WAYS[name]}: {len(plan.records)} questions")
        rows = run(replace(plan, out=out), settings.model_copy(update=update), say)
        ends = asyncio.run(states(rows, settings.data))
        found[name] = [start(row, end, gold[row.id]) for row, end in zip(rows, ends, strict=True)]
    return found


def start(row: Row, end: State, gold: set[str]) -> Start:
    """How the gold pages stood in a session, whose arms keep the priors that they began with."""
    ranked = sorted(end.arms, key=lambda arm: -arm.alpha / (arm.alpha + arm.beta))
    opened = [page_identity(step.page.url) for step in end.steps if step.page]
    place = _first([page_identity(arm.url) for arm in ranked], gold)
    return Start(
        row=row,
        counts=ranked[place - 1].alpha - 1 if place else None,
        place=place,
        chance=chance(ranked, gold),
        opened=_first(opened, gold),
    )


def chance(arms: Sequence[Arm], gold: set[str]) -> float:
    """How often Thompson sampling draws one of these pages before all others."""
    if not arms:
        return 0.0
    alphas, betas = [arm.alpha for arm in arms], [arm.beta for arm in arms]
    drawn = np.random.default_rng(0).beta(alphas, betas, (DRAWS, len(arms))).argmax(axis=1)
    return float(np.mean([page_identity(arms[place].url) in gold for place in drawn]))


def _first(pages: Sequence[str], wanted: set[str]) -> int | None:
    return next((place for place, page in enumerate(pages, 1) if page in wanted), None)


def lines(found: Mapping[str, Sequence[Start]]) -> Iterator[str]:
    """How a site starts that is known, and what the memory of the turns before is worth."""
    rows = [each.row for each in found[AFRESH]]
    yield "Pages fetched in all, and seconds to the first visit:"
    told = [(name, [row for row in rows if row.cold == cold]) for name, cold in SITES.items()]
    body = [
        (name, str(len(of)), mean((row.fetched for row in of), 0), mean(row.before for row in of))
        for name, of in told
    ]
    yield from align_columns(("", "asked", "fetched", "seconds"), body)
    yield ""
    yield "Turns after the first of their conversation, each in a session of its own:"
    head = (
        "",
        "asked",
        "right",
        "counts",
        "place",
        "drawn first",
        "opened to gold",
        "loads",
        "rounds",
    )
    yield from align_columns(head, [_line(WAYS[name], found[name]) for name in WAYS])


def _line(name: str, starts: Sequence[Start]) -> tuple[str, ...]:
    later = [each for each in starts if not each.row.id.endswith("/1")]
    return (
        name,
        str(len(later)),
        str(sum(each.row.whole for each in later)),
        mean((each.counts for each in later), 1),
        mean(each.place for each in later),
        mean(each.chance for each in later),
        mean(each.opened for each in later),
        mean(each.row.loads for each in later),
        mean(each.row.rounds for each in later),
    )
