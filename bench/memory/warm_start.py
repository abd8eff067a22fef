"""Tests whether memory of one question helps another one on the same site.

Each turn of a conversation is asked in a new session as a self-contained question: without memory,
and with the memory of the sessions before. Only the memory connects the sessions.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from bench.memory.conversations import Conversation
from bench.memory.passes import AFRESH, FIRST, format_mean, read_end_states
from bench.questions.answer_run import ask_question_set
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


class WarmStart(NamedTuple):
    """A row, and the standing of its gold pages before the first visit.

    `counts`: pseudo-counts in the prior of the best gold page; `place`: its place among the arms;
    `chance`: probability that a gold page is drawn first; `opened`: pages opened up to the first
    gold page. None if no gold page was an arm or was opened.
    """

    row: Row
    counts: float | None
    place: int | None
    chance: float
    opened: int | None


def turn_records(conversations: Sequence[Conversation]) -> list[Record]:
    """Make a self-contained question of each turn, by the built-in rule for follow-ups."""
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


def compare_starts(
    plan: ExperimentPlan, settings: Settings, say: Say
) -> dict[str, list[WarmStart]]:
    """Ask all questions without and with memory, as a user named after `plan.out`.

    Raises UsageError, StoreError and ModelError.
    """
    gold = {
        each.id: {page_identity(key) for key in each.gold_keys(plan.sites)} for each in plan.records
    }
    found: dict[str, list[WarmStart]] = {}
    for name in WAYS:
        update = {"memory": name != AFRESH, "user": f"bench {plan.out.stem}"}
        out = plan.out.with_suffix(f".{name}.jsonl")
        say(f"{WAYS[name]}: {len(plan.records)} questions")
        rows = ask_question_set(replace(plan, out=out), settings.model_copy(update=update), say)
        ends = asyncio.run(read_end_states(rows, settings.data))
        found[name] = [
            measure_start(row, end, gold[row.id]) for row, end in zip(rows, ends, strict=True)
        ]
    return found


def measure_start(row: Row, end: State, gold: set[str]) -> WarmStart:
    """Measure where the gold pages stood in a session; its arms still have their initial priors."""
    ranked = sorted(end.arms, key=lambda arm: -arm.alpha / (arm.alpha + arm.beta))
    opened = [page_identity(step.page.url) for step in end.steps if step.page]
    place = _first_place([page_identity(arm.url) for arm in ranked], gold)
    return WarmStart(
        row=row,
        counts=ranked[place - 1].alpha - 1 if place else None,
        place=place,
        chance=first_draw_chance(ranked, gold),
        opened=_first_place(opened, gold),
    )


def first_draw_chance(arms: Sequence[Arm], gold: set[str]) -> float:
    """Estimate the probability that Thompson sampling draws one of these pages first."""
    if not arms:
        return 0.0
    alphas, betas = [arm.alpha for arm in arms], [arm.beta for arm in arms]
    drawn = np.random.default_rng(0).beta(alphas, betas, (DRAWS, len(arms))).argmax(axis=1)
    return float(np.mean([page_identity(arms[place].url) in gold for place in drawn]))


def _first_place(pages: Sequence[str], wanted: set[str]) -> int | None:
    return next((place for place, page in enumerate(pages, 1) if page in wanted), None)


def start_lines(found: Mapping[str, Sequence[WarmStart]]) -> Iterator[str]:
    """Yield start-up figures of known and unknown sites, and of turns with and without memory."""
    rows = [each.row for each in found[AFRESH]]
    yield "Pages fetched, and seconds until the first visit:"
    told = [(name, [row for row in rows if row.cold == cold]) for name, cold in SITES.items()]
    body = [
        (
            name,
            str(len(of)),
            format_mean((row.fetched for row in of), 0),
            format_mean(row.before for row in of),
        )
        for name, of in told
    ]
    yield from align_columns(("", "asked", "fetched", "seconds"), body)
    yield ""
    yield "Turns after the first of their conversation, each in a new session:"
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
    yield from align_columns(head, [_start_cells(WAYS[name], found[name]) for name in WAYS])


def _start_cells(name: str, starts: Sequence[WarmStart]) -> tuple[str, ...]:
    later = [each for each in starts if not each.row.id.endswith("/1")]
    return (
        name,
        str(len(later)),
        str(sum(each.row.whole for each in later)),
        format_mean((each.counts for each in later), 1),
        format_mean(each.place for each in later),
        format_mean(each.chance for each in later),
        format_mean(each.opened for each in later),
        format_mean(each.row.loads for each in later),
        format_mean(each.row.rounds for each in later),
    )
