"""Can a session go on in another graph from where it stands, and at which of its nodes?"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from langchain_core.runnables import RunnableConfig
from langgraph.types import Send

from forager.adapters.store.checkpoints.pending_writes import Places
from forager.domain.base import Frozen
from forager.errors import SessionError
from forager.node_type import Registry
from graphs.runtime.compile import Graph, Hooks, compile, joint_name, langgraph_name, refuse_faults
from graphs.runtime.position import SENDS, STATE, TO, Chain, Spot, chains, refuse_strange, standing
from graphs.spec.diff import Difference, difference
from graphs.spec.flow import written
from graphs.spec.resolved_graph import KEYS_MERGED, View, view
from graphs.spec.spec import END, START, GraphSpec

NOWHERE = ""
MOST_NAMED = 6
Path = tuple[str, ...]


class Pending(Frozen):
    """A node that is to run next (`walk/extract` is inside the graph `walk`), and where it goes on.

    `to` is a node of the new graph; where it cannot go on there, `reason` says why. `choices` are
    the nodes where it can, the likeliest first; `note` tells what would be passed over.
    """

    node: str
    type: str
    to: str
    reason: str = ""
    note: str = ""
    choices: tuple[str, ...] = ()

    @property
    def mend(self) -> str:
        """How to go on nevertheless."""
        if not self.choices:
            return "Choose another step or graph, or ask the question anew."
        more = " …" if len(self.choices) > MOST_NAMED else ""
        named = ", ".join(self.choices[:MOST_NAMED]) + more
        return f"Say where it goes on, as in --map {self.node}={self.choices[0]}; it can at {named}"


class Move(Frozen):
    """What a session's move to another graph comes to."""

    graph: str
    hash: str
    pending: tuple[Pending, ...] = ()
    differences: tuple[Difference, ...] = ()

    def refuse(self) -> None:
        """Raise SessionError where something that runs next cannot go on."""
        for each in self.pending:
            if each.reason:
                what = f"The graph {self.graph!r} cannot go on from there: {each.reason}"
                raise SessionError(what, each.mend)

    def target(self, path: Path) -> Path:
        """Where the node goes on that is to run next."""
        name = "/".join(path)
        return tuple(next(each.to for each in self.pending if each.node == name).split("/"))


def move(
    old: GraphSpec,
    new: GraphSpec,
    standing: Iterable[Chain],
    mapping: Mapping[str, str],
    registry: Registry,
) -> Move:
    """Where each node that is to run next goes on in the new graph.

    Raises GraphError when the new graph has faults, SessionError for a mapping of a node that is
    not to run next.
    """
    refuse_faults(new, registry)
    there, here = view(old, registry), view(new, registry)
    by_node: dict[str, list[Chain]] = {}
    for chain in standing:
        by_node.setdefault("/".join(chain[-1].path), []).append(chain)
    if strange := mapping.keys() - by_node.keys():
        raise SessionError(
            f"Nothing waits at {min(strange)!r}.",
            f"What runs next is {', '.join(by_node) or 'the beginning'}.",
        )
    pending = [
        _pending(there, here, chains, mapping.get(node, NOWHERE))
        for node, chains in by_node.items()
    ]
    return Move(
        graph=new.name,
        hash=new.hash,
        pending=_together(tuple(pending), by_node),
        differences=difference(old, new),
    )


def _pending(there: View, here: View, chains: list[Chain], wanted: str) -> Pending:
    path = chains[0][-1].path
    kind = _type(there, path)
    reasons = {
        choice: next(filter(None, (_misfit(here, chain, choice) for chain in chains)), "")
        for choice in {path, *_candidates(here, path)}
    }
    fitting = sorted(
        (choice for choice, reason in reasons.items() if not reason),
        key=lambda choice: (*_likely(there, here, path, choice), choice),
    )
    to = tuple(wanted.split("/")) if wanted else path
    reason = reasons.get(to) if to in reasons else _misfit(here, chains[0], to)
    if not reason and not wanted and _type(here, to) != kind:
        name = "/".join(to)
        reason = f"its node {name!r} is of type {_type(here, to)!r}, not {kind!r}."
    return Pending(
        node="/".join(path),
        type=kind,
        to="/".join(to),
        reason=reason or "",
        note="" if wanted or reason else _passed(there, here, path),
        choices=tuple("/".join(choice) for choice in fitting),
    )


def _likely(there: View, here: View, path: Path, choice: Path) -> tuple[bool, ...]:
    """Sorts the same node first, then what it may be called now, then what followed it."""
    around = _within(there, path[:-1])
    known = around.spec.nodes if around else {}
    after = around.arrows().get(path[-1], ()) if around else ()
    same = _type(there, path) == _type(here, choice)
    deep = len(choice) == len(path)
    return (
        choice != path,
        not (deep and same and choice[-1] not in known),
        not (deep and choice[:-1] != path[:-1] and choice[-1] == path[-1]),
        not (deep and choice[-1] in after),
        not deep,
        not same,
    )


def _together(
    pending: tuple[Pending, ...], by_node: Mapping[str, list[Chain]]
) -> tuple[Pending, ...]:
    """Walks that run at once go on in one graph."""
    outer = {each.to.split("/")[0] for each in pending if not each.reason}
    if len(outer) < 2:  # noqa: PLR2004
        return pending
    reason = f"its walks run at once, and cannot go on at {' and at '.join(sorted(outer))}."
    return tuple(each.model_copy(update={"reason": each.reason or reason}) for each in pending)


def _candidates(here: View, path: Path) -> Iterator[Path]:
    """Nodes of the new graph: those at the same depth, and those around it."""
    for depth in range(len(path)):
        around: list[Path] = [path[:depth]]
        if depth == 1:
            around = [(name,) for name in here.inner]
        for above in around:
            seen = _within(here, above)
            if seen:
                yield from ((*above, name) for name in seen.spec.nodes)


def _within(seen: View, path: Path) -> View | None:
    """The view of the graph in the node there, or of the whole."""
    for name in path:
        if name not in seen.inner:
            return None
        seen = seen.inner[name]
    return seen


def _type(seen: View, path: Path) -> str:
    around = _within(seen, path[:-1])
    return around.spec.nodes[path[-1]].type if around and path[-1] in around.spec.nodes else ""


def _misfit(here: View, chain: Chain, to: Path) -> str:
    """Why what stands there cannot go on at a node of the new graph, if it cannot."""
    path, name = chain[-1].path, "/".join(to)
    around = _within(here, to[:-1])
    if around is None or to[-1] not in around.spec.nodes:
        return f"it has no node {name!r}, which is to run next."
    if len(to) > len(path):
        return f"its node {name!r} is inside a graph that has not begun."
    depth = len(to) - 1
    renamed = to[:-1] != path[:depth]
    if renamed and (depth, len(path)) != (1, 2):
        return f"its node {name!r} is inside another graph."
    for level, place in enumerate(chain[: len(to)]):
        seen = _within(here, to[:level])
        if seen is None or seen.fanned(to[level]) != (place.many or place.joint):
            return f"its node {'/'.join(to[: level + 1])!r} is reached by another arrow."
    known = [place.written for place in chain[: len(to)]]
    if len(to) < len(path) and not chain[depth].many:
        known[-1] = chain[-1].written
    lack, _ = _lacking(here, to, known, joint=chain[depth].joint and len(to) == len(path))
    return lack


def _lacking(
    here: View, to: Path, known: list[frozenset[str]], *, joint: bool = False
) -> tuple[str, frozenset[str]]:
    """What a node on the way from there reads and nothing writes; the keys that stand at the end.

    A graph that is under way goes on inside before it goes on outside.
    """
    after, begin = known[0], [to[0]]
    if len(to) > 1 or joint:
        begin = list(here.arrows().get(to[0], ()))
    if len(to) > 1:
        lack, left = _lacking(here.inner[to[0]], to[1:], known[1:], joint=joint)
        if lack:
            return lack, left
        after |= left & KEYS_MERGED if here.fanned(to[0]) else left
    return _flow(here, begin, after)


def _flow(here: View, begin: list[str], known: frozenset[str]) -> tuple[str, frozenset[str]]:
    before = written(START, {**here.arrows(), START: begin}, here.writes(), known)
    for name, keys in before.items():
        needs: frozenset[str] = frozenset()
        if name in here.types:
            needs = here.types[name].needs(here.spec.nodes[name].params)
        elif here.fanned(name) and name in here.inner and name not in begin:
            needs = frozenset({"draw"})
        if lacking := sorted(needs - keys):
            return f"its node {name!r} needs {', '.join(lacking)}, not written yet.", keys
        if name in here.inner:
            entry = list(here.inner[name].arrows().get(START, ()))
            lack, _ = _flow(here.inner[name], entry, keys)
            if lack:
                return lack, keys
    return "", before.get(END, frozenset())


def _passed(there: View, here: View, path: Path) -> str:
    """What of the new graph stands right before a node, and is not run when it goes on there."""
    now, then = _within(here, path[:-1]), _within(there, path[:-1])
    if now is None or then is None:
        return ""
    before = {edge.source for edge in now.edges() if edge.target == path[-1]}
    above = "/".join((*path[:-1], ""))
    new = [f"{above}{name}" for name in now.spec.nodes if name in before - then.spec.nodes.keys()]
    if not new:
        return ""
    node = "/".join(path)
    return (
        f"{' and '.join(new)}, new before {node}, will not have run: --map {node}={new[0]} runs it."
    )


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
