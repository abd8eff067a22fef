"""Scripts of actions, one per application, in `scripts/*.txt`.

Each line is one action: its kind, the role of its element, the element's name in quotes (`#2` for
the second one of that name), and a value after `=`. `enter` types like `type`, then presses Enter.
`at PATH` opens a page without judging the action; `goto PATH` is judged. `#` starts a comment line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from forager.browsing.page.aria import Node, is_fillable, parse_aria, to_element
from forager.domain.actions import Action, BrowserKind

LINE: Final = re.compile(
    r'(?P<kind>\w+)(?: (?P<role>[a-z]+) "(?P<name>[^"]*)"(?: #(?P<nth>\d+))?)?'
    r"(?: ?= ?(?P<value>.*))?"
)
ADDRESSED: Final = ("at ", "goto ")


@dataclass(frozen=True)
class ScriptedAction:
    """One line of a script; without a role it applies to the page or to an address."""

    line: str
    kind: str
    role: str = ""
    name: str = ""
    nth: int = 1
    value: str = ""

    def to_action(self, tree: str, root: str) -> Action | None:
        """Return the action for a page with this ARIA tree; None if the element is missing."""
        kind: BrowserKind = "type" if self.kind == "enter" else self.kind  # type: ignore[assignment]
        if not self.role:
            target = root + self.value if kind == "goto" else ""
            return Action(kind=kind, target=target, value=self.value)
        node = _find_element(parse_aria(tree), self)
        if node is None:
            return None
        submit = self.kind == "enter"
        return Action(
            kind=kind, target=node.ref, value=self.value, submit=submit, element=to_element(node)
        )


def read_scripts() -> dict[str, tuple[ScriptedAction, ...]]:
    """Return all scripts by the name of their application."""
    files = sorted((Path(__file__).parent / "scripts").glob("*.txt"))
    return {file.stem: tuple(parse_script(file.read_text(encoding="utf-8"))) for file in files}


def parse_script(script: str) -> Iterator[ScriptedAction]:
    """Yield the actions of a script. Raises ValueError on an invalid line."""
    for line in map(str.strip, script.splitlines()):
        if not line or line.startswith("#"):
            continue
        if line.startswith(ADDRESSED):
            kind, _, path = line.partition(" ")
            yield ScriptedAction(line, kind, value=path.strip())
            continue
        found = LINE.fullmatch(line)
        if not found:
            raise ValueError(f"{line!r} is not an action")
        yield ScriptedAction(
            line,
            found["kind"],
            found["role"] or "",
            found["name"] or "",
            int(found["nth"] or 1),
            found["value"] or "",
        )


def _find_element(root: Node, deed: ScriptedAction) -> Node | None:
    """Find the element with that name, or else one whose name starts with it."""
    nodes = [node for node in root.walk() if node.role == deed.role and node.ref]
    for fits in (str.__eq__, str.startswith)[: 2 if deed.name else 1]:
        named = [node for node in nodes if fits(_node_label(node), deed.name)]
        if len(named) >= deed.nth:
            return named[deed.nth - 1]
    return None


def _node_label(node: Node) -> str:
    return " ".join((node.name or ("" if is_fillable(node) else node.text_content())).split())
