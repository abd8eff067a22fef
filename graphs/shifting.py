"""A thread is put where it goes on in another graph. What its nodes have found stays."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from langchain_core.runnables import RunnableConfig
from langgraph.types import Send

from forager.adapters.store.checkpoints.pending_writes import Places
from graphs.history import SENDS, TO
from graphs.moving import Move, move
from graphs.runtime.compile import Graph, Hooks, compile, joint_name, langgraph_name
from graphs.runtime.position import STATE, Chain, Spot, chains, refuse_strange, standing
from graphs.spec.node_type import Registry
from graphs.spec.resolved_graph import view
from graphs.spec.spec import GraphSpec

OWN = frozenset({"question", "past", "state_version", "found"})
"""Keys that stay what they are outside when a graph inside is left."""


class Graphs(NamedTuple):
    """The graph that is left, the one where a thread goes on, and the types of their nodes."""

    old: GraphSpec
    new: GraphSpec
    registry: Registry


async def move_at(
    places: Places, thread: str, at: str, graphs: Graphs, mapping: Mapping[str, str]
) -> Move:
    """Where a thread that stands at a checkpoint would go on in another graph.

    Raises SessionError and GraphError where it cannot be read, or the new graph has faults.
    """
    found = await _chains(places, thread, at, graphs)
    return move(graphs.old, graphs.new, found, mapping, graphs.registry)


async def shift(places: Places, thread: str, graphs: Graphs, mapping: Mapping[str, str]) -> Move:
    """Put a thread's newest checkpoint where it goes on in another graph.

    Raises SessionError and GraphError where it cannot.
    """
    shifting = Shifting(places, thread, graphs)
    found = await shifting.stands()
    if any(not chain[0].taken for chain in found):
        await shifting.take_over()
        found = await shifting.stands()
    plan = move(graphs.old, graphs.new, found, mapping, graphs.registry)
    plan.refuse()
    if not found:
        return plan
    for chain in found:
        await shifting.inside(chain, plan.target(chain[-1].path), mapping)
    place, to = found[0][0], plan.target(found[0][-1].path)[0]
    if to != place.path[0]:
        await shifting.outside(place.path[0], to, found[0])
    elif place.path[0] in mapping and not place.inner:
        await places.forget_written(thread)
    return plan


class Shifting:
    """The steps of it."""

    def __init__(self, places: Places, thread: str, graphs: Graphs) -> None:
        self.places = places
        self.thread = thread
        self.graphs = graphs

    async def stands(self) -> tuple[Chain, ...]:
        """Where the thread stands."""
        row = (await self.places.rows(self.thread))[-1]
        return await _chains(self.places, self.thread, row.id, self.graphs)

    async def take_over(self) -> None:
        """Take over the results of a step that has ended, as the run would do first."""
        graph = self._skeleton(self.graphs.old)
        where: RunnableConfig = {"configurable": {"thread_id": self.thread}}
        await graph.ainvoke(None, where, durability="sync", interrupt_after="*")

    async def inside(self, chain: Chain, to: tuple[str, ...], mapping: Mapping[str, str]) -> None:
        """Put what stands inside a graph elsewhere in it, or leave that graph."""
        place, depth = chain[-1], len(to)
        if depth < len(chain):
            if not chain[depth - 1].many:
                await self._hand_out(place.branch, chain[depth - 1].branch)
            await self.places.forget(self.thread, chain[depth].branch)
            if not chain[depth - 1].many:
                await self.places.forget_written(self.thread, chain[depth - 1].branch)
        at = chain[depth - 1]
        name = at.path[depth - 1]
        if depth == 1:
            return
        if name != to[-1]:
            await self._turn(at.branch, name, to[-1], taken=at.taken)
        elif "/".join(place.path) in mapping and at.taken and not at.inner:
            await self.places.forget_written(self.thread, at.branch)

    async def outside(self, name: str, to: str, chain: Chain) -> None:
        """Let another node of the outermost graph run next; walks that are under way go on."""
        before = await self._tasks(self.graphs.old)
        await self._turn("", name, to, taken=True)
        if not (chain[0].many or len(chain) > 1):
            return
        after = await self._tasks(self.graphs.new)
        tasks = dict(zip(before, after, strict=True))
        old, new = langgraph_name(name), langgraph_name(to)
        begun = await self.places.branches(self.thread)
        names = {f"{old}:{task}": f"{new}:{other}" for task, other in tasks.items()}
        await self.places.rename_tasks(self.thread, tasks)
        await self.places.rename(
            self.thread, {each: names[each] for each in begun if each in names}
        )

    async def _tasks(self, spec: GraphSpec) -> list[str]:
        """The ids of the tasks that run next, in their order."""
        snapshot = await self._skeleton(spec).aget_state(
            {"configurable": {"thread_id": self.thread}}
        )
        return [task.id for task in snapshot.tasks]

    def _skeleton(self, spec: GraphSpec) -> Graph:
        """A graph that knows where a thread stands, and runs nothing."""
        hooks = Hooks(checkpointer=self.places.checkpoints)
        return compile(spec, None, self.graphs.registry, hooks)

    async def _turn(self, branch: str, name: str, to: str, *, taken: bool) -> None:
        """Let another node run next in a branch."""
        pairs = {langgraph_name(name): langgraph_name(to), joint_name(name): joint_name(to)}
        channels = {f"{TO}{old}": f"{TO}{new}" for old, new in pairs.items()}
        row = (await self.places.rows(self.thread, branch))[-1]
        await self.places.rename_written(self.thread, row.id, channels, branch)
        if not taken:
            return
        versions = row.checkpoint["channel_versions"]
        own = {each: versions[each] for each in (*channels, SENDS) if each in versions}
        values = await self.places.values(self.thread, own, branch)
        laid: dict[str, Any] = {new: values[old] for old, new in channels.items() if old in values}
        if SENDS in values and not laid:
            laid[SENDS] = type(values[SENDS])(
                Send(pairs.get(each.node, each.node), each.arg) for each in values[SENDS]
            )
        if branch or SENDS not in laid:
            await self.places.forget_written(self.thread, branch)
        await self.places.lay(self.thread, laid, branch, without=tuple(channels))

    async def _hand_out(self, branch: str, around: str) -> None:
        """Lay what a graph inside has found in the state around it."""
        found = await self.places.state(self.thread, branch)
        kept = {key: value for key, value in found.items() if key in STATE - OWN}
        await self.places.lay(self.thread, kept, around)


async def _chains(places: Places, thread: str, at: str, graphs: Graphs) -> tuple[Chain, ...]:
    row = next(row for row in await places.rows(thread) if row.id == at)
    refuse_strange(row)
    place = await standing(places, thread, view(graphs.old, graphs.registry), Spot(row))
    return tuple(chains(place)) if place else ()
