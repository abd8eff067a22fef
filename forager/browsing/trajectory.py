"""The trajectory of an attempt, read from the state: its name, its steps, and the recipes of it.

Some of its pages need no reading, as their text is found elsewhere. A recipe is the path through a
site that led to a cited page; it is kept when a run has answered.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import unquote_plus, urldefrag, urlsplit

from forager.browsing.page import control_words
from forager.browsing.tool_steps import called_just_now
from forager.domain.actions import IN_BROWSER, Action
from forager.domain.documents import Document, Link
from forager.domain.experience import Recipe
from forager.domain.state import Draw, Page, State, Step
from forager.domain.urls import page_identity, pages_at_hand, tried_pages
from forager.errors import MissingBlobError
from forager.ports import Blobs
from forager.text.tokens import tokenize


def trajectory_name(state: State) -> str:
    """The trajectory's name: its round, and the arm it started from."""
    return " ".join((str(state.draw.round), *state.draw.urls[:1]))


def opens_asked_site(state: State, action: Action) -> bool:
    """Does the action open one of the question's sites?"""
    sites = map(page_identity, state.question.sites)
    return action.kind in {"visit", "goto"} and page_identity(action.target) in sites


def viewed_steps(state: State) -> list[Step]:
    """The steps of this round after which a browser showed a view."""
    return [step for step in state.steps if step.round == state.draw.round and step.view]


def current_step(state: State) -> Step | None:
    """The step whose view the browser shows now, or None without a browser."""
    return next(reversed(viewed_steps(state)), None)


def trajectory_to(state: State, at: str) -> tuple[Step, ...]:
    """The steps that lead to the view of step `at`, first step first."""
    steps = {step.id: step for step in viewed_steps(state)}
    path: list[Step] = []
    while at in steps:
        step = steps.pop(at)
        path.append(step)
        at = step.action.at
    return tuple(reversed(path))


def current_trajectory(state: State) -> tuple[Step, ...]:
    """The steps that lead to the view shown now."""
    here = current_step(state)
    return trajectory_to(state, here.id) if here else ()


def steps_of_round(state: State) -> list[Step]:
    """The steps of this round, in order."""
    return [step for step in state.steps if step.round == state.draw.round]


def has_unread_page(state: State) -> bool:
    """Has the last page that this round opened not been read yet?"""
    last = next((step for step in reversed(steps_of_round(state)) if step.page), None)
    return last is not None and (state.reading is None or state.reading.step != last.id)


def steps_from_arm(state: State) -> list[Step]:
    """The steps of this round, after those of earlier rounds that it continues.

    Those are rounds that drew the same arm, and steps that opened its page from another arm.
    """
    rounds = {lesson.round for lesson in state.lessons if lesson.url in state.draw.urls}
    before = [step for step in state.steps if step.round != state.draw.round]
    earlier = [
        step for step in before if step.round in rounds or _opened_any(step, state.draw.urls)
    ]
    return [*earlier, *steps_of_round(state)]


def arm_was_tried(state: State) -> bool:
    """Was the arm's page opened, or at least tried? (A recipe may have bypassed it.)"""
    drawn = set(map(page_identity, state.draw.urls))
    return bool(drawn & tried_pages(steps_from_arm(state))) or recalled_arm(state) is not None


def recalled_arm(state: State) -> Page | None:
    """The arm's page if it was read before: its links are known without a fetch."""
    drawn = set(map(page_identity, state.draw.urls))
    return next((page for page in pages_at_hand(state) if page_identity(page.url) in drawn), None)


def _opened_any(step: Step, urls: Sequence[str]) -> bool:
    """Did a step open one of these pages?"""
    return step.page is not None and not tried_pages([step]).isdisjoint(map(page_identity, urls))


def pages_just_opened(state: State) -> list[tuple[Step, Page]]:
    """The page opened last, after those that were opened with it."""
    if called := called_just_now(state):
        return called
    pages = [(step, step.page) for step in state.steps if step.page]
    proposed = state.proposal
    if not proposed or not proposed.also:
        return pages[-1:]
    visits = (proposed.action, *proposed.also)
    return [each for each in pages if each[0].round == proposed.round and each[0].action in visits]


MAX_ACTIONS: Final = 30
"""A longer path is not worth keeping."""
STARTING_ACTIONS: Final = frozenset({"goto", "new_tab"})
TAB_ACTIONS: Final = frozenset({"new_tab", "focus_tab", "close_tab"})
IN_PLACE_ACTIONS: Final = frozenset({"type", "select", "press", "hover", "scroll"})
"""Actions that change a page but may leave its text as it is."""
REF: Final = re.compile(r"(?:f\d+)?e\d+")
"""The reference of an element, valid for one view of a page only."""


def learn_recipes(state: State) -> tuple[Recipe, ...]:
    """One path per site through the pages that the answer cites, without detours.

    Nothing is learned from a run that did not answer, nor from a path that changed something on the
    site or that only refs can describe.
    """
    if state.answer is None or state.answer.status != "answered":
        return ()
    cited = {citation.id for citation in state.answer.citations}
    read = {item.step for item in state.evidence if item.id in cited}
    paths: dict[str, list[tuple[Action, ...]]] = {}
    for step in state.steps:
        if step.id in read and step.page and (path := _path_to(state, step)):
            paths.setdefault(step.page.site, []).append(path)
    return tuple(
        Recipe(question=state.asked, site=site, actions=actions)
        for site, found in paths.items()
        if 0 < len(actions := _join_paths(found)) <= MAX_ACTIONS
    )


def _path_to(state: State, step: Step) -> tuple[Action, ...]:
    """From an address to the view of a step; empty where the path cannot be repeated."""
    then = replace(state, draw=Draw(round=step.round))
    steps = _without_detours(trajectory_to(then, step.id))
    actions = tuple(_repeatable_action(step.action) for step in steps)
    fit = all(each.kind in IN_BROWSER and not _ends_at_ref(each) for each in actions)
    if any(step.harm for step in steps) or not actions or not fit:
        return ()
    return actions if actions[0].kind in STARTING_ACTIONS else ()


def _without_detours(steps: Sequence[Step]) -> list[Step]:
    """Without loops back to the same page, and without what lay before a new start."""
    path: list[Step] = []
    for step in steps:
        back = next((place for place, one in enumerate(path) if _leads_back(one, step)), None)
        path = path[: back + 1] if back is not None else [*path, step]
    if any(step.action.kind in TAB_ACTIONS for step in path):
        return path
    last = max((place for place, one in enumerate(path) if one.action.kind == "goto"), default=0)
    return path[last:]


def _leads_back(before: Step, after: Step) -> bool:
    """Whether `after` leads back to the page where `before` had led."""
    if before.view is None or after.view is None or before.page is None or after.page is None:
        return False
    there = before.view.url == after.view.url and before.page.blob == after.page.blob
    return there and after.action.kind not in IN_PLACE_ACTIONS | TAB_ACTIONS


def _repeatable_action(action: Action) -> Action:
    """The action without what held for one visit only."""
    target = "" if action.element else action.target
    return action.model_copy(update={"target": target, "at": "", "reason": ""})


def _ends_at_ref(action: Action) -> bool:
    """Whether it drags to an element that only a ref names."""
    return action.kind == "drag" and REF.fullmatch(action.value) is not None


def _join_paths(paths: Iterable[tuple[Action, ...]]) -> tuple[Action, ...]:
    """One path after the other, without those that are the beginning of another."""
    found = list(dict.fromkeys(paths))
    whole = [
        path
        for path in found
        if not any(other != path and other[: len(path)] == path for other in found)
    ]
    return tuple(action for path in whole for action in path)


def shows_no_new_text(state: State, step: Step, page: Document, blobs: Blobs) -> bool:
    """Does the browser show only known text, or search results that are still to be opened?"""
    pages = [each.page for each in viewed_steps(state) if each.page and each.id != step.id]
    if not pages or step.view is None or step.page is None:
        return False
    try:
        last = Document.model_validate_json(blobs.get(pages[-1].blob))
    except MissingBlobError:
        return False
    return step.page.blob in [each.blob for each in pages] or leads_to_results(
        step.action, page, last
    )


def leads_to_results(action: Action, page: Document, before: Document) -> bool:
    """Did a search lead to a list of results (whose pages say more than their excerpts)?

    If so, the page has new links or link texts, and its URL contains words of the search; a search
    that goes straight to the best page has none in its URL.
    """
    element = action.element
    if action.kind != "type" or not action.submit or element is None:
        return False
    if element.role != "searchbox" and not control_words.contains_phrase(
        element.name, control_words.SEARCH
    ):
        return False
    words = set(tokenize(action.value))
    parts = urlsplit(page.url)
    if words.isdisjoint(tokenize(unquote_plus(f"{parts.query} {parts.fragment}"))):
        return False
    known = {_link_key(link) for link in before.links}
    here = page_identity(page.url)
    return any(_link_key(link) not in known and _link_key(link)[0] != here for link in page.links)


def _link_key(link: Link) -> tuple[str, str, str]:
    """A link's target, text and context."""
    return page_identity(urldefrag(link.url).url), link.text, link.context
