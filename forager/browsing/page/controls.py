"""The elements of a page that can be acted on, and their names."""

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
    """Can a user act on it?"""
    if not node.ref:
        return False
    named = node.role == "generic" and bool(node.name)
    return node.role in CONTROL_ROLES or node.role == "link" or "cursor" in node.states or named


def control_name(node: Node) -> str:
    """The name of an element; for a link without text, the file name of its URL."""
    if node.role in {"combobox", "listbox"}:
        return node.name or node.placeholder
    name = node_label(node)
    if name or not node.url:
        return name
    return node.url.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]


def field_value(node: Node) -> str:
    """The content of a field that takes text; else empty."""
    return node_value(node) if is_fillable(node) else ""


def own_words(node: Node) -> str:
    """The text of an element, without that of actionable elements inside it."""
    if node.name:
        return node.name
    pieces: list[str] = []
    stack = [node]
    while stack:
        inner = stack.pop()
        if inner is node or not is_actionable(inner):
            pieces += filter(None, [inner.name or inner.text])
            stack += reversed(inner.children)
    return " ".join(pieces)
