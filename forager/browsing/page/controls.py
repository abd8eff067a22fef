"""The elements of a page that can be acted on, and what they are called."""

from typing import Final

from forager.browsing.page.aria import Node, is_fillable, node_label, node_value

CONTROL_ROLES: Final = frozenset(
    """
    textbox searchbox combobox listbox spinbutton slider checkbox radio switch button tab menuitem
    menuitemcheckbox menuitemradio option treeitem
    """.split()  # noqa: SIM905
)
CONTAINER_ROLES: Final = frozenset({"generic", "group", "fragment"})


def is_actionable(node: Node) -> bool:
    """Is it there to be acted on?"""
    if not node.ref:
        return False
    named = node.role == "generic" and bool(node.name)
    return node.role in CONTROL_ROLES or node.role == "link" or "cursor" in node.states or named


def control_name(node: Node) -> str:
    """What an element is called; a link without words by the file that it leads to."""
    if node.role in {"combobox", "listbox"}:
        return node.name or node.placeholder
    said = node_label(node)
    if said or not node.url:
        return said
    return node.url.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]


def field_value(node: Node) -> str:
    """What stands in a field."""
    return node_value(node) if is_fillable(node) else ""


def own_words(node: Node) -> str:
    """The words of an element with others in it, without theirs."""
    if node.name:
        return node.name
    pieces: list[str] = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each is node or not is_actionable(each):
            pieces += filter(None, [each.name or each.text])
            waiting += reversed(each.children)
    return " ".join(pieces)
