"""Where a walk stands in every mode: what is open, what was not read yet, and what ends it."""

from forager.browsing.page.observation import sought
from forager.budget import least, spent_out
from forager.domain.actions import Action
from forager.domain.state import Part, Proposal, State, Step
from forager.questions.subquestions import asks_of, open_parts, weights_of
from nodes.navigator.params import NavigatorParams

CALL_REFUSED = "the budget allows no further call"
NOTHING_OPEN = "nothing is open any more"


def steps_of_round(state: State) -> list[Step]:
    """The steps of this round."""
    return [step for step in state.steps if step.round == state.draw.round]


def spent_reason(state: State, params: NavigatorParams) -> str:
    """Why no further step may be taken, or nothing."""
    limit = least(params.steps, state.question.budget.steps)
    exhausted = spent_out(state.question.budget, state.spend)
    if len(steps_of_round(state)) >= limit or exhausted:
        return f"the budget of {exhausted or 'steps'} is spent"
    return ""


def has_unread_page(state: State) -> bool:
    """Has the last page that this round opened not been read yet?"""
    last = next((step for step in reversed(steps_of_round(state)) if step.page), None)
    return last is not None and (state.reading is None or state.reading.step != last.id)


def nothing_is_open(state: State) -> bool:
    """Did the aggregator, after a reading that had something, name nothing as open?"""
    heard = state.reading is not None and bool(state.reading.passages)
    return heard and not state.feedback.open


def make_proposal(state: State, params: NavigatorParams, action: Action) -> Proposal:
    """In a browser: a stop without an answer, before the budget's end, has nothing left to try."""
    left = action.kind == "stop" and not action.value and not spent_reason(state, params)
    return Proposal(round=state.draw.round, action=action, nothing_left=left)


def last_action(reason: str, *, unread: bool) -> Action:
    """The last action: a page that was opened is read all the same."""
    return Action(kind="aggregate" if unread else "stop", reason=reason)


def parts_to_pursue(state: State) -> tuple[Part, ...]:
    """What the critic left open, or else the aggregator's feedback, or everything."""
    parts = state.survey.parts
    if state.verdict:
        return open_parts(state.survey, state.verdict) or parts
    return tuple(part for part in parts if part.text in state.feedback.open) or parts


def open_texts(state: State) -> tuple[str, ...]:
    """What is still to be looked up, in words."""
    return state.feedback.open or asks_of(parts_to_pursue(state))


def noted_by_model(state: State) -> bool:
    """Was some of that written by a model that had read pages?"""
    return not {part.text for part in state.survey.parts}.issuperset(open_texts(state))


def open_terms(state: State) -> dict[str, float]:
    """The index terms of what is open, with the greatest weight that a part gives them, or 1."""
    weights = weights_of(state.survey.parts)
    own = {term for part in parts_to_pursue(state) for term in part.terms}
    return {term: weights[term] for term in own} | sought(open_texts(state), weights)
