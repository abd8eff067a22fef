"""Writes graphs as YAML, and edits the text of a graph so that it describes a changed graph.

A text is edited at the positions of its nodes, so that everything else stays letter for letter. The
comments that ruamel.yaml keeps are not used: it attaches them to the node before and drops some.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from io import StringIO
from itertools import chain, takewhile
from textwrap import indent
from typing import Any, NamedTuple

from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from forager.errors import GraphError
from forager.util.yaml_reader import new_yaml
from graphs.spec.diff import find_renames, is_same_node, rename_ends
from graphs.spec.spec import DRAWING, GRAPH, Edge, FindGraph, GraphSpec, find_none, parse_graph

WIDTH = 100
TAG = "tag:yaml.org,2002:"
SCALARS = new_yaml("rt").representer
EDGES, INNER = "edges", "spec"
SPREAD = frozenset({"nodes", "parameters", "notes", EDGES, INNER})
"""Keys whose values are written as blocks even if they are short."""
RENAMED = frozenset({"nodes", "positions", EDGES, INNER})
"""Keys whose values hold names of nodes."""
UNSAFE = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]"
"""Characters that JSON allows unescaped, but YAML rejects or reads as line breaks."""
NO_BLOCK = re.compile(rf"\A[ \n]| $|{UNSAFE}", re.MULTILINE)


def write_graph(spec: GraphSpec) -> str:
    """A new text of the graph, laid out like the presets."""
    return write_yaml(_dump_spec(spec))


def write_yaml(value: Mapping[str, object]) -> str:
    """Data as YAML: short values on one line, multi-line strings as blocks."""
    return _serialize(_to_node(value, INNER))


def rewrite_graph(text: str, spec: GraphSpec, find: FindGraph = find_none) -> str:
    """Edit the text of a graph to match another spec. Unchanged lines stay as they are.

    JSON stays JSON. A text that holds no graph or cannot be edited is replaced by a new one.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    plain = plain if plain.endswith("\n") else f"{plain}\n"
    try:
        old = parse_graph(plain, find=find)
        if _same_graph(old, spec):
            return text
        changed = _edit_text(plain, old, spec)
        if not _same_graph(parse_graph(changed, find=find), spec):
            changed = write_graph(spec)
    except (GraphError, YAMLError):
        changed = write_graph(spec)
    return changed.replace("\n", "\r\n") if "\r\n" in text else changed


def _same_graph(one: GraphSpec, other: GraphSpec) -> bool:
    return one == other and one.canonical() == other.canonical()


def _edit_text(text: str, old: GraphSpec, new: GraphSpec) -> str:
    root = new_yaml("safe").compose(text.expandtabs(2) if text.lstrip().startswith("{") else text)
    renamed: set[Node] = set()
    want = _wanted_graph(root, old, new, renamed)
    if root.flow_style:
        data = _reuse_nodes(want, root)
        body = json.dumps(data, indent=2, ensure_ascii=False, default=_to_data)
        return re.sub(UNSAFE, lambda match: f"\\u{ord(match[0]):04x}", body) + "\n"
    lines = [f"{line}\n" for line in text.split("\n")[:-1]]
    return _TextEditor(lines, renamed).edit_block(root, want, 0, len(lines))


def _wanted_graph(root: Node, old: GraphSpec, new: GraphSpec, renamed: set[Node]) -> dict[str, Any]:
    """The data of the new graph, with nodes of the text in place of what did not change."""
    old = _rename_nodes(root, old, find_renames(old, new), renamed)
    want, had = _dump_spec(new), _values_by_key(root)
    nodes = _values_by_key(had["nodes"])
    for name in old.nodes.keys() & new.nodes.keys():
        if is_same_node(old.nodes[name], new.nodes[name]):
            want["nodes"][name] = nodes[name]
        elif old.nodes[name].type == GRAPH:
            with suppress(GraphError):  # the checker reports it
                inner = _values_by_key(_values_by_key(nodes[name]).get("params")).get(INNER)
                edited = _wanted_inner_graph(inner, old.inner(name), new.inner(name), renamed)
                want["nodes"][name]["params"][INNER] = edited
    _keep_equal(want, had, "positions", old.positions, new.positions)
    _keep_equal(want, had, "notes", old.notes, new.notes)
    kept: dict[str, list[Node]] = defaultdict(list)
    for item, edge in zip(_child_nodes(had[EDGES]), old.edges, strict=True):
        if isinstance(item, ScalarNode) or Edge.model_validate(_to_data(item)) == edge:
            kept[str(edge)].append(item)
    want[EDGES] = tuple(kept[edge].pop(0) if kept[edge] else edge for edge in map(str, new.edges))
    return want


def _keep_equal(
    want: dict[str, Any],
    had: Mapping[str, Node],
    key: str,
    old: Mapping[str, object],
    new: Mapping[str, object],
) -> None:
    """Put the nodes of the text in place of the values under a key that did not change."""
    for name, node in _values_by_key(had.get(key)).items():
        if old[name] == new.get(name):
            want[key][name] = node


def _rename_nodes(
    root: Node, spec: GraphSpec, names: Mapping[str, str], renamed: set[Node]
) -> GraphSpec:
    """Rename nodes of a graph in its tree, and note what was renamed. Returns the new spec."""
    had = _values_by_key(root)
    edges = tuple(rename_ends(edge, names) for edge in spec.edges)
    texts = [
        (key, names.get(key.value, key.value))
        for key, _ in chain(_key_pairs(had["nodes"]), _key_pairs(had.get("positions")))
    ]
    pairs = zip(_child_nodes(had[EDGES]), spec.edges, edges, strict=True)
    texts += [(item, str(edge)) for item, old, edge in pairs if old != edge]
    for node, text in texts:
        if isinstance(node, ScalarNode) and node.value != text:
            node.value = text
            renamed.add(node)
    nodes, positions = (
        {names.get(name, name): value for name, value in values.items()}
        for values in (spec.nodes, spec.positions)
    )
    return spec.model_copy(update={"nodes": nodes, "positions": positions, "edges": edges})


def _wanted_inner_graph(
    node: Node | None, old: GraphSpec, new: GraphSpec, renamed: set[Node]
) -> Any:
    """The value of `spec`: an unchanged name, an edited body, or a new body."""
    if not isinstance(node, MappingNode):
        return node if node and old.canonical() == new.canonical() else _dump_spec(new)
    drawn = GraphSpec.model_validate(_to_data(node))
    places = {edge: place for place, edge in enumerate(drawn.edges)}
    edges = tuple(sorted(new.edges, key=lambda edge: places.get(edge, len(places))))
    drawing = {name: getattr(drawn, name) for name in DRAWING}
    before = drawn.model_copy(update={"nodes": old.nodes})
    return _wanted_graph(node, before, new.model_copy(update={"edges": edges, **drawing}), renamed)


class _Cut(NamedTuple):
    """The lines of an entry: comments that stand apart, comments above it, the entry, its value."""

    apart: int
    above: int
    start: int
    body: int
    end: int


class _TextEditor(NamedTuple):
    """The lines of a text, and the nodes that were renamed."""

    lines: Sequence[str]
    renamed: set[Node]

    def edit_block(self, node: Node, want: Any, low: int, high: int) -> str:
        """The lines of a block with other entries. Kept keys stay in order, edges are sorted."""
        wanted = want if isinstance(want, dict) else {each: each for each in want}
        pieces: dict[Any, str] = {}
        apart = ""
        cuts = self._cut_entries(node, low, high)
        for (key, value), cut in zip(_block_entries(node), cuts, strict=True):
            name = key.value if isinstance(want, dict) else key
            if name in wanted:
                before = apart + self._join_lines(cut.apart, cut.start)
                pieces[name] = before + self._edit_entry(key, value, wanted[name], cut)
                apart = ""
            else:
                apart += self._join_lines(cut.apart, cut.above)
        column = node.start_mark.column
        order = _order_keys(want, pieces) if isinstance(want, dict) else want
        fresh = (
            pieces[name] if name in pieces else _new_entry(name, want, column) for name in order
        )
        return "".join(fresh) + apart + self._join_lines(cuts[-1].end, high)

    def _edit_entry(self, key: Any, value: Any, want: Any, cut: _Cut) -> str:
        first = self.lines[cut.start]
        if key in self.renamed:
            start, end = key.start_mark.column, key.end_mark.column
            first = first[:start] + _write_inline(key.value) + first[end:]
        unchanged = first + self._join_lines(cut.start + 1, cut.end)
        if isinstance(want, Node):
            return unchanged
        editable = _key_pairs(value) if isinstance(want, dict) else isinstance(want, tuple)
        if want and editable and _block_entries(value):
            return first + self.edit_block(value, want, cut.start + 1, cut.end)
        settled = not self.renamed or key.value not in RENAMED
        if settled and _to_json(value) == _to_json(want):
            return unchanged
        reused = {key.value: _reuse_nodes(want, value)}
        fresh = _new_entry(key.value, reused, key.start_mark.column)
        line, _, rest = fresh.partition("\n")
        below = self._join_lines(cut.body, cut.end)
        if rest:  # a deeper comment would continue a multi-line string
            below = re.sub("^ +(?=#)", " " * key.start_mark.column, below, flags=re.MULTILINE)
        return f"{line}{self._comment_beside(key, value)}\n{rest}{below}"

    def _cut_entries(self, node: Node, low: int, high: int) -> list[_Cut]:
        """The entries of a block, each with the comments above it and the deeper ones below it."""
        entries, column = _block_entries(node), node.start_mark.column
        cuts: list[_Cut] = []
        bodies = [low, *(_line_after(value) for _, value in entries)]
        starts = [*(key.start_mark.line for key, _ in entries), high]
        for place, (body, start) in enumerate(zip(bodies, starts, strict=True)):
            gap = self.lines[body:start]
            apart = body + (_count_deeper(gap, column) if place else 0)
            if cuts:
                cuts[-1] = cuts[-1]._replace(end=apart)
            led = takewhile(lambda line: line.lstrip().startswith("#"), reversed(gap))
            above = max(apart, start - len(list(led)))
            if place < len(entries):
                cuts.append(_Cut(apart, above, start, bodies[place + 1], bodies[place + 1]))
        return cuts

    def _comment_beside(self, key: Any, value: Any) -> str:
        """The comment on the last line of a value, or on the first line of a block."""
        mark = key.end_mark if _is_block(value) else value.end_mark
        found = re.search(r"\s(#.*)", self.lines[mark.line][mark.column :])
        return f"  {found[1]}" if found else ""

    def _join_lines(self, low: int, high: int) -> str:
        return "".join(self.lines[low:high])


def _line_after(node: Any) -> int:
    """The line after a value."""
    if _block_entries(node):
        return _line_after(_child_nodes(node)[-1])
    line: int = node.end_mark.line
    return line if _is_block(node) else line + 1


def _count_deeper(lines: Sequence[str], column: int) -> int:
    """How many lines belong to the entry before, because their comments are indented deeper."""
    count = 0
    for place, line in enumerate(lines, 1):
        if line.lstrip(" ").startswith("#"):
            if line.index("#") <= column:
                break
            count = place
    return count


def _order_keys(want: Iterable[str], kept: Iterable[str]) -> list[str]:
    """Kept keys in their order; new ones follow their predecessor in `want`."""
    order = list(kept)
    place = 0
    for name in want:
        if name not in order:
            order.insert(place, name)
        place = order.index(name) + 1
    return order


def _new_entry(name: Any, want: Any, column: int) -> str:
    if not isinstance(want, dict):
        return indent(f"- {_write_inline(name)}\n", " " * column)
    pair = (_to_node(name), _to_node(want[name], name, column))
    block = MappingNode(f"{TAG}map", [pair], flow_style=False)
    return indent(_serialize(block), " " * column)


def _write_inline(value: str) -> str:
    return _serialize(_to_node([value]))[1:-2]


def _to_node(value: Any, key: str = "", column: int = 0) -> Any:
    """A value as a node: a block if it is long or contains a block, otherwise on one line."""
    if isinstance(value, str):
        lines, unsafe = "\n" in value, NO_BLOCK.search(value)
        style = "|" if lines and not unsafe else '"' if lines or re.search(UNSAFE, value) else None
        return ScalarNode(f"{TAG}str", value, style=style)
    if isinstance(value, Mapping):
        pairs = [(_to_node(k), _to_node(v, k, column + 2)) for k, v in value.items()]
        return _lay_out(MappingNode(f"{TAG}map", pairs), key, column)
    if isinstance(value, list | tuple):
        items = [_to_node(each, "", column + 2) for each in value]
        return _lay_out(SequenceNode(f"{TAG}seq", items), key, column)
    return value if isinstance(value, Node) else SCALARS.represent_data(value)


def _lay_out(node: CollectionNode, key: str, column: int) -> CollectionNode:
    spread = key in SPREAD or column + len(key) + _flow_width(node) > WIDTH
    node.flow_style = not _child_nodes(node) or not (
        spread or any(map(_is_block, _child_nodes(node)))
    )
    return node


def _flow_width(node: Node) -> int:
    """The approximate width of a value on one line, separators included."""
    if isinstance(node, ScalarNode):
        return len(node.value) + 2
    return 2 + sum(
        map(_flow_width, chain(_child_nodes(node), (key for key, _ in _key_pairs(node))))
    )


def _key_pairs(node: Node | None) -> Any:
    return node.value if isinstance(node, MappingNode) else ()


def _values_by_key(node: Node | None) -> dict[str, Node]:
    return {key.value: value for key, value in _key_pairs(node)}


def _child_nodes(node: Any) -> Any:
    return [value for _, value in _key_pairs(node)] if isinstance(node, MappingNode) else node.value


def _is_block(node: Any) -> bool:
    """Whether the node is written over several lines."""
    return node.style in ("|", ">") if isinstance(node, ScalarNode) else not node.flow_style


def _block_entries(node: Any) -> Any:
    """The (key, value) pairs of a block mapping, or (item, item) for a block sequence."""
    if isinstance(node, ScalarNode) or not _is_block(node):
        return []
    return _key_pairs(node) or [(each, each) for each in node.value]


def _dump_spec(spec: GraphSpec) -> dict[str, Any]:
    return spec.model_dump(mode="json", exclude_defaults=True)


def _to_data(node: Node) -> Any:
    return new_yaml("safe").constructor.construct_document(node)


def _to_json(value: object) -> str:
    """An exact form for comparison, because `1 == 1.0 == True` in Python."""
    return json.dumps(value, sort_keys=True, default=_to_data)


def _reuse_nodes(want: Any, node: Node | None) -> Any:
    """The wanted value in the order of the text, with its nodes for what did not change."""
    if node is None or isinstance(want, Node):
        return want
    if _to_json(node) == _to_json(want):
        return node
    if not isinstance(want, dict) or not isinstance(node, MappingNode):
        return want
    had = _values_by_key(node)
    order = _order_keys(want, [key for key in had if key in want])
    return {key: _reuse_nodes(want[key], had.get(key)) for key in order}


def _serialize(root: Node) -> str:
    writer, out = new_yaml("rt"), StringIO()
    writer.indent(mapping=2, sequence=4, offset=2)
    writer.width = sys.maxsize
    writer.serialize(root, out)
    return out.getvalue().removeprefix("%YAML 1.1\n---").lstrip().removesuffix("...\n")
