"""A walk in a browser as the state tells it: its name, where it stands, and the way there."""

from forager.domain.actions import Action
from forager.domain.state import State, Step
from forager.domain.urls import identity


def walk(state: State) -> str:
    """The walk's name: its round, and the arm it began at."""
    return " ".join((str(state.draw.round), *state.draw.urls[:1]))


def begins(state: State, action: Action) -> bool:
    """Does it open a site that was asked, in a browser or without?"""
    sites = map(identity, state.question.sites)
    return action.kind in {"visit", "goto"} and identity(action.target) in sites


def viewed(state: State) -> list[Step]:
    """The steps of this round after which a browser showed something."""
    return [step for step in state.steps if step.round == state.draw.round and step.view]


def standing(state: State) -> Step | None:
    """The step whose view the browser shows now, if this walk is in a browser."""
    return next(reversed(viewed(state)), None)


def trail(state: State, at: str) -> tuple[Step, ...]:
    """The steps that lead to the view of step `at`, from the first of them on."""
    steps = {step.id: step for step in viewed(state)}
    way: list[Step] = []
    while at in steps:
        step = steps.pop(at)
        way.append(step)
        at = step.action.at
    return tuple(reversed(way))


def way_here(state: State) -> tuple[Step, ...]:
    """The trail to where the walk stands."""
    here = standing(state)
    return trail(state, here.id) if here else ()
