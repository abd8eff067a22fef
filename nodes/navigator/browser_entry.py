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
from nodes.navigator.open_work import asked, taken
from nodes.navigator.params import NavigatorParams

ROUNDS = 2
"""Rounds on ranked pages that come before, where there are such pages."""
WALKS = 2
"""Walks in a browser for what one question leaves open."""
STEPS = 8
"""Actions of one walk in a browser."""
LEAST = 0.25
"""What a guess must be worth; that a page was found by a search speaks for it already."""
WORTH = {"gate": 2.0, "filter": 1.0, "search": 0.9}


class _Asking(NamedTuple):
    worth: float
    number: int
    form: Form


def entry(state: State, ports: Ports, params: NavigatorParams) -> Action | None:
    """Go to the opened page whose form promises most, once links lead nowhere."""
    if not params.browser or not _patient(state) or len(_walks(state)) >= WALKS:
        return None
    asking = (each for each in _asking(state, ports) if not _found_already(state, each.form))
    best = max(asking, default=None, key=lambda each: each[:2])
    if best is None:
        return None
    return Action(kind="goto", target=best.form.url, reason=f"its {best.form.kind} form may know")


def known(state: State, params: NavigatorParams) -> bool:
    """Is there a way that worked before, not tried yet in this run?"""
    recipe = state.recall.recipe
    fresh = params.browser and not taken(state) and not _walks(state)
    return fresh and recipe is not None and bool(recipe.actions)


def within(state: State, params: NavigatorParams) -> NavigatorParams:
    """What a walk that is in a browser may still do there."""
    steps = taken(state)
    entered = next((number for number, step in enumerate(steps) if step.view), len(steps))
    most = min(params.steps, entered + STEPS)
    return params.model_copy(update={"steps": most, "least": min(params.least, LEAST)})


def _found_already(state: State, form: Form) -> bool:
    """Would a search give pages that are ranked, and that wait to be tried?"""
    known = any(same_site(site, form.url) for site in state.survey.whole)
    return form.kind == "search" and known and _others(state)


def _others(state: State) -> bool:
    """Are there ranked pages that were not opened yet?"""
    read = opened(state)
    return any(identity(arm.url) not in read for arm in state.arms)


def _patient(state: State) -> bool:
    """Were the best ranked pages tried, or are there no others, or rounds for them?"""
    rounds = state.question.budget.rounds
    last = rounds is not None and state.draw.round >= rounds
    return state.draw.round > ROUNDS or last or not _others(state)


def _walks(state: State) -> set[int]:
    """The rounds that went into a browser, or tried to."""
    return {step.round for step in state.steps if step.action.kind == "goto"}


def _asking(state: State, ports: Ports) -> Iterator[_Asking]:
    """The forms of the site's pages, but for those that were used; the latest opened count."""
    terms = asked(state)
    used = {identity(step.action.target) for step in state.steps if step.action.kind == "goto"}
    for number, form in enumerate(_forms(state, ports)):
        here = any(same_site(url, form.url) for url in state.draw.urls)
        if here and identity(form.url) not in used:
            yield _Asking(_worth(form, terms), number, form)


def _forms(state: State, ports: Ports) -> Iterator[Form]:
    """Those that the survey found, and those of the pages read again or opened so far."""
    yield from state.survey.forms
    for page in (*at_hand(state), *(step.page for step in state.steps if step.page)):
        document = Document.model_validate_json(ports.blobs.get(page.blob))
        yield from (form.model_copy(update={"url": document.url}) for form in document.forms)


def _worth(form: Form, terms: dict[str, float]) -> float:
    """More for a form whose fields and options say what is asked."""
    said = set(tokenize(form.says))
    held = sum(weight for term, weight in terms.items() if term in said)
    return WORTH[form.kind] + held / (sum(terms.values()) or 1.0)
