"""YAML in block style cut into its entries, and put together with other values."""

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

from graphs.spec.diff import moved, renames
from graphs.spec.spec import Edge, GraphSpec
from graphs.spec.yaml_text import entry, inline, item

EDGES = "edges"
INNER = "spec"
BY_NODE = frozenset({"nodes", "positions"})
"""Where the keys are names of nodes."""

Key = TypeVar("Key", bound=Hashable)
Pair = tuple[yaml.Node, yaml.Node]


@dataclass(frozen=True)
class Cut:
    """An entry: comments that stand apart before it, those that lead it, its own lines.

    `body` is where its value ends, `end` where the comments below it end. All are offsets.
    """

    apart: int
    lead: int
    start: int
    body: int
    end: int


@dataclass(frozen=True)
class Change:
    """An entry's name as it is now, and its value before and now."""

    name: str
    old: Any
    new: Any


@dataclass(frozen=True)
class Cutting:
    """A text, each line of it ended, and what the nodes of its graph are called now."""

    text: str
    names: Mapping[str, str]

    def graph(self, node: yaml.MappingNode, change: Change, low: int, high: int) -> str:
        """The stretch of a graph with new values."""
        return self._mapping(node, change, {}, low, high)

    def _mapping(
        self,
        node: yaml.MappingNode,
        change: Change,
        names: Mapping[str, str],
        low: int,
        high: int,
    ) -> str:
        """The stretch of a mapping with new values, its keys renamed."""
        old, new = change.old, change.new
        indent = self._indent(node.value[0][0])
        cuts = self._cuts(node.value, indent, low, high)
        chunks: list[tuple[str | None, str]] = []
        for pair, cut in zip(node.value, cuts, strict=True):
            was = pair[0].value
            name = names.get(was, was)
            if name in new:
                own = self._entry(pair, Change(name, old[was], new[name]), cut)
                chunks.append((name, self.text[cut.apart : cut.start] + own))
            else:
                chunks.append((None, self.text[cut.apart : cut.lead]))
        column = self._column(node)
        own = _joined(chunks, list(new), lambda name: entry(name, new[name], indent, column))
        return own + self.text[cuts[-1].end : high]

    def _edges(self, node: yaml.SequenceNode, change: Change, low: int, high: int) -> str:
        """The stretch of the edges, in the order of the new ones."""
        indent = self._indent(node.value[0])
        cuts = self._cuts([(each, each) for each in node.value], indent, low, high)
        wanted = _numbered(change.new)
        was = [Edge.model_validate(each) for each in change.old]
        now = [moved(edge, self.names) for edge in was]
        chunks: list[tuple[tuple[str, int] | None, str]] = []
        for place, key in enumerate(_numbered(map(str, now))):
            cut = cuts[place]
            if key in wanted:
                own = self.text[cut.start : cut.end]
                if was[place] != now[place]:
                    own = self._renamed(node.value[place], str(now[place]), cut)
                chunks.append((key, self.text[cut.apart : cut.start] + own))
            else:
                chunks.append((None, self.text[cut.apart : cut.lead]))
        places = {key: place for place, key in enumerate(wanted)}
        kept = [places[key] for key, _ in chunks if key is not None]
        if kept != sorted(kept):
            chunks.sort(key=lambda chunk: places[chunk[0]] if chunk[0] is not None else -1)
        own = _joined(chunks, wanted, lambda key: item(key[0], indent))
        return own + self.text[cuts[-1].end : high]

    def _renamed(self, node: yaml.Node, now: str, cut: Cut) -> str:
        start, end = node.start_mark.index, node.end_mark.index
        return self.text[cut.start : start] + inline(now) + self.text[end : cut.end]

    def _entry(self, pair: Pair, change: Change, cut: Cut) -> str:
        """The lines of an entry with its new name and value, and the comments below it."""
        key, value = pair
        first = self._after_line(key.end_mark.index)
        if _exactly(change.old, change.new):
            return self._keyed(pair, change.name, cut.start, cut.end)
        if _block(value) and change.new:
            head = self._keyed(pair, change.name, cut.start, first)
            if isinstance(value, yaml.MappingNode) and isinstance(change.new, dict):
                return head + self._values(value, change, first, cut.end)
            if isinstance(value, yaml.SequenceNode) and change.name == EDGES:
                return head + self._edges(value, change, first, cut.end)
        column = value.start_mark.index - cut.start if value.start_mark.index < first else 0
        fresh = entry(change.name, _in_order(change.new, change.old), self._indent(key), column)
        line, rest = fresh.split("\n", 1)
        comment = self._comment(value if column else key)
        return f"{line}{comment}\n{rest}{self.text[cut.body : cut.end]}"

    def _values(self, node: yaml.MappingNode, change: Change, low: int, high: int) -> str:
        if change.name == INNER:
            inner = replace(self, names=_inner_names(change))
            return inner.graph(node, change, low, high)
        names = self.names if change.name in BY_NODE else {}
        return self._mapping(node, change, names, low, high)

    def _keyed(self, pair: Pair, name: str, start: int, end: int) -> str:
        """Lines of an entry under its new name, the value in its old column as far as it goes."""
        key, value = pair
        if name == key.value:
            return self.text[start:end]
        head = f"{self.text[start : key.start_mark.index]}{inline(name)}"
        if value.start_mark.index >= self._after_line(key.end_mark.index):
            return head + self.text[key.end_mark.index : end]
        beside = value.start_mark.index
        return f"{head}: ".ljust(beside - start) + self.text[beside:end]

    def _cuts(self, pairs: Sequence[Pair], indent: int, low: int, high: int) -> list[Cut]:
        """The entries of a stretch, each with the comments around it."""
        found: list[Cut] = []
        before = low
        for key, value in pairs:
            start, body = self._line_start(key.start_mark.index), self._body(value)
            gap = self.text[before:start].splitlines(keepends=True)
            apart = before + (len("".join(_deeper(gap, indent))) if found else 0)
            led = takewhile(lambda line: line.lstrip().startswith("#"), reversed(gap))
            lead = max(apart, start - sum(map(len, led)))
            if found:
                found[-1] = replace(found[-1], end=apart)
            found.append(Cut(apart=apart, lead=lead, start=start, body=body, end=body))
            before = body
        rest = self.text[before:high].splitlines(keepends=True)
        found[-1] = replace(found[-1], end=before + len("".join(_deeper(rest, indent))))
        return found

    def _body(self, node: yaml.Node) -> int:
        """Where the line after a value begins."""
        if _block(node) and node.value:
            last = node.value[-1]
            return self._body(last[1] if isinstance(node, yaml.MappingNode) else last)
        end = node.end_mark.index
        return self._line_start(end) if _text_block(node) else self._after_line(end)

    def _comment(self, node: yaml.Node) -> str:
        """The comment that ends the line on which a value, or a key, ends."""
        end = node.start_mark.index if _text_block(node) else node.end_mark.index
        line = self.text[end : self._after_line(end)]
        _, mark, said = line.rstrip().partition(" #")
        return f"  #{said}" if mark else ""

    def _column(self, node: yaml.MappingNode) -> int:
        """Where the values of a mapping stand, if all stand beside their keys in one column."""
        columns = {
            value.start_mark.index - self._line_start(value.start_mark.index)
            if value.start_mark.line == key.start_mark.line
            else 0
            for key, value in node.value
        }
        return columns.pop() if len(columns) == 1 and len(node.value) > 1 else 0

    def _indent(self, node: yaml.Node) -> int:
        start = self._line_start(node.start_mark.index)
        line = self.text[start : node.start_mark.index]
        return len(line) - len(line.lstrip(" "))

    def _line_start(self, offset: int) -> int:
        return self.text.rfind("\n", 0, offset) + 1

    def _after_line(self, offset: int) -> int:
        return self.text.find("\n", offset) + 1


def _joined(
    chunks: list[tuple[Key | None, str]], order: Sequence[Key], fresh: Callable[[Key], str]
) -> str:
    """The chunks in their order, what is new put behind what comes before it in `order`."""
    keys = [key for key, _ in chunks]
    texts = [text for _, text in chunks]
    place = 0
    for key in order:
        if key in keys:
            place = keys.index(key) + 1
        else:
            keys.insert(place, key)
            texts.insert(place, fresh(key))
            place += 1
    return "".join(texts)


def _numbered(edges: Iterable[str]) -> list[tuple[str, int]]:
    """An edge that stands twice, told apart by which time it is."""
    seen: Counter[str] = Counter()
    found = []
    for edge in edges:
        found.append((edge, seen[edge]))
        seen[edge] += 1
    return found


def _deeper(lines: Sequence[str], indent: int) -> Sequence[str]:
    """The beginning of these lines, as far as their comments belong to the entry before."""
    count = 0
    for place, line in enumerate(lines, 1):
        bare = line.lstrip(" ")
        if bare.startswith("#"):
            if len(line) - len(bare) <= indent:
                break
            count = place
    return lines[:count]


def _block(node: yaml.Node) -> bool:
    """Is it a mapping or a list of several lines?"""
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _text_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")


def _exactly(one: object, other: object) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _in_order(new: object, old: object) -> object:
    """The new value, what it shares with the old one in the old order."""
    if not isinstance(new, dict) or not isinstance(old, dict):
        return new
    keys = [*(key for key in old if key in new), *(key for key in new if key not in old)]
    return {key: _in_order(new[key], old.get(key)) for key in keys}


def _inner_names(change: Change) -> Mapping[str, str]:
    try:
        return renames(*(GraphSpec.model_validate(each) for each in (change.old, change.new)))
    except ValidationError:  # a parameter of that name which holds no graph
        return {}
