"""Performs the navigator's action and records where it led, or what it found."""

from collections.abc import Sequence

from pydantic import Field

from forager.browsing.action_text import describe_action
from forager.browsing.safety.address_verbs import following_reason, link_texts, visit_side_effect
from forager.browsing.trajectory import (
    current_step,
    opens_asked_site,
    trajectory_name,
    trajectory_to,
)
from forager.budget import current_meter
from forager.domain.actions import IN_BROWSER, Action
from forager.domain.approvals import ApprovalRequest
from forager.domain.base import Frozen
from forager.domain.documents import OpenedPage
from forager.domain.state import Page, Proposal, State, Step, Update
from forager.domain.survey import NOTHING_FOUND, ClosedPage, SearchResult
from forager.domain.urls import check_allowed, forbidding_entry, page_identity, same_site
from forager.errors import ActionError, BrowserError, SearchError, WebError
from forager.node_type import NodeType, state_keys
from forager.ports import WITHOUT_SCRIPTS, Ports
from forager.util.concurrency import run_concurrently

MAX_SNIPPET = 240
PLACE = {"id", "number"}
LOOK_AGAIN = Action(
    kind="press", value="Shift", reason="a person took over; look at the page again"
)
"""Changes nothing; replaces an action whose page a person has left in the meantime."""
PERSON_NEEDED = "Only a person can continue here."


class ActorParams(Frozen):
    """How much the actor takes in."""

    max_links: int = Field(2000, ge=1, description="links counted on a page, at most")
    results: int = Field(20, ge=1, le=100, description="results asked for in a search")


async def act(state: State, ports: Ports, params: ActorParams) -> Update:
    """Perform the action and record it as a step; a page that cannot be opened is a failed step.

    Raises WebError if none of the question's sites can be opened.
    """
    assert state.proposal is not None, "the actor follows the navigator"  # noqa: S101
    if state.proposal.also:
        return {"steps": await _visit_together(state, state.proposal, ports, params)}
    action = state.proposal.action
    step = _new_step(state, action, 1)
    if action.kind == "search":
        return {"steps": (await _search_web(state, step, ports, params.results),)}
    try:
        check_allowed(state.question.forbidden, action.target)
        if action.kind in IN_BROWSER:
            return {"steps": (await _act_in_browser(state, step, ports, params),)}
        await _ask_to_visit(state, action, ports)
        current_meter().actions += 1
        return {"steps": (_record_page(state, step, await _open_page(action, ports), params),)}
    except WebError as error:
        if _no_site_left(state, [action]):
            raise
        if opens_asked_site(state, action):
            await _warn_once(state, str(error))
        return {"steps": (_failed_step(state, step, error, ports),)}


def _outcome_route(state: State) -> str:
    """Did the last action lead to a page, or find any?"""
    return state.steps[-1].outcome if state.steps else "failed"


NODE_TYPE = NodeType(
    name="actor",
    family="walk",
    summary="Performs the action, asks before it may change something, and records where it led.",
    function=act,
    params=ActorParams,
    routes=("moved", "failed"),
    route=_outcome_route,
    reads=state_keys("question proposal arms"),
    looks=state_keys("survey draw steps"),
    writes=state_keys("steps"),
)


def _new_step(state: State, action: Action, place: int) -> Step:
    """A new step, not performed yet: number `place` (from 1) of the next ones."""
    assert state.proposal is not None  # noqa: S101
    round = state.proposal.round
    number = sum(step.round == round for step in state.steps) + place
    return Step(id=f"{round}.{number}", round=round, number=number, action=action, outcome="failed")


def _failed_step(state: State, step: Step, error: WebError, ports: Ports) -> Step:
    """The step with the reason why it failed, and the page, if that is closed to the run."""
    update: dict[str, object] = {"reason": str(error)}
    if error.closed and step.action.kind in {"visit", "goto"}:
        texts = tuple(dict.fromkeys(link_texts(state, ports.blobs, step.action.target)))
        update["closed"] = ClosedPage(url=step.action.target, why=error.closed, texts=texts)
    return step.model_copy(update=update)


async def _visit_together(
    state: State, proposal: Proposal, ports: Ports, params: ActorParams
) -> tuple[Step, ...]:
    """Open several pages concurrently; those that cannot be opened become the first steps.

    Raises WebError if none of the question's sites can be opened.
    """
    actions = (proposal.action, *proposal.also)
    refused = [await _refused_visit(state, action, ports) for action in actions]
    opened = await run_concurrently(
        _try_page(state, *each, ports) for each in zip(actions, refused, strict=True)
    )
    failed = [(action, page) for action, page in opened if isinstance(page, WebError)]
    if len(failed) == len(actions) and _no_site_left(state, actions):
        raise failed[-1][1]
    for action, error in failed:
        if opens_asked_site(state, action):
            await _warn_once(state, str(error))
    steps = [
        _failed_step(state, _new_step(state, action, 1), page, ports)
        if isinstance(page, WebError)
        else _record_page(state, _new_step(state, action, 1), page, params)
        for action, page in opened
    ]
    ordered = sorted(steps, key=lambda step: step.outcome == "moved")
    return tuple(
        step.model_copy(update=_new_step(state, step.action, place).model_dump(include=PLACE))
        for place, step in enumerate(ordered, start=1)
    )


async def _ask_to_visit(state: State, action: Action, ports: Ports) -> None:
    """Ask about a visit that may change something. Raises ActionError unless it is approved."""
    harm = following_reason(visit_side_effect(state, ports.blobs, action))
    asked = ApprovalRequest(
        kind="approve", what=describe_action(action), why=harm, url=action.target
    )
    if harm and not await ports.person.ask(asked):
        raise ActionError(f"{action.target} was not opened. {harm}", "It was not approved.")


async def _refused_visit(state: State, action: Action, ports: Ports) -> WebError | None:
    """Why a visit that may change something was refused; None if it may be made."""
    try:
        await _ask_to_visit(state, action, ports)
    except ActionError as error:
        return error
    return None


async def _try_page(
    state: State, action: Action, refused: WebError | None, ports: Ports
) -> tuple[Action, OpenedPage | WebError]:
    """The page that a visit opens, or the reason why it cannot be opened."""
    if refused:
        return action, refused
    try:
        check_allowed(state.question.forbidden, action.target)
        current_meter().actions += 1
        return action, await _open_page(action, ports)
    except WebError as error:
        return action, error


def _no_site_left(state: State, actions: Sequence[Action]) -> bool:
    """Was every site of the question tried, without a page from any?"""
    had = any(each.page or each.view or each.found for each in state.steps)
    opens = any(opens_asked_site(state, action) for action in actions)
    if had or any(state.survey.pages.values()) or not opens:
        return False
    tried = (*(each.action for each in state.steps), *actions)
    gone = {page_identity(action.target) for action in tried}
    return gone.issuperset(map(page_identity, state.question.sites))


async def _open_page(action: Action, ports: Ports) -> OpenedPage:
    """The page, rendered in a browser if it shows nothing without scripts."""
    opened = await ports.web.open(action.target)
    if opened.document.note != WITHOUT_SCRIPTS:
        return opened
    try:
        return await ports.browser.render(opened.document.url)
    except BrowserError as error:
        await current_meter().warn(str(error))
        return opened


def _record_page(state: State, step: Step, opened: OpenedPage, params: ActorParams) -> Step:
    """The step with the page it led to, unless that is forbidden or on another site."""
    document, target = opened.document, step.action.target
    if entry := forbidding_entry(state.question.forbidden, document.url):
        reason = f"It leads to {document.url}, and {entry} was forbidden."
        return step.model_copy(update={"reason": reason})
    if not _on_asked_site(state, target, document.url):
        from_where = target if step.action.kind == "visit" else "The action"
        reason = f"{from_where} leads to {document.url}, which is on another site."
        return step.model_copy(update={"reason": reason})
    page = Page(
        url=document.url,
        title=document.title,
        site=_site_of(state, document.url),
        blob=opened.blob,
        depth=_click_depth(state, target, step.number),
        links=min(len(document.links), params.max_links),
        note=document.note,
        dated=document.dated,
        fetched=opened.fetched,
        twins=document.twins,
    )
    moved = {"outcome": "moved", "page": page, "cached": opened.cached}
    return step.model_copy(update=moved)


async def _act_in_browser(state: State, step: Step, ports: Ports, params: ActorParams) -> Step:
    """Return to the view the action was proposed for, examine it there, ask if needed, and do it.

    Raises WebError if it is not done.
    """
    before = current_step(state)
    at = step.action.at or (before.id if before else "")
    step = step.model_copy(update={"action": step.action.model_copy(update={"at": at})})
    name, action = trajectory_name(state), step.action
    way = trajectory_to(state, at)
    await ports.browser.restore(name, way)
    examined = await ports.browser.examine(name, action)
    url = way[-1].view.url if way and way[-1].view else ""
    gate = ApprovalRequest(kind="take over", what=examined.gate, why=PERSON_NEEDED, url=url)
    leave = ApprovalRequest(
        kind="approve", what=describe_action(action), why=examined.harm, url=url
    )
    if examined.gate and not await _ask_person(ports, name, gate):
        raise ActionError(examined.gate, "No one was there to do it.")
    if examined.passed:
        step = step.model_copy(update={"action": LOOK_AGAIN.model_copy(update={"at": at})})
        return await _perform_action(state, step, ports, params)
    if examined.fault:
        raise ActionError(examined.fault)
    if examined.harm and not await _ask_person(ports, name, leave):
        raise ActionError(examined.harm, "It was not approved.")
    return await _perform_action(state, step, ports, params)


async def _perform_action(state: State, step: Step, ports: Ports, params: ActorParams) -> Step:
    """Do the step's action and record the page it led to."""
    current_meter().actions += 1
    done = await ports.browser.perform(trajectory_name(state), step.action, step.id)
    came = _record_page(state, step, done.opened, params)
    return came.model_copy(update={"view": done.view, "sent": done.sent, "harm": done.harm})


async def _ask_person(ports: Ports, name: str, request: ApprovalRequest) -> bool:
    """Ask the person, with a screenshot if there is one; True if they approve."""
    try:
        picture = ports.blobs.put(await ports.browser.screenshot(name), "picture")
    except BrowserError:
        picture = ""
    return await ports.person.ask(request.model_copy(update={"picture": picture}))


async def _search_web(state: State, step: Step, ports: Ports, count: int) -> Step:
    """The step with the results of a search; faults become warnings and the step's reason."""
    action = step.action
    try:
        found = await ports.search.search(action.target, count, action.site)
    except SearchError as error:
        await _warn_once(state, str(error))
        return step.model_copy(update={"reason": str(error)})
    for note in found.notes:
        await _warn_once(state, note)
    if not found.results:
        return step.model_copy(update={"reason": " ".join((NOTHING_FOUND, *found.notes))})
    results = tuple(_shorten_snippet(result) for result in found.results)
    done = {"outcome": "moved", "found": results, "reason": " ".join(found.notes)}
    return step.model_copy(update=done)


async def _warn_once(state: State, note: str) -> None:
    """Warn, unless an earlier step noted the same."""
    if not any(note in step.reason for step in state.steps):
        await current_meter().warn(note)


def _shorten_snippet(result: SearchResult) -> SearchResult:
    return result.model_copy(update={"snippet": result.snippet[:MAX_SNIPPET]})


def _click_depth(state: State, target: str, number: int) -> int:
    """Clicks from a drawn page, or from a search result."""
    found = {result.url for step in state.steps for result in step.found}
    return 0 if target in found or target in state.draw.urls else number - 1


def _on_asked_site(state: State, target: str, url: str) -> bool:
    """Is the page on a site of the question (if it names any), or where that site has moved?"""
    if not state.question.sites:
        return True
    sites = (*state.question.sites, *(arm.url for arm in state.arms))
    return target in state.question.sites or any(same_site(site, url) for site in sites)


def _site_of(state: State, url: str) -> str:
    """The site of a page: that of the drawn arm, or another one of the question."""
    drawn = [arm.site for arm in state.arms if arm.url in state.draw.urls]
    sites = (*drawn, *state.question.sites)
    return next((site for site in sites if same_site(site, url)), (*drawn, url)[0])
