"""Chooses what to do next: search, open or act on a page, hand it to the extractor, or stop.

Each mode has a file: `links`, `site`, `search`, `browser` (with screenshots: visual), and `tree`
for best-first search in a browser. `forced_moves` is what a browser does without asking a model.
"""

from forager.browsing import trajectory
from forager.domain.actions import Action
from forager.domain.state import Proposal, State, Update
from forager.node_type import NodeType, state_keys
from forager.ports import Ports
from forager.questions.subquestions import was_confirmed
from nodes.navigator import browser, links, search, site, tree
from nodes.navigator.browser import ActInBrowser
from nodes.navigator.links import ChooseLink
from nodes.navigator.params import NOTHING_OPEN, NavigatorParams
from nodes.navigator.search import SearchOrRead
from nodes.navigator.site import ChooseOnSite
from nodes.navigator.tree import RateActions

__all__ = ["NavigatorParams", "navigate"]

MODES = {
    "links": links.propose_link,
    "site": site.propose_on_site,
    "search": search.propose_search,
    "browser": browser.propose_browser_action,
    "visual": browser.propose_browser_action,
}


async def navigate(state: State, ports: Ports, params: NavigatorParams) -> Update:
    """Ask the mode for a proposal; a round that stops closes its tabs."""
    if was_confirmed(state) and not trajectory.has_unread_page(state):
        stop = Action(kind="stop", reason=NOTHING_OPEN)
        update: Update = {"proposal": Proposal(round=state.draw.round, action=stop)}
    elif params.tree:
        update = await tree.grow_tree(state, ports, params)
    else:
        update = {"proposal": await MODES[params.mode](state, ports, params)}
    if trajectory.current_step(state) and update["proposal"].action.kind == "stop":
        await ports.browser.close_tabs(trajectory.trajectory_name(state))
    return update


def _proposal_route(state: State) -> str:
    """What did the navigator propose?"""
    kind = state.proposal.action.kind if state.proposal else "stop"
    return kind if kind in {"aggregate", "stop"} else "act"


NODE_TYPE = NodeType(
    name="navigator",
    family="walk",
    summary="Chooses what to do next: search, open or act on a page, read it, or stop.",
    function=navigate,
    params=NavigatorParams,
    routes=("act", "aggregate", "stop"),
    route=_proposal_route,
    reads=state_keys("question spend survey"),
    looks=state_keys("meaning arms draw recall frontier steps reading feedback verdict lessons"),
    modes={"links": state_keys("draw"), "site": state_keys("draw")},
    writes=state_keys("proposal frontier"),
    spent="stop",
    counts={"act": "steps", "aggregate": "reading"},
    tasks=(ChooseLink, ChooseOnSite, SearchOrRead, ActInBrowser, RateActions),
)
