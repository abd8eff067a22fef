"""Chooses what to do next: search, open a page, hand the present one to the extractor, or stop."""

from forager.ports import Ports
from forager.state import State, Update
from nodes.navigator import links, search
from nodes.navigator.params import NavigatorParams

__all__ = ["NavigatorParams", "navigate"]

MODES = {"links": links.propose, "search": search.propose}


async def navigate(state: State, ports: Ports, params: NavigatorParams) -> Update:
    """What the mode proposes; each has a file of its own."""
    return {"proposal": await MODES[params.mode](state, ports, params)}
