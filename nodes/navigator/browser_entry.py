"""From links into a browser: where a page's own search or filter form may show what is open."""

from collections.abc import Iterator
from typing import NamedTuple

from forager.domain.actions import Action
from forager.domain.documents import Document
from forager.domain.state import State
from forager.domain.survey import Form
from forager.domain.urls import at_hand, identity, opened, same_site
from forager.ports import Ports
from forager.text.tokens import tokenize
from nodes.navigator.open_work import open_terms, steps_of_round
from nodes.navigator.params import NavigatorParams

ROUNDS_BEFORE_BROWSER = 2
"""Rounds on ranked pages that come before, where there are such pages."""
MAX_BROWSER_ROUNDS = 2
"""Walks in a browser for what one question leaves open."""
MAX_BROWSER_STEPS = 8
"""Actions of one walk in a browser."""
MAX_LEAST = 0.25
"""What a guess must be worth; that a page was found by a search speaks for it already."""
FORM_WORTH = {"gate": 2.0, "filter": 1.0, "search": 0.9}


class _RatedForm(NamedTuple):
    worth: float
    number: int
    form: Form


def enter_browser(state: State, ports: Ports, params: NavigatorParams) -> Action | None:
    """Go to the opened page whose form promises most, once links lead nowhere."""
    if (
        not params.browser
        or not _arms_had_their_turn(state)
        or len(_browser_rounds(state)) >= MAX_BROWSER_ROUNDS
    ):
        return None
    asking = (
        each for each in _rate_forms(state, ports) if not _is_covered_by_arms(state, each.form)
    )
    best = max(asking, default=None, key=lambda each: each[:2])
    if best is None:
        return None
    return Action(kind="goto", target=best.form.url, reason=f"its {best.form.kind} form may know")


def has_fresh_recipe(state: State, params: NavigatorParams) -> bool:
    """Is there a way that worked before, not tried yet in this run?"""
    recipe = state.recall.recipe
    fresh = params.browser and not steps_of_round(state) and not _browser_rounds(state)
    return fresh and recipe is not None and bool(recipe.actions)


def limit_browser_steps(state: State, params: NavigatorParams) -> NavigatorParams:
    """What a walk that is in a browser may still do there."""
    steps = steps_of_round(state)
    entered = next((number for number, step in enumerate(steps) if step.view), len(steps))
    most = min(params.steps, entered + MAX_BROWSER_STEPS)
    return params.model_copy(update={"steps": most, "least": min(params.least, MAX_LEAST)})


def _is_covered_by_arms(state: State, form: Form) -> bool:
    """Would a search give pages that are ranked, and that wait to be tried?"""
    known = any(same_site(site, form.url) for site in state.survey.whole)
    return form.kind == "search" and known and _has_unopened_arms(state)


def _has_unopened_arms(state: State) -> bool:
    """Are there ranked pages that were not opened yet?"""
    read = opened(state)
    return any(identity(arm.url) not in read for arm in state.arms)


def _arms_had_their_turn(state: State) -> bool:
    """Were the best ranked pages tried, or are there no others, or rounds for them?"""
    rounds = state.question.budget.rounds
    last = rounds is not None and state.draw.round >= rounds
    return state.draw.round > ROUNDS_BEFORE_BROWSER or last or not _has_unopened_arms(state)


def _browser_rounds(state: State) -> set[int]:
    """The rounds that went into a browser, or tried to."""
    return {step.round for step in state.steps if step.action.kind == "goto"}


def _rate_forms(state: State, ports: Ports) -> Iterator[_RatedForm]:
    """The forms of the site's pages, but for those that were used; the latest opened count."""
    terms = open_terms(state)
    used = {identity(step.action.target) for step in state.steps if step.action.kind == "goto"}
    for number, form in enumerate(_known_forms(state, ports)):
        here = any(same_site(url, form.url) for url in state.draw.urls)
        if here and identity(form.url) not in used:
            yield _RatedForm(_form_worth(form, terms), number, form)


def _known_forms(state: State, ports: Ports) -> Iterator[Form]:
    """Those that the survey found, and those of the pages read again or opened so far."""
    yield from state.survey.forms
    for page in (*at_hand(state), *(step.page for step in state.steps if step.page)):
        document = Document.model_validate_json(ports.blobs.get(page.blob))
        yield from (form.model_copy(update={"url": document.url}) for form in document.forms)


def _form_worth(form: Form, terms: dict[str, float]) -> float:
    """More for a form whose fields and options say what is asked."""
    said = set(tokenize(form.says))
    held = sum(weight for term, weight in terms.items() if term in said)
    return FORM_WORTH[form.kind] + held / (sum(terms.values()) or 1.0)
