"""Chooses what to do next: search, open or act on a page, hand it to the extractor, or stop."""

from forager.browsing import trajectory
from forager.domain.state import State, Update
from forager.ports import Ports
from nodes.navigator import browser, links, search, tree
from nodes.navigator.params import NavigatorParams

__all__ = ["NavigatorParams", "navigate"]

MODES = {
    "links": links.propose,
    "search": search.propose,
    "browser": browser.propose,
    "visual": browser.propose,
}


async def navigate(state: State, ports: Ports, params: NavigatorParams) -> Update:
    """What the mode proposes; each has a file of its own. A walk that stops leaves the browser."""
    if params.tree:
        update = await tree.grow(state, ports, params)
    else:
        update = {"proposal": await MODES[params.mode](state, ports, params)}
    if trajectory.standing(state) and update["proposal"].action.kind == "stop":
        await ports.browser.leave(trajectory.walk(state))
    return update
