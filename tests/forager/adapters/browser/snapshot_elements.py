"""Finds elements in a snapshot by their names."""

from forager.adapters.browser.tabs import ActionEffects, Tabs
from forager.browsing.page.aria import ITEM_ROLES, Node, node_label, node_value, parse_aria
from forager.domain.actions import Action


def called(tree: str, name: str, role: str = "") -> Node:
    """The first element with a name, any if it is empty, and of a role, else no item of a list."""
    found = (
        each for each in parse_aria(tree).walk() if each.ref and name in (node_label(each), "")
    )
    return next(
        each for each in found if role == each.role or (not role and each.role not in ITEM_ROLES)
    )


async def node(tabs: Tabs, role: str, name: str = "") -> Node:
    """The first element of a role, with a name."""
    return called((await tabs.take_snapshot()).tree, name, role)


async def ref(tabs: Tabs, role: str, name: str = "") -> str:
    return (await node(tabs, role, name)).ref


async def stands(tabs: Tabs, role: str, name: str) -> str:
    """The content of a field."""
    return node_value(await node(tabs, role, name))


def act(kind: str, target: str = "", value: str = "", *, submit: bool = False) -> Action:
    said = {"kind": kind, "target": target, "value": value, "submit": submit}
    return Action.model_validate(said)


async def click(tabs: Tabs, role: str, name: str = "", value: str = "") -> ActionEffects:
    return await tabs.do_action(act("click", await ref(tabs, role, name), value))


async def said(tabs: Tabs) -> str:
    """What the page's own `output` says."""
    return str(await tabs.page.evaluate("document.querySelector('output').textContent"))
