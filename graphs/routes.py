"""Which way out of a node: pure functions of the state."""

from forager.domain.state import State


def after_survey(state: State) -> str:
    """Was any page found where navigation may start?"""
    return "found" if state.arms else "none"


def after_select(state: State) -> str:
    """Was an arm drawn?"""
    return "arm" if state.draw.urls else "exhausted"


def after_navigate(state: State) -> str:
    """What did the navigator propose?"""
    kind = state.proposal.action.kind if state.proposal else "stop"
    return kind if kind in {"aggregate", "stop"} else "act"


def after_act(state: State) -> str:
    """Did the last action lead to a page, or find any?"""
    return state.steps[-1].outcome if state.steps else "failed"


def after_extract(state: State) -> str:
    """Did the page have anything that bears on the question?"""
    return "found" if state.reading and state.reading.passages else "nothing"


def after_criticise(state: State) -> str:
    """Is the ledger enough?"""
    return "sufficient" if state.verdict and state.verdict.sufficient else "insufficient"


def after_reflect(state: State) -> str:
    """Was the last attempt adequate?"""
    return "done" if state.lessons and state.lessons[-1].outcome == "adequate" else "continue"


def onwards(state: State) -> str:
    """The only way."""
    return "next"


def to_the_end(state: State) -> str:
    """The only way out of the last node."""
    return "end"
