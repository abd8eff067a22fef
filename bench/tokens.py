"""How many tokens the prompts of a run take, per role, section, step and question."""

import asyncio
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from bench.prompts import Prompted, counting
from forager.budget import ModelCall
from forager.domain.state import Question
from forager.settings import Settings
from graphs.experiments.experiment import PlacedCall, place_calls
from graphs.experiments.question_set import Record, Sites, allow_sites, refuse_unserved
from graphs.experiments.scoring import ratio
from graphs.experiments.text_table import NOTHING, align_columns, format_percent
from graphs.sessions.service import Event, Sessions, open_sessions
from graphs.spec.library import open_library
from graphs.spec.spec import GraphSpec

Say = Callable[[str], None]
WALKING = ("navigator", "extractor", "aggregator", "critic")
"""The roles that are asked in every step."""
MOST = 0.9
LAST_STEP = 10
LEGEND = """\
prompt tokens of one call: median, p90 (at most so many in nine of ten) and most
fixed     the system message, the same in every call of a role, which provider caches keep
out       tokens of the replies, median; cached: share of the prompts that the provider had
sections  as a prompt is written for the model, fence and title included; estimated
step      pages that the round had tried when the navigator was asked; all: the tokens that
          navigator, extractor, aggregator and critic are sent in such a step, median
question  prompt tokens of all its calls"""
ESTIMATED = "Nothing was sent: the tokens are estimated, the replies are the built-in rules'."


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is asked, with which graph and models."""

    records: Sequence[Record]
    sites: Sites
    graph: str
    model: str
    seed: int


@dataclass(frozen=True)
class Measured:
    """The calls of each question, and all prompts as they were written."""

    questions: Sequence[Sequence[PlacedCall]]
    prompts: Sequence[Prompted]


def run(plan: Plan, settings: Settings, say: Say) -> Measured:
    """Ask everything. Raises UsageError and StoreError; a question that fails is told."""
    refuse_unserved(plan.records, plan.sites)
    return asyncio.run(_run(plan, allow_sites(settings, plan.sites), say))


async def _run(plan: Plan, settings: Settings, say: Say) -> Measured:
    spec = open_library(settings).resolve(plan.graph)
    prompts: list[Prompted] = []
    questions: list[list[PlacedCall]] = []
    async with open_sessions(settings, counting(prompts)) as sessions:
        for number, record in enumerate(plan.records, 1):
            events, told = await _ask(plan, sessions, spec, record)
            calls = place_calls(events)
            tokens = sum(one.call.tokens_in for one in calls)
            say(f"{number}/{len(plan.records)} {record.id}: {told}, {len(calls)} calls, {tokens:,}")
            questions.append(calls)
    return Measured(questions, prompts)


async def _ask(
    plan: Plan, sessions: Sessions, spec: GraphSpec, record: Record
) -> tuple[list[Event], str]:
    """The events of a question's run, and how it ended."""
    question = Question(
        text=record.question,
        sites=tuple(plan.sites[name] for name in record.sites),
        seed=plan.seed,
    )
    events: list[Event] = []
    id = await sessions.start(question, spec, plan.model)
    report = await sessions.run(id, events.append)
    return events, f"{report.status} {report.error}".strip()


def lines(found: Measured, *, estimated: bool) -> list[str]:
    """The tables, and how to read them."""
    calls = [one for question in found.questions for one in question]
    totals = [sum(one.call.tokens_in for one in question) for question in found.questions]
    counts = [len(question) for question in found.questions]
    return [
        *_roles([one.call for one in calls], found.prompts),
        "",
        *_sections(found.prompts),
        "",
        *_steps(found.questions),
        "",
        *align_columns(
            ("per question", "n", "median", "p90", "max"),
            [("prompt tokens", *_spread(totals)), ("calls", *_spread(counts))],
        ),
        "",
        *LEGEND.splitlines(),
        *([ESTIMATED] if estimated else []),
    ]


def _roles(calls: Sequence[ModelCall], prompts: Iterable[Prompted]) -> list[str]:
    fixed = {one.role: one.fixed for one in prompts}
    head = ("role", "n", "median", "p90", "max", "fixed", "out", "cached %")
    body = []
    for role in dict.fromkeys(call.role for call in calls):
        own = [call for call in calls if call.role == role]
        sent, out = [call.tokens_in for call in own], [call.tokens_out for call in own]
        cached = ratio(sum(call.tokens_cached for call in own), sum(out) and sum(sent))
        told = f"{statistics.median(out):,.0f}" if any(out) else NOTHING
        body.append((role, *_spread(sent), f"{fixed.get(role, 0):,}", told, format_percent(cached)))
    return align_columns(head, body)


def _sections(prompts: Iterable[Prompted]) -> list[str]:
    sizes: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for prompt in prompts:
        for title, tokens in prompt.sections.items():
            sizes[prompt.role, title].append(tokens)
    body = [(role, title, *_spread(tokens)) for (role, title), tokens in sizes.items()]
    return align_columns(("role", "section", "n", "median", "p90", "max"), body, texts=2)


def _steps(questions: Iterable[Sequence[PlacedCall]]) -> list[str]:
    asked: defaultdict[int, list[int]] = defaultdict(list)
    whole: defaultdict[int, list[int]] = defaultdict(list)
    for question in questions:
        walked: defaultdict[tuple[int, int], list[ModelCall]] = defaultdict(list)
        for call, round, step in question:
            if call.role in WALKING:
                walked[round, min(step, LAST_STEP)].append(call)
        for (_, step), calls in walked.items():
            asked[step] += [call.tokens_in for call in calls if call.role == WALKING[0]]
            whole[step].append(sum(call.tokens_in for call in calls))
    body = [
        (f"{step}{'+' * (step == LAST_STEP)}", *_spread(asked[step]), _spread(whole[step])[1])
        for step in sorted(whole)
    ]
    return align_columns(("step", "navigator n", "median", "p90", "max", "all"), body)


def _spread(values: Sequence[int]) -> tuple[str, str, str, str]:
    """How many, their median, what nine of ten do not exceed, and the most."""
    if not values:
        return ("0", NOTHING, NOTHING, NOTHING)
    ordered = sorted(values)
    most = ordered[ceil(MOST * len(ordered)) - 1]
    return (
        str(len(ordered)),
        f"{statistics.median(ordered):,.0f}",
        f"{most:,}",
        f"{ordered[-1]:,}",
    )
