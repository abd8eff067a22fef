"""The trace of a run through its graph, from its events: nodes, edges, and where it is now."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from forager.adapters.store.sessions.session_store import Event
from graphs.reports.events import event_outcome
from graphs.spec.spec import END, GRAPH, START, Edge, GraphSpec

NodeStatus = Literal["now", "done", "failed", "asked", "interrupted"]
NODE_SEPARATOR = "/"
"""Between the names of a graph and of a node inside it: walk/act."""
RESTARTING = frozenset({"now", "asked", "interrupted", "failed"})
"""The status of a node that continues the same work when it starts again."""


@dataclass(kw_only=True)
class NodeRun:
    """One run of a node, named with the graphs around it. Times are seconds since the turn began.

    `edges` are those taken to reach it; the last run also has those that lead to the end.
    """

    seq: int
    node: str
    branch: str = ""
    began: float
    ended: float | None = None
    status: NodeStatus = "now"
    route: str = ""
    message: str = ""
    edges: list[str] = field(default_factory=list)


class RunTrace:
    """Built from events in order; it shows the newest turn.

    `ran` are the node runs, `edges` counts how often each edge was taken, `carried` says what the
    node before an edge had done when it was taken last, `count` how often each node ran. `waiting`
    are the nodes before which the run halted.
    """

    def __init__(self, spec: GraphSpec) -> None:
        self._graphs = dict(_nested_graphs(spec))
        self._begin_turn(1)

    def _begin_turn(self, turn: int) -> None:
        self.turn = turn
        self.ran: list[NodeRun] = []
        self.count: dict[str, int] = {}
        self.edges: dict[str, int] = {}
        self.carried: dict[str, str] = {}
        self.waiting: tuple[str, ...] = ()
        self._done: dict[str, str] = {}
        self._began = 0.0
        self._routes = False
        self._left: dict[str, tuple[str, str]] = {"": (START, "")}
        self._last: dict[tuple[str, str], NodeRun] = {}

    def add_events(self, events: Iterable[Event]) -> None:
        """Add events that follow those added before."""
        for event in events:
            turn = event.data.get("turn")
            if event.kind == "begun" and isinstance(turn, int) and turn > self.turn:
                self._begin_turn(turn)
            self._began = self._began or event.time
            if event.node:
                self._add_node_event(event)
            elif event.kind == "resumed":
                self.waiting = ()
                self._mark_interrupted()
            elif event.kind in {"halted", "forked"}:
                self.waiting = _names(event.data.get("next"))
            elif event.kind == "rewound":
                self._rewind_to(event.data.get("time"))

    def graph_within(self, within: str) -> GraphSpec:
        """The graph inside the node at this path; the whole graph for an empty path."""
        return self._graphs[within]

    def node_statuses(self) -> Mapping[str, NodeStatus]:
        """The status of each node that has run; `now` where one of its branches still runs."""
        found: dict[str, NodeStatus] = {}
        for ran in self._last.values():
            if found.get(ran.node) != "now":
                found[ran.node] = ran.status
        return found

    def _add_node_event(self, event: Event) -> None:
        branch = str(event.data.get("branch", "")) or event.node.rpartition(NODE_SEPARATOR)[0]
        ran = self._last.get((branch, event.node))
        if event.kind == "started" and (ran is None or ran.status not in RESTARTING):
            ran = self._start_node(event, branch)
        if ran is None or event.kind == "warned":
            return
        ran.message = event.message or ran.message
        if event.kind in {"started", "progress"}:
            ran.status = "now"
            return
        ran.ended = self._seconds_into_turn(event.time)
        ran.status = "done"
        if event.kind in {"failed", "asked"}:
            ran.status = "failed" if event.kind == "failed" else "asked"
        if event.kind == "finished":
            self._finish_node(event, ran)

    def _start_node(self, event: Event, branch: str) -> NodeRun:
        ran = NodeRun(
            seq=event.seq, node=event.node, branch=branch, began=self._seconds_into_turn(event.time)
        )
        for within, edge in self._edges_to(event.node, branch):
            self._take_edge(ran, within, edge)
        self.count[event.node] = self.count.get(event.node, 0) + 1
        self.ran.append(ran)
        self._last[branch, event.node] = ran
        return ran

    def _edges_to(self, node: str, branch: str) -> list[tuple[str, Edge]]:
        """The edges that led to a node, each with its graph, from the outer graphs inwards."""
        within, _, name = node.rpartition(NODE_SEPARATOR)
        outer: list[tuple[str, Edge]] = []
        if branch not in self._left:
            outer = self._edges_to(within, _outer_branch(branch))
            self.count[within] = self.count.get(within, 0) + 1
            self._left[branch] = START, ""
        edge = _find_edge(self._graphs[within], *self._left[branch], name)
        if edge is None:
            return outer
        if not edge.fan:
            self._left[branch] = "", ""
        return [*outer, (within, edge)]

    def _finish_node(self, event: Event, ran: NodeRun) -> None:
        """Note the route taken: the next node is reached from here."""
        ran.route = str(event.data.get("route", ""))
        self._note_done(ran)
        self._routes = self._routes or bool(ran.route)
        if not ran.route and self._routes:
            return  # a node that ran beside the graph, for an added site or a stop
        self._leave_node(ran, ran.branch, ran.node, ran.route or f"?{event_outcome(event.data)}")

    def _note_done(self, ran: NodeRun) -> None:
        """Keep what a node has done for the edges that leave it, and the graphs around it."""
        node = ran.node
        while node:
            self._done[node] = ran.message
            node = node.rpartition(NODE_SEPARATOR)[0]

    def _leave_node(self, ran: NodeRun, branch: str, node: str, route: str) -> None:
        """Leave a node, and the graph around it where that has ended."""
        within, _, name = node.rpartition(NODE_SEPARATOR)
        if self._left.get(branch) == (name, route) and node != ran.node:
            return  # another of its branches ended before
        self._left[branch] = name, route
        edge = _find_edge(self._graphs[within], name, route, END)
        if edge is not None:
            self._take_edge(ran, within, edge)
            if within:
                self._leave_node(ran, _outer_branch(branch), within, END)

    def _take_edge(self, ran: NodeRun, within: str, edge: Edge) -> None:
        ran.edges.append(_join_path(within, edge))
        self.edges[ran.edges[-1]] = self.edges.get(ran.edges[-1], 0) + 1
        if done := self._done.get(_join_path(within, edge.source)):
            self.carried[ran.edges[-1]] = done

    def _mark_interrupted(self) -> None:
        """Mark the nodes that ran when a run broke off; they will start again."""
        for ran in self._last.values():
            ran.status = "interrupted" if ran.status == "now" else ran.status

    def _rewind_to(self, time: object) -> None:
        """Go back to where the run stood at a time (epoch, s)."""
        self.waiting = ()
        until = self._seconds_into_turn(time) if isinstance(time, float) else 0.0
        before = [ran for ran in self.ran if not ran.branch and (ran.ended or until + 1) <= until]
        last = max(before, key=lambda ran: ran.ended or 0.0, default=None)
        self._left = {"": (last.node, last.route) if last else (START, "")}
        self._last = {place: ran for place, ran in self._last.items() if not place[0]}
        for ran in self._last.values():
            ran.status = "done"

    def _seconds_into_turn(self, time: float) -> float:
        return time - self._began


def list_node_types(spec: GraphSpec) -> dict[str, str]:
    """The types of all nodes by name; `walk/extract` is inside the graph `walk`."""
    every = (
        (within, name, node)
        for within, graph in _nested_graphs(spec)
        for name, node in graph.nodes.items()
    )
    return {_join_path(within, name): node.type for within, name, node in every}


def _nested_graphs(spec: GraphSpec, within: str = "") -> Iterable[tuple[str, GraphSpec]]:
    """A graph and those inside it, with the paths of the nodes that hold them."""
    yield within, spec
    for name, node in spec.nodes.items():
        if node.type == GRAPH:
            yield from _nested_graphs(spec.inner(name), _join_path(within, name))


def _join_path(within: str, what: object) -> str:
    return f"{within}{NODE_SEPARATOR}{what}" if within else str(what)


def _names(value: object) -> tuple[str, ...]:
    """The nodes that an event names."""
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _outer_branch(branch: str) -> str:
    """The branch around a branch; older sessions name branches by their graphs."""
    return branch.rpartition("|" if ":" in branch else NODE_SEPARATOR)[0]


def _find_edge(graph: GraphSpec, source: str, route: str, target: str) -> Edge | None:
    """The edge that was taken; where no route was recorded, the likeliest one."""
    leaving = [edge for edge in graph.edges if edge.source == source]
    found = [edge for edge in leaving if edge.target == target]
    if not route.startswith("?"):
        return next((edge for edge in found if edge.route == route), None)
    likely = [edge for edge in found if edge.route == route[1:]]
    sure = target != END or len(found) == len(leaving)
    return next(iter(likely or (found if sure else ())), None)
