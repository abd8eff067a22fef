"""Moving a session to another graph: whether it can go on there, and at which nodes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from langchain_core.runnables import RunnableConfig
from langgraph.types import Send
from langsmith import tracing_context

from forager.adapters.store.checkpoints.pending_writes import PendingWrites
from forager.domain.base import Frozen
from forager.errors import SessionError
from forager.node_type import Registry
from graphs.runtime.compile import compile_graph, joint_name, langgraph_name, refuse_faults
from graphs.runtime.graph_nodes import Graph, Hooks
from graphs.runtime.position import (
    BRANCH_CHANNEL,
    SENDS_CHANNEL,
    STATE_CHANNELS,
    BranchCheckpoint,
    PositionChain,
    find_position,
    position_chains,
    refuse_unknown_keys,
)
from graphs.spec.diff import Difference, compare_specs
from graphs.spec.flow import keys_written
from graphs.spec.resolved_graph import KEYS_MERGED, ResolvedGraph, resolve_types
from graphs.spec.spec import END, START, GraphSpec

NO_TARGET = ""
MAX_NAMED = 6
OUTER_KEYS = frozenset({"question", "past", "state_version", "found"})
"""Keys of the outer graph that an inner graph does not change when it is left."""
NodePath = tuple[str, ...]


class PendingNode(Frozen):
    """A node that runs next, and the node of the new graph at which it continues.

    The node walk/extract is inside the graph walk. Where it cannot go on at `to`, `reason` says
    why. `choices` are the nodes where it can, likeliest first; `note` names nodes that would be
    skipped.
    """

    node: str
    type: str
    to: str
    reason: str = ""
    note: str = ""
    choices: tuple[str, ...] = ()

    @property
    def mend(self) -> str:
        """How to go on in spite of the reason."""
        if not self.choices:
            return "Choose another step or graph, or ask the question again."
        more = " …" if len(self.choices) > MAX_NAMED else ""
        named = ", ".join(self.choices[:MAX_NAMED]) + more
        return f"Map it to another node: --map {self.node}={self.choices[0]}; possible: {named}"


class GraphMove(Frozen):
    """The plan of a session's move to another graph."""

    graph: str
    hash: str
    pending: tuple[PendingNode, ...] = ()
    differences: tuple[Difference, ...] = ()

    def refuse_misfits(self) -> None:
        """Raise SessionError if a node that runs next cannot go on."""
        for each in self.pending:
            if each.reason:
                what = f"The graph {self.graph!r} cannot go on from there: {each.reason}"
                raise SessionError(what, each.mend)

    def target_of(self, path: NodePath) -> NodePath:
        """The path at which a node that runs next continues."""
        name = "/".join(path)
        return tuple(next(each.to for each in self.pending if each.node == name).split("/"))


def plan_move(
    old: GraphSpec,
    new: GraphSpec,
    standing: Iterable[PositionChain],
    mapping: Mapping[str, str],
    registry: Registry,
) -> GraphMove:
    """Where each node that runs next continues in the new graph; `standing` are its positions.

    Raises GraphError when the new graph has faults, SessionError for a mapping of a node that does
    not run next.
    """
    refuse_faults(new, registry)
    there, here = resolve_types(old, registry), resolve_types(new, registry)
    by_node: dict[str, list[PositionChain]] = {}
    for chain in standing:
        by_node.setdefault("/".join(chain[-1].path), []).append(chain)
    if strange := mapping.keys() - by_node.keys():
        raise SessionError(
            f"The node {min(strange)!r} does not run next.",
            f"Map one that does: {', '.join(by_node) or 'none, the session has not begun'}.",
        )
    pending = [
        _plan_node(there, here, chains, mapping.get(node, NO_TARGET))
        for node, chains in by_node.items()
    ]
    return GraphMove(
        graph=new.name,
        hash=new.hash,
        pending=_refuse_parting(tuple(pending), by_node),
        differences=compare_specs(old, new),
    )


def _plan_node(
    there: ResolvedGraph, here: ResolvedGraph, chains: list[PositionChain], wanted: str
) -> PendingNode:
    path = chains[0][-1].path
    kind = _node_type(there, path)
    reasons = {
        choice: next(filter(None, (_misfit_reason(here, chain, choice) for chain in chains)), "")
        for choice in {path, *_candidate_paths(here, path)}
    }
    fitting = sorted(
        (choice for choice, reason in reasons.items() if not reason),
        key=lambda choice: (*_likelihood_order(there, here, path, choice), choice),
    )
    to = tuple(wanted.split("/")) if wanted else path
    reason = reasons.get(to) if to in reasons else _misfit_reason(here, chains[0], to)
    if not reason and not wanted and _node_type(here, to) != kind:
        name = "/".join(to)
        reason = f"its node {name!r} is of type {_node_type(here, to)!r}, not {kind!r}."
    return PendingNode(
        node="/".join(path),
        type=kind,
        to="/".join(to),
        reason=reason or "",
        note="" if wanted or reason else _passed_over_note(there, here, path),
        choices=tuple("/".join(choice) for choice in fitting),
    )


def _likelihood_order(
    there: ResolvedGraph, here: ResolvedGraph, path: NodePath, choice: NodePath
) -> tuple[bool, ...]:
    """A sort key: the same node first, then its likely new name, then the node that followed it."""
    around = _graph_within(there, path[:-1])
    known = around.spec.nodes if around else {}
    after = around.arrows().get(path[-1], ()) if around else ()
    same = _node_type(there, path) == _node_type(here, choice)
    deep = len(choice) == len(path)
    return (
        choice != path,
        not (deep and same and choice[-1] not in known),
        not (deep and choice[:-1] != path[:-1] and choice[-1] == path[-1]),
        not (deep and choice[-1] in after),
        not deep,
        not same,
    )


def _refuse_parting(
    pending: tuple[PendingNode, ...], by_node: Mapping[str, list[PositionChain]]
) -> tuple[PendingNode, ...]:
    """Refuse parallel branches that would continue in different graphs."""
    outer = {each.to.split("/")[0] for each in pending if not each.reason}
    if len(outer) < 2:  # noqa: PLR2004
        return pending
    reason = f"its branches run at once and cannot go on at {' and at '.join(sorted(outer))}."
    return tuple(each.model_copy(update={"reason": each.reason or reason}) for each in pending)


def _candidate_paths(here: ResolvedGraph, path: NodePath) -> Iterator[NodePath]:
    """Nodes of the new graph at the same depth, and those around them."""
    for depth in range(len(path)):
        around: list[NodePath] = [path[:depth]]
        if depth == 1:
            around = [(name,) for name in here.inner]
        for above in around:
            seen = _graph_within(here, above)
            if seen:
                yield from ((*above, name) for name in seen.spec.nodes)


def _graph_within(seen: ResolvedGraph, path: NodePath) -> ResolvedGraph | None:
    """The graph inside the node at `path`, or the whole; None where there is none."""
    for name in path:
        if name not in seen.inner:
            return None
        seen = seen.inner[name]
    return seen


def _node_type(seen: ResolvedGraph, path: NodePath) -> str:
    around = _graph_within(seen, path[:-1])
    return around.spec.nodes[path[-1]].type if around and path[-1] in around.spec.nodes else ""


def _misfit_reason(here: ResolvedGraph, chain: PositionChain, to: NodePath) -> str:
    """Why a position cannot go on at a node of the new graph; empty if it can."""
    path, name = chain[-1].path, "/".join(to)
    around = _graph_within(here, to[:-1])
    if around is None or to[-1] not in around.spec.nodes:
        return f"it has no node {name!r}, which runs next."
    if len(to) > len(path):
        return f"its node {name!r} is inside a graph that has not begun."
    depth = len(to) - 1
    renamed = to[:-1] != path[:depth]
    if renamed and (depth, len(path)) != (1, 2):
        return f"its node {name!r} is inside another graph."
    for level, place in enumerate(chain[: len(to)]):
        seen = _graph_within(here, to[:level])
        if seen is None or seen.runs_in_branches(to[level]) != (place.many or place.joint):
            return f"its node {'/'.join(to[: level + 1])!r} is reached by another kind of edge."
    known = [place.written for place in chain[: len(to)]]
    if len(to) < len(path) and not chain[depth].many:
        known[-1] = chain[-1].written
    lack, _ = _missing_key(here, to, known, joint=chain[depth].joint and len(to) == len(path))
    return lack


def _missing_key(
    here: ResolvedGraph, to: NodePath, known: list[frozenset[str]], *, joint: bool = False
) -> tuple[str, frozenset[str]]:
    """A key that a later node reads and nothing writes, in words, and the keys written at the end.

    A graph that has begun continues inside before it continues outside.
    """
    after, begin = known[0], [to[0]]
    if len(to) > 1 or joint:
        begin = list(here.arrows().get(to[0], ()))
    if len(to) > 1:
        lack, left = _missing_key(here.inner[to[0]], to[1:], known[1:], joint=joint)
        if lack:
            return lack, left
        after |= left & KEYS_MERGED if here.runs_in_branches(to[0]) else left
    return _follow_flow(here, begin, after)


def _follow_flow(
    here: ResolvedGraph, begin: list[str], known: frozenset[str]
) -> tuple[str, frozenset[str]]:
    before = keys_written(START, {**here.arrows(), START: begin}, here.writes(), known)
    for name, keys in before.items():
        needs: frozenset[str] = frozenset()
        if name in here.types:
            needs = here.required_keys(name)
        elif here.runs_in_branches(name) and name in here.inner and name not in begin:
            needs = frozenset({"draw"})
        if lacking := sorted(needs - keys):
            return f"its node {name!r} needs {', '.join(lacking)}, not written yet.", keys
        if name in here.inner:
            entry = list(here.inner[name].arrows().get(START, ()))
            lack, _ = _follow_flow(here.inner[name], entry, keys)
            if lack:
                return lack, keys
    return "", before.get(END, frozenset())


def _passed_over_note(there: ResolvedGraph, here: ResolvedGraph, path: NodePath) -> str:
    """The new nodes right before a node, which are skipped if the session continues there."""
    now, then = _graph_within(here, path[:-1]), _graph_within(there, path[:-1])
    if now is None or then is None:
        return ""
    before = {edge.source for edge in now.edges() if edge.target == path[-1]}
    above = "/".join((*path[:-1], ""))
    new = [f"{above}{name}" for name in now.spec.nodes if name in before - then.spec.nodes.keys()]
    if not new:
        return ""
    node = "/".join(path)
    return (
        f"{' and '.join(new)}, new before {node}, will be skipped; --map {node}={new[0]} runs it."
    )


class GraphPair(NamedTuple):
    """The graph that a thread leaves, the one in which it continues, and the node types."""

    old: GraphSpec
    new: GraphSpec
    registry: Registry


async def plan_move_at(
    places: PendingWrites, thread: str, at: str, graphs: GraphPair, mapping: Mapping[str, str]
) -> GraphMove:
    """Where a thread would go on in another graph from the checkpoint `at`.

    Raises SessionError for a checkpoint that cannot be read, GraphError for a graph with faults.
    """
    found = await _chains_at(places, thread, at, graphs)
    return plan_move(graphs.old, graphs.new, found, mapping, graphs.registry)


async def move_thread(
    places: PendingWrites, thread: str, graphs: GraphPair, mapping: Mapping[str, str]
) -> GraphMove:
    """Rewrite a thread's newest checkpoint so that it continues in another graph; returns the plan.

    Raises SessionError and GraphError where it cannot go on there.
    """
    moving = ThreadMove(places, thread, graphs)
    found = await moving.find_chains()
    if any(not chain[0].taken for chain in found):
        await moving.take_over()
        found = await moving.find_chains()
    plan = plan_move(graphs.old, graphs.new, found, mapping, graphs.registry)
    plan.refuse_misfits()
    if not found:
        return plan
    for chain in found:
        await moving.move_inside(chain, plan.target_of(chain[-1].path), mapping)
    place, to = found[0][0], plan.target_of(found[0][-1].path)[0]
    if to != place.path[0]:
        await moving.move_outside(place.path[0], to, found[0])
    elif place.path[0] in mapping and not place.inner:
        await places.forget_written(thread)
    return plan


class ThreadMove:
    """The steps by which a thread is moved."""

    def __init__(self, places: PendingWrites, thread: str, graphs: GraphPair) -> None:
        self.places = places
        self.thread = thread
        self.graphs = graphs

    async def find_chains(self) -> tuple[PositionChain, ...]:
        """The positions of the thread."""
        row = (await self.places.read_rows(self.thread))[-1]
        return await _chains_at(self.places, self.thread, row.id, self.graphs)

    async def take_over(self) -> None:
        """Take over the results of a finished step, as a run would do first."""
        graph = self._compile_skeleton(self.graphs.old)
        where: RunnableConfig = {"configurable": {"thread_id": self.thread}}
        with tracing_context(enabled=False):
            await graph.ainvoke(None, where, durability="sync", interrupt_after="*")

    async def move_inside(
        self, chain: PositionChain, to: tuple[str, ...], mapping: Mapping[str, str]
    ) -> None:
        """Move a position inside a graph to another node of it, or out of that graph."""
        place, depth = chain[-1], len(to)
        if depth < len(chain):
            if not chain[depth - 1].many:
                await self._hand_out(place.branch, chain[depth - 1].branch)
            await self.places.forget_branch(self.thread, chain[depth].branch)
            if not chain[depth - 1].many:
                await self.places.forget_written(self.thread, chain[depth - 1].branch)
        at = chain[depth - 1]
        name = at.path[depth - 1]
        if depth == 1:
            return
        if name != to[-1]:
            await self._redirect_node(at.branch, name, to[-1], taken=at.taken)
        elif "/".join(place.path) in mapping and at.taken and not at.inner:
            await self.places.forget_written(self.thread, at.branch)

    async def move_outside(self, name: str, to: str, chain: PositionChain) -> None:
        """Have another node of the outermost graph run next; branches that have begun continue."""
        before = await self._next_task_ids(self.graphs.old)
        await self._redirect_node("", name, to, taken=True)
        if not (chain[0].many or len(chain) > 1):
            return
        after = await self._next_task_ids(self.graphs.new)
        tasks = dict(zip(before, after, strict=True))
        old, new = langgraph_name(name), langgraph_name(to)
        begun = await self.places.read_branches(self.thread)
        names = {f"{old}:{task}": f"{new}:{other}" for task, other in tasks.items()}
        await self.places.rename_tasks(self.thread, tasks)
        await self.places.rename_branches(
            self.thread, {each: names[each] for each in begun if each in names}
        )

    async def _next_task_ids(self, spec: GraphSpec) -> list[str]:
        """The ids of the tasks that run next, in order."""
        snapshot = await self._compile_skeleton(spec).aget_state(
            {"configurable": {"thread_id": self.thread}}
        )
        return [task.id for task in snapshot.tasks]

    def _compile_skeleton(self, spec: GraphSpec) -> Graph:
        """A graph without ports, to read the position of a thread."""
        hooks = Hooks(checkpointer=self.places.checkpoints)
        return compile_graph(spec, None, self.graphs.registry, hooks)

    async def _redirect_node(self, branch: str, name: str, to: str, *, taken: bool) -> None:
        """Have another node run next in a branch."""
        pairs = {langgraph_name(name): langgraph_name(to), joint_name(name): joint_name(to)}
        channels = {
            f"{BRANCH_CHANNEL}{old}": f"{BRANCH_CHANNEL}{new}" for old, new in pairs.items()
        }
        row = (await self.places.read_rows(self.thread, branch))[-1]
        await self.places.rename_written(self.thread, row.id, channels, branch)
        if not taken:
            return
        versions = row.checkpoint["channel_versions"]
        own = {each: versions[each] for each in (*channels, SENDS_CHANNEL) if each in versions}
        values = await self.places.read_values(self.thread, own, branch)
        laid: dict[str, Any] = {new: values[old] for old, new in channels.items() if old in values}
        if SENDS_CHANNEL in values and not laid:
            laid[SENDS_CHANNEL] = type(values[SENDS_CHANNEL])(
                Send(pairs.get(each.node, each.node), each.arg) for each in values[SENDS_CHANNEL]
            )
        if branch or SENDS_CHANNEL not in laid:
            await self.places.forget_written(self.thread, branch)
        await self.places.put_values(self.thread, laid, branch, without=tuple(channels))

    async def _hand_out(self, branch: str, around: str) -> None:
        """Write what an inner graph has found to the state around it."""
        found = await self.places.newest_values(self.thread, branch)
        kept = {key: value for key, value in found.items() if key in STATE_CHANNELS - OUTER_KEYS}
        await self.places.put_values(self.thread, kept, around)


async def _chains_at(
    places: PendingWrites, thread: str, at: str, graphs: GraphPair
) -> tuple[PositionChain, ...]:
    row = next(row for row in await places.read_rows(thread) if row.id == at)
    refuse_unknown_keys(row)
    place = await find_position(
        places, thread, resolve_types(graphs.old, graphs.registry), BranchCheckpoint(row)
    )
    return tuple(position_chains(place)) if place else ()
