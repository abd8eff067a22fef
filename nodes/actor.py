"""Performs the navigator's action and records where it led."""

from pydantic import Field

from forager.budget import running
from forager.errors import WebError
from forager.frozen import Frozen
from forager.ports import Ports
from forager.sites import same_site
from forager.state import Page, State, Step, Update


class ActorParams(Frozen):
    """Where the actor may go."""

    max_links: int = Field(2000, ge=1, description="links of a page that are counted")


async def act(state: State, ports: Ports, params: ActorParams) -> Update:
    """Open the page; one that cannot be had is a failed step, not an error."""
    assert state.proposal is not None, "the actor follows the navigator"  # noqa: S101
    action, round = state.proposal.action, state.proposal.round
    number = sum(step.round == round for step in state.steps) + 1
    running().actions += 1
    step = Step(id=f"{round}.{number}", round=round, number=number, action=action, outcome="failed")
    try:
        opened = await ports.web.open(action.target)
    except WebError as error:
        return {"steps": (step.model_copy(update={"reason": str(error)}),)}
    document = opened.document
    if not _belongs(state, action.target, document.url):
        reason = f"{action.target} leads to {document.url}, which is not on a site that was asked."
        return {"steps": (step.model_copy(update={"reason": reason}),)}
    page = Page(
        url=document.url,
        title=document.title,
        site=_site(state, document.url),
        blob=opened.blob,
        depth=number - 1,
        links=min(len(document.links), params.max_links),
        note=document.note,
    )
    moved = {"outcome": "moved", "page": page, "cached": opened.cached}
    return {"steps": (step.model_copy(update=moved),)}


def _belongs(state: State, target: str, url: str) -> bool:
    """Is the page on a site that was asked, or where the site itself has moved to?"""
    sites = (*state.question.sites, *(arm.url for arm in state.arms))
    return target in state.question.sites or any(same_site(site, url) for site in sites)


def _site(state: State, url: str) -> str:
    """The site that a page belongs to: the drawn arm's, unless it stands on another one asked."""
    drawn = next((arm.site for arm in state.arms if arm.url in state.draw.urls), url)
    sites = (drawn, *state.question.sites)
    return next((site for site in sites if same_site(site, url)), drawn)
