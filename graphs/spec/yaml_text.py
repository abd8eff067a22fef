"""Values as YAML that reads like a preset: what is small on one line, texts as blocks."""

from collections.abc import Iterator, Mapping, Sequence

import yaml

WIDTH = 100
STEP = 2
SPREAD = frozenset({"nodes", "edges", "positions", "folds", "spec"})
"""What is written over several lines, however small."""
BREAKS = frozenset("\r\x85\u2028\u2029\ufeff")
"""What a YAML reader may take for the end of a line, so that it has to be escaped."""


class _Blocks(yaml.SafeDumper):
    """Texts of several lines as blocks."""


class _Line(yaml.SafeDumper):
    """Everything on one line."""


def entry(key: str, value: object, indent: int = 0, column: int = 0) -> str:
    """A key and its value as lines of a block; a value beside it begins at `column` at least."""
    head = f"{' ' * indent}{inline(key)}:"
    if not _spread(key, value):
        line = f"{head} ".ljust(column) + inline(value)
        if not _tall(value) and (len(line) <= WIDTH or not _many(value)):
            return f"{line}\n"
    if isinstance(value, str):
        return f"{head} {_block(value, indent)}"
    return f"{head}\n{''.join(_inside(value, indent + STEP))}"


def item(value: object, indent: int = 0) -> str:
    """An item of a block."""
    return f"{' ' * indent}- {inline(value)}\n"


def inline(value: object) -> str:
    """A value on one line."""
    text = yaml.dump(
        value,
        Dumper=_Line,
        default_flow_style=True,
        allow_unicode=True,
        sort_keys=False,
        width=10**9,
    )
    return text.removesuffix("\n").removesuffix("\n...").strip()


def _inside(value: object, indent: int) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, own in value.items():
            yield entry(key, own, indent)
    elif isinstance(value, Sequence):
        for own in value:
            yield item(own, indent)


def _block(text: str, indent: int) -> str:
    dumped: str = yaml.dump(
        {"k": text}, Dumper=_Blocks, default_flow_style=False, allow_unicode=True, width=10**9
    )
    first, *lines = dumped.removesuffix("...\n").removeprefix("k: ").split("\n")[:-1]
    return "".join(f"{each}\n" for each in (first, *(_moved(line, indent) for line in lines)))


def _moved(line: str, indent: int) -> str:
    return f"{' ' * indent}{line}" if line else line


def _many(value: object) -> bool:
    """Can it be written over several lines?"""
    return isinstance(value, Mapping | list | tuple) and bool(value)


def _spread(key: str, value: object) -> bool:
    return key in SPREAD and _many(value)


def _tall(value: object) -> bool:
    """Does it hold what is better read over several lines?"""
    if isinstance(value, str):
        return "\n" in value and not BREAKS.intersection(value)
    if isinstance(value, Mapping):
        return any(_spread(key, own) or _tall(own) for key, own in value.items())
    return False


def _as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    )


def _on_a_line(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    broken = "\n" in text or BREAKS.intersection(text)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if broken else None)


_Blocks.add_representer(str, _as_block)
_Line.add_representer(str, _on_a_line)
