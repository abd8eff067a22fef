"""The figures of the state that conditions may name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from forager.budget import pages_left, pages_used
from forager.conditions.syntax import Value
from forager.domain.experience import Outcome
from forager.domain.state import State
from forager.questions.list_intent import parse_list_intent
from forager.questions.subquestions import covered_ids, distinct_texts
from forager.text.answer_types import ANSWER_TYPES, DEFAULT, expected_types

Kind = Literal["count", "amount", "yes or no", "text"]
LIST: Final = "list"
OTHER: Final = "other"
KINDS: Final = (LIST, *(kind.name for kind in ANSWER_TYPES), OTHER)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure: what it means, the state keys it is read from, and the texts that it may be.

    A `count` is a whole number, an `amount` any number; neither is below zero.
    """

    name: str
    kind: Kind = "count"
    help: str
    keys: frozenset[str]
    read: Callable[[State], Value]
    choices: tuple[str, ...] = field(default=())


def _count(name: str, keys: str, help: str, read: Callable[[State], int]) -> Figure:
    return Figure(name=name, help=help, keys=frozenset(keys.split()), read=read)


def _covered(state: State) -> int:
    ids = set(covered_ids(state))
    return len(distinct_texts([part for part in state.survey.parts if part.id in ids]))


def _parts(state: State) -> int:
    return len(distinct_texts(state.survey.parts))


def _quotes(state: State) -> int:
    return sum(not entry.dropped for entry in state.evidence)


def _sources(state: State) -> int:
    return len({entry.passage.url for entry in state.evidence if not entry.dropped})


def _conflicts(state: State) -> int:
    return sum(bool(entry.conflicts) and not entry.dropped for entry in state.evidence)


def _question_kind(state: State) -> str:
    """What the question asks for: a list, or the surest type of answer that it names."""
    if parse_list_intent(state.asked):
        return LIST
    kinds = sorted(
        expected_types(state.asked), key=lambda kind: (kind.name == DEFAULT, -kind.worth)
    )
    return kinds[0].name if kinds else OTHER


JUDGED = "survey evidence verdict feedback"
FIGURES: Final[Mapping[str, Figure]] = {
    figure.name: figure
    for figure in (
        _count("parts", "survey", "sub-questions of the question", _parts),
        _count("covered", JUDGED, "sub-questions that quotes answer", _covered),
        _count(
            "open",
            JUDGED,
            "sub-questions that no quote answers",
            lambda state: _parts(state) - _covered(state),
        ),
        Figure(
            name="sufficient",
            kind="yes or no",
            help="whether the critic found the quotes sufficient",
            keys=frozenset({"verdict"}),
            read=lambda state: bool(state.verdict and state.verdict.sufficient),
        ),
        _count("quotes", "evidence", "quotes kept", _quotes),
        _count("sources", "evidence", "pages that the quotes come from", _sources),
        _count("conflicts", "evidence", "quotes that another quote contradicts", _conflicts),
        _count(
            "added",
            "feedback",
            "quotes that the last reading added",
            lambda state: state.feedback.added,
        ),
        _count("rounds", "draw", "rounds so far", lambda state: state.draw.round),
        _count("steps", "steps", "actions so far", lambda state: len(state.steps)),
        _count(
            "failed",
            "steps",
            "actions that failed",
            lambda state: sum(step.outcome == "failed" for step in state.steps),
        ),
        Figure(
            name="outcome",
            kind="text",
            help="the reflector's judgement of the last attempt; empty before the first",
            keys=frozenset({"lessons"}),
            read=lambda state: state.lessons[-1].outcome if state.lessons else "",
            choices=("", *get_args(Outcome)),
        ),
        _count("arms", "arms", "pages where a round may start", lambda state: len(state.arms)),
        _count(
            "mapped",
            "survey",
            "pages on the map of the sites",
            lambda state: sum(state.survey.pages.values()),
        ),
        _count(
            "sites",
            "question",
            "sites of the question; 0 for the web",
            lambda state: len(state.question.sites),
        ),
        Figure(
            name="kind",
            kind="text",
            help="what the question asks for",
            keys=frozenset({"question", "meaning"}),
            read=_question_kind,
            choices=KINDS,
        ),
        _count(
            "turn",
            "past",
            "number of the question in its session; a follow-up has 2 or more",
            lambda state: len(state.past) + 1,
        ),
        _count(
            "spent_pages",
            "question spend",
            "pages that count for the budget",
            lambda state: pages_used(state.question.budget, state.spend),
        ),
        _count(
            "left_pages",
            "question spend",
            "pages that may still be opened",
            lambda state: pages_left(state.question.budget, state.spend),
        ),
        _count("spent_calls", "spend", "model calls so far", lambda state: state.spend.model_calls),
        _count(
            "spent_tokens",
            "spend",
            "tokens in and out so far",
            lambda state: state.spend.tokens_in + state.spend.tokens_out,
        ),
        Figure(
            name="spent_usd",
            kind="amount",
            help="US dollars so far",
            keys=frozenset({"spend"}),
            read=lambda state: state.spend.usd,
        ),
    )
}
"""Seconds are not among them: a run would take other routes on another machine."""
