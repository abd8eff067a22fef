"""Tokens of the prompts of a run, per role, section, step and question."""

import asyncio
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from bench.questions.prompt_meter import PromptSize, meter_prompts
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
STEP_ROLES = ("navigator", "extractor", "aggregator", "critic")
"""The roles that are asked in every step."""
MOST = 0.9
LAST_STEP = 10
LEGEND = """\
prompt tokens of one call: median, 90th percentile and maximum
fixed     the system message, the same in every call of a role, so that providers can cache it
out       median tokens of the replies; cached: share of prompt tokens that the provider had cached
sections  estimated tokens of a section as written in the prompt, with fence and title
step      pages that the round had tried when the navigator was asked; all: median of the tokens
          sent to navigator, extractor, aggregator and critic together in such a step
question  prompt tokens of all its calls"""
ESTIMATED = "Nothing was sent: tokens are estimated, and replies come from the built-in rules."


@dataclass(frozen=True, kw_only=True)
class TokenPlan:
    """The questions to ask, with the graph and the models to use."""

    records: Sequence[Record]
    sites: Sites
    graph: str
    model: str
    seed: int


@dataclass(frozen=True)
class TokenUse:
    """The calls of each question, and the sizes of all prompts."""

    questions: Sequence[Sequence[PlacedCall]]
    prompts: Sequence[PromptSize]


def measure_tokens(plan: TokenPlan, settings: Settings, say: Say) -> TokenUse:
    """Ask all questions; failures are reported to `say`. Raises UsageError and StoreError."""
    refuse_unserved(plan.records, plan.sites)
    return asyncio.run(_ask_all(plan, allow_sites(settings, plan.sites), say))


async def _ask_all(plan: TokenPlan, settings: Settings, say: Say) -> TokenUse:
    spec = open_library(settings).resolve(plan.graph)
    prompts: list[PromptSize] = []
    questions: list[list[PlacedCall]] = []
    async with open_sessions(settings, meter_prompts(prompts)) as sessions:
        for number, record in enumerate(plan.records, 1):
            events, told = await _ask_question(plan, sessions, spec, record)
            calls = place_calls(events)
            tokens = sum(one.call.tokens_in for one in calls)
            say(f"{number}/{len(plan.records)} {record.id}: {told}, {len(calls)} calls, {tokens:,}")
            questions.append(calls)
    return TokenUse(questions, prompts)


async def _ask_question(
    plan: TokenPlan, sessions: Sessions, spec: GraphSpec, record: Record
) -> tuple[list[Event], str]:
    """Run one question; return its events and its status."""
    question = Question(
        text=record.question,
        sites=tuple(plan.sites[name] for name in record.sites),
        seed=plan.seed,
    )
    events: list[Event] = []
    id = await sessions.start(question, spec, plan.model)
    report = await sessions.run(id, events.append)
    return events, f"{report.status} {report.error}".strip()


def token_lines(found: TokenUse, *, estimated: bool) -> list[str]:
    """Return the tables and their legend."""
    calls = [one for question in found.questions for one in question]
    totals = [sum(one.call.tokens_in for one in question) for question in found.questions]
    counts = [len(question) for question in found.questions]
    return [
        *_role_lines([one.call for one in calls], found.prompts),
        "",
        *_section_lines(found.prompts),
        "",
        *_step_lines(found.questions),
        "",
        *align_columns(
            ("per question", "n", "median", "p90", "max"),
            [("prompt tokens", *_spread_cells(totals)), ("calls", *_spread_cells(counts))],
        ),
        "",
        *LEGEND.splitlines(),
        *([ESTIMATED] if estimated else []),
    ]


def _role_lines(calls: Sequence[ModelCall], prompts: Iterable[PromptSize]) -> list[str]:
    fixed = {one.role: one.fixed for one in prompts}
    head = ("role", "n", "median", "p90", "max", "fixed", "out", "cached %")
    body = []
    for role in dict.fromkeys(call.role for call in calls):
        own = [call for call in calls if call.role == role]
        sent, out = [call.tokens_in for call in own], [call.tokens_out for call in own]
        cached = ratio(sum(call.tokens_cached for call in own), sum(out) and sum(sent))
        told = f"{statistics.median(out):,.0f}" if any(out) else NOTHING
        body.append(
            (role, *_spread_cells(sent), f"{fixed.get(role, 0):,}", told, format_percent(cached))
        )
    return align_columns(head, body)


def _section_lines(prompts: Iterable[PromptSize]) -> list[str]:
    sizes: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for prompt in prompts:
        for title, tokens in prompt.sections.items():
            sizes[prompt.role, title].append(tokens)
    body = [(role, title, *_spread_cells(tokens)) for (role, title), tokens in sizes.items()]
    return align_columns(("role", "section", "n", "median", "p90", "max"), body, texts=2)


def _step_lines(questions: Iterable[Sequence[PlacedCall]]) -> list[str]:
    asked: defaultdict[int, list[int]] = defaultdict(list)
    whole: defaultdict[int, list[int]] = defaultdict(list)
    for question in questions:
        walked: defaultdict[tuple[int, int], list[ModelCall]] = defaultdict(list)
        for call, round, step in question:
            if call.role in STEP_ROLES:
                walked[round, min(step, LAST_STEP)].append(call)
        for (_, step), calls in walked.items():
            asked[step] += [call.tokens_in for call in calls if call.role == STEP_ROLES[0]]
            whole[step].append(sum(call.tokens_in for call in calls))
    body = [
        (
            f"{step}{'+' * (step == LAST_STEP)}",
            *_spread_cells(asked[step]),
            _spread_cells(whole[step])[1],
        )
        for step in sorted(whole)
    ]
    return align_columns(("step", "navigator n", "median", "p90", "max", "all"), body)


def _spread_cells(values: Sequence[int]) -> tuple[str, str, str, str]:
    """Format count, median, 90th percentile and maximum."""
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
