"""Visits arms in parallel: each branch has its own copy of the state; then all are joined."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

from forager.budget import branch_budget
from forager.domain.base import Stored
from forager.domain.state import Evidence, Lesson, State, Step
from forager.errors import GraphError
from forager.evidence import ledger

Item = TypeVar("Item", Evidence, Step, Lesson)


class BranchResult(Stored):
    """What one branch adds to the state, or changes in it."""

    steps: tuple[Step, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    lessons: tuple[Lesson, ...] = ()


def _collect_results(
    old: Iterable[BranchResult], new: Iterable[BranchResult]
) -> tuple[BranchResult, ...]:
    return (*old, *new)


@dataclass(kw_only=True)
class JoiningState(State):
    """The state with the results of branches that are not joined yet. Nodes never see it."""

    found: Annotated[tuple[BranchResult, ...], _collect_results] = ()


def split_state(state: State) -> list[State]:
    """One copy of the state per drawn arm, with that arm alone and its share of the budget.

    Raises GraphError when no arm is drawn.
    """
    urls = state.draw.urls
    if not urls:
        raise GraphError("No arm is drawn to fan out on.", "Fan out on a selector's route 'arm'.")
    budget = branch_budget(state.question.budget, state.spend, len(urls))
    question = state.question.model_copy(update={"budget": budget})
    draws = [state.draw.model_copy(update={"urls": (url,)}) for url in urls]
    return [replace(state, question=question, draw=draw) for draw in draws]


def branch_result(before: State, after: State) -> BranchResult:
    """What a branch did to the steps, the ledger and the lessons that it was given."""
    return BranchResult(
        steps=_new_items(before.steps, after.steps),
        evidence=_new_items(before.evidence, after.evidence),
        lessons=_new_items(before.lessons, after.lessons),
    )


def join_branches(before: State, results: Iterable[BranchResult]) -> BranchResult:
    """All branches in one, in their order. An id that two branches gave out is replaced."""
    steps: list[Step] = []
    evidence: list[Evidence] = []
    lessons: list[Lesson] = []
    ledgers: list[list[Evidence]] = []
    for branch in results:
        renamed = _place_items(steps, branch.steps, before.steps)
        placed_steps = len(steps) - len(branch.steps)
        steps[placed_steps:] = [_with_renamed_view(step, renamed) for step in steps[placed_steps:]]
        entries = [
            item.model_copy(update={"step": renamed.get(item.step, item.step)})
            for item in branch.evidence
        ]
        own = _place_items(evidence, entries, before.evidence)
        _place_items(lessons, branch.lessons, before.lessons)
        ids = [own.get(item.id, item.id) for item in entries]
        placed = {item.id: item for item in evidence[len(evidence) - len(entries) :]}
        ledgers.append([ledger.rename_relations(placed[id], own) for id in ids])
    joined = ledger.join_ledgers(before.evidence, ledgers, before.survey.parts)
    return BranchResult(steps=tuple(steps), evidence=joined, lessons=tuple(lessons))


def _with_renamed_view(step: Step, renamed: Mapping[str, str]) -> Step:
    """The step, its action naming the new id of the step in whose view it was proposed."""
    at = renamed.get(step.action.at, step.action.at)
    return step.model_copy(update={"action": step.action.model_copy(update={"at": at})})


def _new_items(before: Iterable[Item], after: Iterable[Item]) -> tuple[Item, ...]:
    """The items that are new or changed."""
    known = {item.id: item for item in before}
    return tuple(item for item in after if known.get(item.id) != item)


def _place_items(placed: list[Item], new: Iterable[Item], before: Iterable[Item]) -> dict[str, str]:
    """Append items to `placed`, each under a free id; the new ids by the old ones."""
    known = {item.id for item in before}
    taken = known | {item.id for item in placed}
    renamed: dict[str, str] = {}
    for item in new:
        id = item.id if item.id in known else _free_id(item.id, taken)
        if id != item.id:
            renamed[item.id] = id
        taken.add(id)
        placed.append(item.model_copy(update={"id": id}))
    return renamed


def _free_id(id: str, taken: set[str]) -> str:
    """The id, or the next free one counting up its number: e3, e4 …"""
    stem, number = re.fullmatch(r"(.*?)(\d*)", id, re.DOTALL).groups()  # type: ignore[union-attr]
    count = int(number or 0)
    while id in taken:
        count += 1
        id = f"{stem}{count}"
    return id
