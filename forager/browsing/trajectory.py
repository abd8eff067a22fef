"""The trajectory of an attempt in a browser, read from the state: its name and its steps."""

from collections.abc import Sequence

from forager.domain.actions import Action
from forager.domain.state import Page, State, Step
from forager.domain.urls import page_identity, pages_at_hand, tried_pages


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
    pages = [(step, step.page) for step in state.steps if step.page]
    proposed = state.proposal
    if not proposed or not proposed.also:
        return pages[-1:]
    visits = (proposed.action, *proposed.also)
    return [each for each in pages if each[0].round == proposed.round and each[0].action in visits]
