"""Reads YAML and JSON as plain data, with the line of every value."""

import re
from collections.abc import Iterator
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer, MaxDepthExceededError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.resolver import VersionedResolver

from forager.errors import GraphError, UsageError

Path = tuple[str | int, ...]

MAX_DEPTH = 100
STRING, DATE = "tag:yaml.org,2002:str", "tag:yaml.org,2002:timestamp"
NARROWED = {
    "tag:yaml.org,2002:bool": re.compile("..+"),
    "tag:yaml.org,2002:float": re.compile(
        r"[-+]?\d[\d_:]*\.[\d_]*([eE][-+]\d+)?|\.\d[\d_]*([eE][-+]\d+)?|[-+]?\.(?i:inf|nan)"
    ),
    "tag:yaml.org,2002:int": re.compile("[-+]?(0b.+|0x.+|0[0-7_]*|[1-9].*)"),
}
"""What PyYAML accepts as a boolean or number in YAML 1.1. It reads `y` and `1e5` as text."""


class Resolver(VersionedResolver):
    """Resolves plain scalars like PyYAML, so that graphs saved with it keep their meaning."""

    @property
    def processing_version(self) -> tuple[int, int]:
        """YAML 1.1, even if the text declares another version."""
        return 1, 1

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        """The tag of a node."""
        tag = super().resolve(kind, value, implicit)
        narrowed = NARROWED.get(str(tag)) if kind is ScalarNode else None
        return tag if not narrowed or narrowed.fullmatch(value) else self.DEFAULT_SCALAR_TAG


class _Refused(MarkedYAMLError):
    def __init__(self, what: str, mend: str, mark: Any) -> None:
        super().__init__(problem=what, problem_mark=mark)
        self.mend = mend


class _Composer(Composer):
    """Rejects everything but plain data: aliases can expand without limit, tags create objects."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """The next node and its children."""
        event = self.parser.peek_event()
        if isinstance(event, AliasEvent):
            raise _Refused("aliases (*name) are not allowed", "Repeat the value.", event.start_mark)
        if event.ctag is not None and str(event.ctag) not in ("!", STRING):
            raise _Refused(f"the tag {event.ctag} is not allowed", "Remove it.", event.start_mark)
        event.anchor = None
        node = super().compose_node(parent, index)
        if node.tag == DATE:
            raise _Refused(f"{node.value} is a date", "Quote the value.", node.start_mark)
        if node.id == "scalar" and not node.style and node.value.endswith(":"):
            mend = "Put a space after the colon, or quote it."
            raise _Refused(f"{node.value!r} ends with a colon", mend, node.start_mark)
        return node

    def compose_mapping_node(self, anchor: Any) -> Any:
        """A mapping with unique keys that are strings."""
        node = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, value in node.value:
            if value.id == "scalar" and not value.value and not value.style:
                value.start_mark = value.end_mark = key.end_mark  # not at the next token
            if key.tag != STRING:
                raise _Refused(f"{key.value!r} is not a name", "Quote it.", key.start_mark)
            if key.value in seen:
                mend = "Rename or remove one of them."
                raise _Refused(f"{key.value!r} is defined twice", mend, key.start_mark)
            seen.add(key.value)
        return node


class _Yaml(YAML):
    def official_plug_ins(self) -> list[str]:
        """No plug-ins. The default implementation searches the package folder each time."""
        return []


def new_yaml(kind: str) -> YAML:
    """A YAML reader and writer for plain data; `safe` is faster, `rt` keeps comments and styles."""
    yaml = _Yaml(typ=kind, pure=True)
    yaml.Resolver, yaml.Composer = Resolver, _Composer
    yaml.version, yaml.max_depth = (1, 1), MAX_DEPTH
    return yaml


def read_yaml(
    text: str, source: str, fault: type[UsageError] = GraphError
) -> tuple[Any, dict[Path, int]]:
    """Read the data of a text, and the line (from 1) of each path. Raises `fault`."""
    if text.lstrip().startswith("{"):
        text = text.expandtabs(2)  # JSON may be indented with tabs, which YAML refuses
    reader = new_yaml("safe")
    try:
        root = reader.compose(text)
        data = reader.constructor.construct_document(root) if root else None
        return data, dict(_lines_by_path(root, ())) if root else {}
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        mend = getattr(error, "mend", "Correct the YAML.")
        if isinstance(error, MaxDepthExceededError):
            what, mend = "nested too deeply", "Flatten it."
        raise fault(f"{source}{line}: {what}.", mend) from error
    except ValueError as error:  # an integer with too many digits
        raise fault(f"{source}: {error}.", "Quote the value.") from error


def _lines_by_path(node: Node, path: Path) -> Iterator[tuple[Path, int]]:
    """Yield the line of each value; in a mapping, that of its key."""
    yield path, node.start_mark.line + 1
    if isinstance(node, SequenceNode):
        for index, item in enumerate(node.value):
            yield from _lines_by_path(item, (*path, index))
    elif isinstance(node, MappingNode):
        for key, value in node.value:
            yield from _lines_by_path(value, (*path, key.value))
            yield (*path, key.value), key.start_mark.line + 1
