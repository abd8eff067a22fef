"""The elements of a page that can be acted on, and what they are called."""

from typing import Final

from forager.browsing.page.aria import Node, fillable, label, value

CONTROLS: Final = frozenset(
    """
    textbox searchbox combobox listbox spinbutton slider checkbox radio switch button tab menuitem
    menuitemcheckbox menuitemradio option treeitem
    """.split()  # noqa: SIM905
)
PLAIN: Final = frozenset({"generic", "group", "fragment"})


def acts(node: Node) -> bool:
    """Is it there to be acted on?"""
    if not node.ref:
        return False
    named = node.role == "generic" and bool(node.name)
    return node.role in CONTROLS or node.role == "link" or "cursor" in node.states or named


def called(node: Node) -> str:
    """What an element is called; a link without words by the file that it leads to."""
    if node.role in {"combobox", "listbox"}:
        return node.name or node.placeholder
    said = label(node)
    if said or not node.url:
        return said
    return node.url.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]


def standing(node: Node) -> str:
    """What stands in a field."""
    return value(node) if fillable(node) else ""


def own_words(node: Node) -> str:
    """The words of an element with others in it, without theirs."""
    if node.name:
        return node.name
    pieces: list[str] = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each is node or not acts(each):
            pieces += filter(None, [each.name or each.text])
            waiting += reversed(each.children)
    return " ".join(pieces)
