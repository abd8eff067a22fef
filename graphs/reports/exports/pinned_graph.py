"""A pinned graph as YAML to run again, and as an SVG drawing.

The drawing has the nodes one below the other, edges onwards at the right, edges back at the left.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import NamedTuple

from graphs.reports.exports.markup import Markup, element
from graphs.spec.spec import END, START, Edge, GraphSpec
from graphs.spec.yaml_writer import write_graph

WIDTH, HEIGHT, PITCH = 150, 40, 66
LABEL, LANE = 84, 13
"""The width for route names beside a node, and for each lane beyond it."""
LABEL_STEP = 13
"""The distance from one route name to the next."""
CORNER = 6
NOTE_LINE, LETTER = 16, 6
"""The height of a line of a note, and about the width of a letter in it."""


class DrawnEdge(NamedTuple):
    """An edge between rows of the drawing; `lane` counts from the nodes outwards."""

    edge: Edge
    source: int
    target: int
    lane: int = 0

    @property
    def goes_down_one(self) -> bool:
        return self.target == self.source + 1

    @property
    def goes_back(self) -> bool:
        return self.target <= self.source


def draw_graph(spec: GraphSpec) -> Markup:
    """The drawing as SVG, in the colours of the text around it."""
    order = drawing_order(spec)
    rows = {name: row for row, name in enumerate(order)}
    ways = [DrawnEdge(edge, rows[edge.source], rows[edge.target]) for edge in spec.edges]
    right = _assign_lanes(way for way in ways if not way.goes_back and not way.goes_down_one)
    left = _assign_lanes(way for way in ways if way.goes_back)
    sides = [
        LABEL + LANE * (1 + max((way.lane for way in side), default=0)) for side in (left, right)
    ]
    x = sides[0]
    width, height = x + WIDTH + sides[1], PITCH * len(order)
    notes = _draw_notes(spec, width, height)
    shapes = [_draw_node(spec, name, x, PITCH * row + 10) for name, row in rows.items()]
    lines = [_draw_straight(way, x) for way in ways if way.goes_down_one]
    lines += _draw_arcs(right, x + WIDTH, 1) + _draw_arcs(left, x, -1)
    return element(
        "svg",
        element("title", f"The graph {spec.name}: {len(spec.nodes)} nodes"),
        element("defs", _arrow_head()),
        *lines,
        *shapes,
        *notes,
        viewBox=f"0 0 {width} {height + NOTE_LINE * len(notes)}",
        width=str(width),
        height=str(height + NOTE_LINE * len(notes)),
        role="img",
        class_="graph",
    )


STYLE = """
.graph { font: 12px system-ui, sans-serif; background: #fff; }
.graph rect { fill: #f4f5f2; stroke: #9aa39c; }
.graph > path, .graph g > path { fill: none; stroke: #525b55; }
.graph .fan { stroke-width: 3; }
.graph marker path { fill: #525b55; }
.graph text { fill: #16201a; }
.graph .type, .graph .route, .graph .note { fill: #525b55; font-size: 10px; }
"""
"""The colours of a drawing that stands alone."""


def draw_svg(spec: GraphSpec) -> str:
    """The drawing as an SVG file of its own."""
    opening, _, rest = draw_graph(spec).partition(">")
    return f'{opening} xmlns="http://www.w3.org/2000/svg"><style>{STYLE}</style>{rest}'


def _assign_lanes(ways: Iterable[DrawnEdge]) -> list[DrawnEdge]:
    """Put each edge in the innermost lane that no shorter edge in the same rows uses."""
    placed: list[DrawnEdge] = []
    for way in sorted(ways, key=lambda way: (abs(way.target - way.source), way.source)):
        low, high = sorted((way.source, way.target))
        taken = {
            other.lane
            for other in placed
            if min(other.source, other.target) <= high and low <= max(other.source, other.target)
        }
        lane = next(lane for lane in range(len(placed) + 1) if lane not in taken)
        placed.append(way._replace(lane=lane))
    return placed


def _draw_arcs(ways: list[DrawnEdge], x: int, side: int) -> list[Markup]:
    """The edges at one side; those of one node leave it one below the other."""
    leaving: Mapping[int, list[DrawnEdge]] = defaultdict(list)
    for way in sorted(ways, key=lambda way: -way.lane if side > 0 else way.lane):
        leaving[way.source].append(way)
    drawn = []
    for source, own in leaving.items():
        top = PITCH * source + 10 + HEIGHT - 8 - LABEL_STEP * (len(own) - 1)
        for place, way in enumerate(own):
            drawn += _draw_arc(way, x, side, top + LABEL_STEP * place)
    return drawn


def _draw_arc(way: DrawnEdge, x: int, side: int, y: int) -> list[Markup]:
    far = x + side * (LABEL + LANE * way.lane)
    end = PITCH * way.target + 20
    down = CORNER if end > y else -CORNER
    path = (
        f"M{x} {y} H{far - side * CORNER} q{side * CORNER} 0 {side * CORNER} {down} "
        f"V{end - down} q0 {down} {-side * CORNER} {down} H{x + side * 2}"
    )
    anchor = "start" if side > 0 else "end"
    return [_draw_line(path, way.edge), _route_label(way.edge, x + side * 6, y - 3, anchor)]


def _draw_straight(way: DrawnEdge, x: int) -> Markup:
    middle, top = x + WIDTH // 2, PITCH * way.source + 10 + HEIGHT
    line = _draw_line(f"M{middle} {top} V{PITCH * way.target + 8}", way.edge)
    return element("g", line, _route_label(way.edge, middle + 6, top + 16, "start"))


def _draw_line(path: str, edge: Edge) -> Markup:
    return element("path", d=path, class_="fan" if edge.fan else None, marker_end="url(#arrow)")


def _route_label(edge: Edge, x: int, y: int, anchor: str) -> Markup:
    return element("text", edge.route, x=str(x), y=str(y), text_anchor=anchor, class_="route")


def _draw_node(spec: GraphSpec, name: str, x: int, y: int) -> Markup:
    middle = x + WIDTH // 2
    outer = name in (START, END)
    box = element(
        "rect",
        x=str(x + (WIDTH // 4 if outer else 0)),
        y=str(y),
        width=str(WIDTH // 2 if outer else WIDTH),
        height=str(HEIGHT),
        rx=str(HEIGHT // 2 if outer else CORNER),
    )
    if outer:
        return element("g", box, _centred_text(name, middle, y + 24))
    kind = _centred_text(spec.nodes[name].type, middle, y + 32, "type")
    description = spec.nodes[name].description
    about = [element("title", description)] if description else []
    return element("g", *about, box, _centred_text(name, middle, y + 17), kind)


def _draw_notes(spec: GraphSpec, width: int, top: int) -> list[Markup]:
    """The notes below the drawing, which has other places than the canvas: a line of text each."""
    texts = [note.text for name, note in spec.notes.items() if "/" not in name]
    lines = [
        line
        for text in texts
        for each in text.splitlines()
        for line in wrap(each, (width - NOTE_LINE) // LETTER)
    ]
    return [
        element("text", line, x="8", y=str(top + NOTE_LINE * place), class_="note")
        for place, line in enumerate(lines)
    ]


def _centred_text(text: str, x: int, y: int, kind: str | None = None) -> Markup:
    return element("text", text, x=str(x), y=str(y), text_anchor="middle", class_=kind)


def _arrow_head() -> Markup:
    return element(
        "marker",
        element("path", d="M0 0 L7 3.5 L0 7 z"),
        id="arrow",
        markerWidth="7",
        markerHeight="7",
        refX="6",
        refY="3.5",
        orient="auto-start-reverse",
        markerUnits="userSpaceOnUse",
    )


def yaml_text(spec: GraphSpec) -> str:
    """The graph as a YAML file with the same name, nodes, edges and hash."""
    order = drawing_order(spec)
    nodes = {name: spec.nodes[name] for name in sorted(spec.nodes, key=order.index)}
    edges = sorted(spec.edges, key=lambda edge: (order.index(edge.source), edge.route))
    return write_graph(spec.model_copy(update={"nodes": nodes, "edges": tuple(edges)}))


def drawing_order(spec: GraphSpec) -> list[str]:
    """Start, the nodes and the end, each before its targets as far as loops allow."""
    arrows: dict[str, list[Edge]] = {}
    for edge in sorted(spec.edges, key=str, reverse=True):
        arrows.setdefault(edge.source, []).append(edge)
    done: list[str] = []
    seen = {START}
    stack = [(START, iter(arrows.get(START, ())))]
    while stack:
        name, edges = stack[-1]
        for edge in edges:
            if edge.target not in seen:
                seen.add(edge.target)
                stack.append((edge.target, iter(arrows.get(edge.target, ()))))
                break
        else:
            done.append(name)
            stack.pop()
    inside = [name for name in reversed(done) if name != END]
    return [*inside, *(name for name in spec.nodes if name not in seen), END]
