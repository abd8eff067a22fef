"""What ends a walk in every mode: the steps, the budget, and a page that was not read yet."""

from collections.abc import Sequence

from forager.budget import least, spent_out
from forager.state import Action, State, Step
from nodes.navigator.params import NavigatorParams

REFUSED = "the budget allows no further call"


def taken(state: State) -> list[Step]:
    """The steps of this round."""
    return [step for step in state.steps if step.round == state.draw.round]


def spent(state: State, params: NavigatorParams) -> str:
    """Why no further step may be taken, or nothing."""
    limit = least(params.steps, state.question.budget.steps)
    exhausted = spent_out(state.question.budget, state.spend)
    if len(taken(state)) >= limit or exhausted:
        return f"the budget of {exhausted or 'steps'} is spent"
    return ""


def unread(state: State, walked: Sequence[Step]) -> bool:
    """Has the last page opened, if it belongs to this walk, not been read yet?"""
    last = next((step for step in reversed(state.steps) if step.page), None)
    read = state.reading is not None and last is not None and state.reading.step == last.id
    return last is not None and last in walked and not read


def ended(reason: str, *, unread: bool) -> Action:
    """The last action: a page that was opened is read all the same."""
    return Action(kind="aggregate" if unread else "stop", reason=reason)
