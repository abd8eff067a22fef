"""Describes actions in plain words, for people and for models."""

from collections.abc import Mapping
from types import MappingProxyType

from forager.domain.actions import Action, Kind
from forager.prompts.sections import clip_line

ACTION_PHRASES: Mapping[Kind, str] = MappingProxyType(
    {
        "click": "Click {element}",
        "hover": "Point at {element}",
        "type": "Type {value} into {element}",
        "select": "Select {value} in {element}",
        "drag": "Drag {element} to {plain}",
        "press": "Press {plain} in {element}",
        "scroll": "Scroll {target}",
        "back": "Go back",
        "forward": "Go forward",
        "visit": "Open {target}",
        "goto": "Open {target}",
        "new_tab": "Open {target} in a new tab",
        "focus_tab": "Go to tab {target}",
        "close_tab": "Close tab {target}",
        "find": "Find {aim} in the page",
        "search": "Search for {aim}",
        "aggregate": "Have the page read",
        "stop": "Stop",
        "call": "Call {target}{given}",
        "request": "Send {target}{given}",
    }
)
ROLE_NAMES = {
    "searchbox": "search field",
    "textbox": "field",
    "combobox": "list",
    "listbox": "list",
    "checkbox": "check box",
    "radio": "option",
    "menuitem": "menu item",
    "spinbutton": "number field",
    "listitem": "item",
}
"""Everyday names of roles."""
MAX_NAME_LENGTH = 80
MAX_GIVEN = 400


def describe_action(action: Action) -> str:
    """Describe an action, such as: Click the button “Delete” in the row “Dome 1887”."""
    sentence = ACTION_PHRASES[action.kind].format(
        element=_describe_element(action),
        value=_quote_text(action.value),
        plain=action.value,
        target=action.target,
        aim=_quote_text(action.target),
        given=f" with {clip_line(action.value, MAX_GIVEN)}" if action.value else "",
    )
    if action.kind == "stop" and action.value:
        return f"{sentence} with the answer {_quote_text(action.value)}"
    return f"{sentence} and press Enter" if action.submit else sentence


def _describe_element(action: Action) -> str:
    """Describe the element of an action by its role and name, and by what it is in."""
    element = action.element
    if element is None:
        return action.target or "the page"
    own = _describe_role(f"{element.role} {element.name}")
    inside = [_describe_role(above) for above in element.ancestors[-1:]]
    return " in ".join(f"the {each}" for each in (own, *inside))


def _describe_role(text: str) -> str:
    role, _, name = text.partition(" ")
    return (
        f"{ROLE_NAMES.get(role, role)} {_quote_text(name)}" if name else ROLE_NAMES.get(role, role)
    )


def _quote_text(text: str) -> str:
    return f"“{clip_line(' '.join(text.split()), MAX_NAME_LENGTH)}”"
