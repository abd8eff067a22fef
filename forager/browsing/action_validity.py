"""Decides which actions a view allows, and explains why one is not possible."""

import re
from collections.abc import Iterable
from typing import Final

from forager.browsing.page.aria import Node, is_fillable, node_by_ref, node_label
from forager.domain.actions import Action, BrowserKind
from forager.domain.browser import Snapshot
from forager.domain.urls import link_target

LIST_ROLES: Final = frozenset({"combobox", "listbox", "menu", "radiogroup", "tree"})
OPTION_ROLES: Final = frozenset({"option", "menuitem", "menuitemradio", "radio", "treeitem"})
CLICKABLE_ROLES: Final = frozenset(
    {"button", "checkbox", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option"}
    | {"radio", "switch", "tab", "treeitem", "gridcell", "columnheader"}
)
"""Roles that can be clicked; other elements can be if the cursor is a hand over them."""
TEXTLESS_ROLES: Final = CLICKABLE_ROLES | {
    "heading",
    "img",
    "list",
    "listitem",
    "table",
    "row",
    "dialog",
}
"""Roles that take no text; whether other elements do, only the live page knows."""
NUMBER: Final = re.compile(r"\s*[+-]?\d+(?:\.\d+)?\s*")
OFFSET: Final = re.compile(r"\s*[+-]?\d+\s*,\s*[+-]?\d+\s*")
REF: Final = re.compile(r"(?:f\d+)?e\d+")
KEY: Final = re.compile(
    r"(?:(?:Control|Shift|Alt|Meta|ControlOrMeta)\+)*(?:\S|F(?:1[0-2]|[1-9])|Enter|Tab|Escape|Space"
    r"|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right))(?:\*\d{1,3})?"
)
MAX_SUGGESTIONS: Final = 8
"""How many valid choices a message names."""


def possible_kinds(root: Node, snapshot: Snapshot, tabs: int = 1) -> tuple[BrowserKind, ...]:
    """The kinds of action that are possible in a view; `root` is its accessibility tree."""
    usable = [node for node in root.walk() if node.ref and not is_disabled(node)]
    acting = [node for node in usable if is_interactive(node)]
    possible: dict[BrowserKind, bool] = {
        "click": bool(acting),
        "type": any(is_fillable(node) and not _options_in(node) for node in usable),
        "select": any(node.role in LIST_ROLES for node in usable),
        "hover": bool(acting),
        "drag": snapshot.drags or any(node.role == "slider" for node in usable),
        "press": bool(acting),
        "scroll": snapshot.above > 0 or snapshot.below > 0,
        "back": snapshot.back,
        "forward": snapshot.forward,
        "goto": True,
        "new_tab": True,
        "focus_tab": tabs > 1,
        "close_tab": tabs > 1,
        "find": True,
    }
    return tuple(kind for kind, offered in possible.items() if offered)


def action_fault(  # noqa: PLR0911
    action: Action, root: Node, snapshot: Snapshot, tabs: int = 1
) -> str:
    """Why an action is not possible in this view and what would be; empty if it is possible."""
    match action.kind:
        case "click" | "hover" | "type" | "select" | "drag":
            return _element_fault(action, root)
        case "press":
            return _press_fault(action, root)
        case "scroll":
            return _scroll_fault(action, root, snapshot)
        case "back" | "forward":
            return _history_fault(action, snapshot)
        case "goto" | "new_tab":
            return _address_fault(action)
        case "focus_tab" | "close_tab":
            return _tab_fault(action, tabs)
        case "find":
            return "" if action.target.strip() else "Name the words to find."
        case _:
            return ""


def is_interactive(node: Node) -> bool:
    """Can a user click it, type into it or choose from it?"""
    return (
        node.role in CLICKABLE_ROLES
        or is_fillable(node)
        or node.role in LIST_ROLES
        or "cursor" in node.states
    )


def is_disabled(node: Node) -> bool:
    """Is it, or anything it is in, disabled?"""
    return any("disabled" in each.states for each in (node, *node.ancestors()))


def _element_fault(action: Action, root: Node) -> str:
    node = node_by_ref(root, action.target)
    if node is None:
        suggestion = (
            f" Did you mean {similar}?" if (similar := _suggest_element(action, root)) else ""
        )
        return f"There is no element {action.target!r} in this view.{suggestion}"
    if is_disabled(node) and action.kind != "hover":
        return f"{_describe_node(node)} is disabled: something else must be done first."
    check = {"type": _typing_fault, "select": _selection_fault, "drag": _drag_fault}.get(
        action.kind
    )
    return check(action, node, root) if check else ""


def _typing_fault(action: Action, node: Node, root: Node) -> str:
    if node.role in TEXTLESS_ROLES:
        fields = (each for each in root.walk() if is_fillable(each) and not _options_in(each))
        return f"{_describe_node(node)} takes no text.{_list_elements('Fields are', fields)}"
    if node.role == "combobox" and _options_in(node):
        return f"{_describe_node(node)} is a list: select one of its options.{_list_options(node)}"
    if node.role in {"spinbutton", "slider"} and not NUMBER.fullmatch(action.value):
        return f"{_describe_node(node)} takes a number, not {action.value!r}."
    return ""


def _selection_fault(action: Action, node: Node, root: Node) -> str:
    if node.role in CLICKABLE_ROLES:
        return f"{_describe_node(node)} has no options: click it."
    if node.role == "textbox":
        lists = _list_elements(
            "Lists are", (each for each in root.walk() if each.role in LIST_ROLES)
        )
        return f"{_describe_node(node)} has no options: type into it.{lists}"
    options = _options_in(node)
    asked = {_fold_text(part) for part in (action.value, *action.value.split(","))}
    if options and asked.isdisjoint(_fold_text(option.name) for option in options):
        return f"{_describe_node(node)} has no option {action.value!r}.{_list_options(node)}"
    chosen = [each for each in options if _fold_text(each.name) == _fold_text(action.value)]
    if chosen and all(is_disabled(option) for option in chosen):
        return f"The option {action.value!r} of {_describe_node(node)} is disabled."
    return ""


def _drag_fault(action: Action, node: Node, root: Node) -> str:
    if REF.fullmatch(action.value):
        if action.value == action.target:
            return "It cannot be dragged onto itself."
        target = node_by_ref(root, action.value)
        return "" if target else f"There is no element {action.value!r} in this view to drag to."
    if NUMBER.fullmatch(action.value) or OFFSET.fullmatch(action.value):
        return ""
    return (
        f"{_describe_node(node)} cannot be dragged to {action.value!r}: give the ref of an "
        "element, an offset in pixels (30,-10), or the number to set a slider to."
    )


def _press_fault(action: Action, root: Node) -> str:
    keys = action.value
    if action.target and (place_fault := _element_fault(action, root)):
        return place_fault
    unknown = next((key for key in keys.split() or [""] if not KEY.fullmatch(key)), None)
    examples = "Keys are such as Enter, Tab, Escape, ArrowDown, Control+A, or single letters."
    return "" if unknown is None else f"{unknown!r} is not a key. {examples}"


def _scroll_fault(action: Action, root: Node, snapshot: Snapshot) -> str:
    if action.target not in {"up", "down"}:
        return f"{action.target!r} is not a direction: scroll up or down."
    if action.value:
        known = node_by_ref(root, action.value)
        return "" if known else f"There is no element {action.value!r} in this view to scroll."
    if (snapshot.below if action.target == "down" else snapshot.above) > 0:
        return ""
    return f"There is nothing more to see further {action.target} here."


def _history_fault(action: Action, snapshot: Snapshot) -> str:
    possible = snapshot.back if action.kind == "back" else snapshot.forward
    return "" if possible else f"There is no page to go {action.kind} to in this tab."


def _address_fault(action: Action) -> str:
    url = action.target
    if not url and action.kind == "new_tab":
        return ""
    if link_target("", url) and not re.search(r"\s", url):
        return ""
    return f"{url!r} is not an address: give one that begins with http:// or https://."


def _tab_fault(action: Action, tabs: int) -> str:
    if tabs < 2:  # noqa: PLR2004
        return "There is only one tab."
    if not action.target and action.kind == "close_tab":
        return ""
    if action.target.isdecimal() and int(action.target) < tabs:
        return ""
    return f"There is no tab {action.target!r}: tabs are counted from 0 to {tabs - 1}."


def _suggest_element(action: Action, root: Node) -> str:
    """Describe an element whose name is the target, or the name of the intended element."""
    name = _fold_text(action.element.name if action.element else action.target)
    alike = (each for each in root.walk() if each.ref and is_interactive(each))
    similar = next((each for each in alike if name and _fold_text(node_label(each)) == name), None)
    return _describe_node(similar) if similar else ""


def _options_in(node: Node) -> list[Node]:
    return [each for each in node.walk() if each is not node and each.role in OPTION_ROLES]


def _list_options(node: Node) -> str:
    names = [repr(option.name) for option in _options_in(node) if not is_disabled(option)]
    more = ", …" if len(names) > MAX_SUGGESTIONS else ""
    return f" Options are {', '.join(names[:MAX_SUGGESTIONS])}{more}." if names else ""


def _list_elements(what: str, nodes: Iterable[Node]) -> str:
    named = [_describe_node(node) for node in nodes if node.ref and not is_disabled(node)]
    return f" {what} {', '.join(named[:MAX_SUGGESTIONS])}." if named else ""


def _describe_node(node: Node) -> str:
    name = " ".join(node_label(node).split())[:60]
    return f"{node.ref} ({node.role} {name!r})" if name else f"{node.ref} ({node.role})"


def _fold_text(text: str) -> str:
    return " ".join(text.split()).casefold()
