"""Reads the state of a session from its checkpoints, unfinished work included."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.types import Overwrite

from forager.adapters.models.offline_model import OfflineModel
from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.budget import subtract_spend
from forager.domain.spend import Spend
from forager.domain.state import Page, Question, State, Turn, Update, merge
from forager.domain.survey import TermStatistics
from forager.node_type import Registry
from forager.ports import Ports, Vectors
from graphs.reports.events import Emit
from graphs.runtime.branches import BranchResult, branch_result, join_branches
from graphs.runtime.graph_nodes import NodeFunction, bind_node
from graphs.runtime.metering import SpendAccount, meter_node
from graphs.runtime.steers import find_surveyor
from graphs.spec.resolved_graph import KEYS_MERGED
from graphs.spec.spec import GraphSpec, NodeSpec

STATE_KEYS = frozenset(field.name for field in fields(State))
READ_OF_MAPS: Final = 4
"""Pages that are read of the maps that a survey left; they are stored, so none is fetched.

Their words alone are compared: a stop is not to take long.
"""
READER: Final = "extractor"
NO_SECONDS: Final = 0.001
"""A budget that leaves a survey no time to fetch, so that it takes maps as they are."""


async def read_state(
    checkpoints: Checkpoints, id: str, question: Question, past: tuple[Turn, ...] = ()
) -> State:
    """The newest state of the thread `id`, with what its last super-step wrote but did not finish.

    Without any checkpoint, a state with the question and the past turns.
    """
    last = await _last_checkpoint(checkpoints, id, "")
    if last is None:
        return State(question=question, past=past)
    before = _checkpoint_state(last, question)
    state = _with_pending_writes(before, last)
    within = await _unfinished_branches(checkpoints, id, last, state)
    branched = [*_waiting_results(last), *(branch_result(state, one) for one in within)]
    if not branched:
        return state
    spend = sum((subtract_spend(one.spend, before.spend) for one in within), state.spend)
    return _merge_values(replace(state, spend=spend), dict(join_branches(state, branched)))


async def _unfinished_branches(
    checkpoints: Checkpoints, id: str, last: CheckpointTuple, before: State
) -> list[State]:
    """The states of the branches that the last super-step began and did not finish."""
    done = {task for task, key, _ in last.pending_writes or () if key in STATE_KEYS | {"found"}}
    states: list[State] = []
    for place in await checkpoints.list_namespaces(id):
        found = await _last_checkpoint(checkpoints, id, place) if place else None
        if found is None or found.metadata.get("parents", {}).get("") != last.checkpoint["id"]:
            continue
        if place.partition("|")[0].rpartition(":")[2] not in done:
            states.append(_with_pending_writes(_checkpoint_state(found, before.question), found))
    order = {url: place for place, url in enumerate(before.draw.urls)}
    return sorted(states, key=lambda state: [order.get(url, -1) for url in state.draw.urls])


async def _last_checkpoint(checkpoints: Checkpoints, id: str, place: str) -> CheckpointTuple | None:
    return await checkpoints.aget_tuple({"configurable": {"thread_id": id, "checkpoint_ns": place}})


def _checkpoint_state(found: CheckpointTuple, question: Question) -> State:
    values = found.checkpoint["channel_values"]
    kept: dict[str, Any] = {key: values[key] for key in STATE_KEYS & values.keys()}
    return State(**{"question": question, **kept})


def _with_pending_writes(state: State, found: CheckpointTuple) -> State:
    """With what nodes of an unfinished super-step have written."""
    for _, key, value in found.pending_writes or ():
        state = _merge_values(state, {key: value})
        if key == "spend":
            state = replace(state, spend=state.spend + value)
    return state


def _merge_values(state: State, values: dict[str, Any]) -> State:
    """Merge values by id. Merging a value twice counts and keeps nothing twice."""
    kept: dict[str, Any] = {
        key: merge(getattr(state, key), values[key]) for key in KEYS_MERGED & values.keys()
    }
    return replace(state, **kept)


def _waiting_results(found: CheckpointTuple) -> list[BranchResult]:
    """The results of finished branches that are not joined yet."""
    items = list(found.checkpoint["channel_values"].get("found", ()))
    for _, key, value in found.pending_writes or ():
        if key == "found" and isinstance(value, Overwrite):
            return list(value.value)
        if key == "found":
            items += value
    return items


class Words:
    """The Embedder port of a run that is to end soon: words alone are compared."""

    available = False
    rater = None
    matcher = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors that say nothing."""
        return np.zeros((len(texts), 1), np.float32)


WORDS: Final = Words()


@dataclass(kw_only=True)
class LeftWork:
    """What the nodes of a stopped run left: it enters the ledger by rule, without a page load.

    `ports` ask no model; `state` is the latest, also where the work is cancelled.
    """

    spec: GraphSpec
    registry: Registry
    ports: Ports
    emit: Emit
    account: SpendAccount
    state: State

    async def take_in_reading(self, waiting: Iterable[str]) -> None:
        """Take the passages that were read into the ledger; `waiting` are the nodes next."""
        for name in waiting:
            if self.state.reading and self._edits(name):
                await self._do(name, self._bind(self.spec.nodes[name]))

    async def take_in_maps(self) -> None:
        """Take in passages of the best pages mapped by a survey that did not end.

        Raises WebError and StoreError.
        """
        surveyor = find_surveyor(self.spec, self.registry, self.ports)
        editor = next(filter(self._edits, self.spec.nodes), None)
        asked = self.state.question
        if self.state.survey.parts or not asked.sites or surveyor is None or editor is None:
            return
        name, survey = surveyor
        self.ports.web.hurry(asked.text)

        async def survey_maps(late: State) -> Update:
            known = self.ports.web.term_statistics
            mapped = [
                site for site in asked.sites if await known(site, asked.text) != TermStatistics()
            ]
            only = late.question.model_copy(update={"sites": tuple(mapped)})
            return await survey(replace(late, question=only)) if mapped else {}

        late = asked.budget.model_copy(update={"seconds": NO_SECONDS})
        await self._do(name, survey_maps, question=asked.model_copy(update={"budget": late}))
        if not self.state.survey.parts:
            return
        pages = tuple(
            Page(url=arm.url, title=arm.title, site=arm.site, blob=arm.blob)
            for arm in sorted(self.state.arms, key=lambda arm: -arm.score)
            if arm.blob
        )
        recall = self.state.recall.model_copy(update={"pages": pages[:READ_OF_MAPS]})
        reader = NodeSpec(type=READER, params={"pages": "recalled"})
        own = (each for each, node in self.spec.nodes.items() if node.type == READER)
        self.state = replace(self.state, recall=recall)
        by_words = replace(self.ports, model=OfflineModel(WORDS), embedder=WORDS)
        await self._do(next(own, name), bind_node(self.registry[READER], reader, by_words))
        await self._do(editor, self._bind(self.spec.nodes[editor]))

    def _edits(self, name: str) -> bool:
        kind = self.registry.get(self.spec.nodes[name].type)
        return kind is not None and "reading" in kind.reads and "evidence" in kind.writes

    def _bind(self, node: NodeSpec) -> NodeFunction:
        return bind_node(self.registry[node.type], node, self.ports)

    async def _do(self, name: str, work: NodeFunction, question: Question | None = None) -> None:
        """One more piece of work, in the name of a node of the graph."""
        shown = replace(self.state, question=question or self.state.question)
        update: dict[str, Any] = await meter_node(name, work, self.emit, self.account)(shown)
        spend: Spend = self.state.spend + update.pop("spend")
        merged = _merge_values(self.state, update)
        own = {key: value for key, value in update.items() if key not in KEYS_MERGED}
        self.state = replace(merged, spend=spend, **own)
