"""What differs between two graphs, in words."""

from collections.abc import Sequence

from graphs.spec.diff import Difference
from graphs.spec.edit import called_within
from ui.parts.component import alone

Rows = Sequence[Difference]


def changes(found: Rows, key: str) -> None:
    """A list: added, removed, changed."""
    rows = [
        {"sign": each.sign, "what": each.at or "graph", "before": "", "after": each.message}
        for each in found
    ]
    alone("diff", f"changes-{key}", changes=rows, none="Nothing differs.")


def signs(found: Rows, path: Sequence[str] = ()) -> dict[str, str]:
    """The colours of the canvas: a sign by the name of a node or an edge as written.

    A node is changed where something inside it is; `path` leads to the graph that is drawn.
    """
    told: dict[str, str] = {}
    for each in found:
        at = called_within(path, each.at) or ""
        node, inside, _ = at.partition("/")
        if inside:
            told.setdefault(node, "~")
        elif at:
            told[at] = each.sign
    return told


def in_words(found: Rows) -> str:
    """How much differs, on one line."""
    words = {"+": "added", "-": "removed", "~": "changed"}
    counts = {sign: sum(each.sign == sign for each in found) for sign in words}
    told = [f"{count} {words[sign]}" for sign, count in counts.items() if count]
    return ", ".join(told) or "only its drawing or its text"
