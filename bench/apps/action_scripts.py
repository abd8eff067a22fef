"""What is done with the applications, one script each.

A line is an action: its kind, the role of its element and its name in quotes, `#2` for the second
of that name, and its value behind `=`. Enter follows what is typed with `enter` in place of `type`.
`at PATH` goes somewhere first and is not judged; `goto PATH` is. Lines with `#` in front are notes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from forager.browsing.page.aria import Node, describe, fillable, parse
from forager.domain.actions import Action, BrowserKind

LINE: Final = re.compile(
    r'(?P<kind>\w+)(?: (?P<role>[a-z]+) "(?P<name>[^"]*)"(?: #(?P<nth>\d+))?)?'
    r"(?: ?= ?(?P<value>.*))?"
)
ADDRESSED: Final = ("at ", "goto ")


@dataclass(frozen=True)
class Deed:
    """One line of a script; without a role it is done to the page, or to an address."""

    line: str
    kind: str
    role: str = ""
    name: str = ""
    nth: int = 1
    value: str = ""

    def action(self, tree: str, root: str) -> Action | None:
        """The action in a view, or None where the element is not there."""
        kind: BrowserKind = "type" if self.kind == "enter" else self.kind  # type: ignore[assignment]
        if not self.role:
            target = root + self.value if kind == "goto" else ""
            return Action(kind=kind, target=target, value=self.value)
        node = _found(parse(tree), self)
        if node is None:
            return None
        submit = self.kind == "enter"
        return Action(
            kind=kind, target=node.ref, value=self.value, submit=submit, element=describe(node)
        )


def scripts() -> dict[str, tuple[Deed, ...]]:
    """The scripts by the names of their applications."""
    files = sorted((Path(__file__).parent / "scripts").glob("*.txt"))
    return {file.stem: tuple(read(file.read_text(encoding="utf-8"))) for file in files}


def read(script: str) -> Iterator[Deed]:
    """The deeds of a script. Raises ValueError at a line that is none."""
    for line in map(str.strip, script.splitlines()):
        if not line or line.startswith("#"):
            continue
        if line.startswith(ADDRESSED):
            kind, _, path = line.partition(" ")
            yield Deed(line, kind, value=path.strip())
            continue
        found = LINE.fullmatch(line)
        if not found:
            raise ValueError(f"{line!r} is no deed")
        yield Deed(
            line,
            found["kind"],
            found["role"] or "",
            found["name"] or "",
            int(found["nth"] or 1),
            found["value"] or "",
        )


def _found(root: Node, deed: Deed) -> Node | None:
    """The element of that name, or else one whose name begins with it."""
    nodes = [node for node in root.walk() if node.role == deed.role and node.ref]
    for fits in (str.__eq__, str.startswith)[: 2 if deed.name else 1]:
        named = [node for node in nodes if fits(_called(node), deed.name)]
        if len(named) >= deed.nth:
            return named[deed.nth - 1]
    return None


def _called(node: Node) -> str:
    return " ".join((node.name or ("" if fillable(node) else node.words())).split())
