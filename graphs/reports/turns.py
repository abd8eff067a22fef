"""The turns of a session: what is kept of a finished one for the next, and what is shown."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from forager.adapters.store.sessions.session_store import Session
from forager.answers.likelihood import DoubtKind, doubt_of, is_uncertain
from forager.bandit.posterior import arm_beliefs
from forager.domain.answers import Citation, Lead, NearestQuote
from forager.domain.base import OMIT_EMPTY, Frozen
from forager.domain.spend import Budget
from forager.domain.state import Arm, Question, State, Turn
from forager.errors import SessionError


class EarlierTurn(Frozen):
    """An earlier turn: the question as written, as understood if that differs, and the answer.

    `uncertain` says that the answer counts as answered although a part of it is weaker than that.
    """

    number: int
    question: str
    meant: Annotated[str, OMIT_EMPTY] = ""
    status: str
    uncertain: Annotated[bool, OMIT_EMPTY] = False
    doubt: DoubtKind = Field("", exclude=True)
    answer: str
    citations: tuple[Citation, ...] = ()
    leads: tuple[Lead, ...] = Field((), exclude=True)
    sections: Mapping[str, str] = Field({}, exclude=True)
    """The headings over the quotes, by evidence, for the layout of the answer."""
    open: tuple[str, ...] = Field((), exclude=True)
    read: int = Field(0, exclude=True)
    """How many pages were read."""


def earlier_turns(past: Iterable[Turn]) -> tuple[EarlierTurn, ...]:
    """What is shown of the finished turns."""
    return tuple(
        EarlierTurn(
            number=turn.number,
            question=turn.question.text,
            meant=differing_reading(turn.meaning.text, turn.question),
            status=turn.answer.status if turn.answer else "failed",
            uncertain=turn.answer is not None and is_uncertain(turn.answer),
            doubt=doubt_of(turn.answer) if turn.answer else "",
            answer=turn.answer.text if turn.answer else "",
            citations=turn.answer.citations if turn.answer else (),
            leads=turn.answer.leads if turn.answer else (),
            sections={item.id: item.passage.section for item in turn.evidence},
            open=turn.answer.open if turn.answer else (),
            read=len(
                {page.url for page in turn.pages} | {item.passage.url for item in turn.evidence}
            ),
        )
        for turn in past
    )


def differing_reading(reading: str, question: Question) -> str:
    """How a question was understood; empty where that is as it is written."""
    return "" if reading == question.text else reading


def questions_before(turns: Iterable[EarlierTurn]) -> tuple[str, ...]:
    """The question before each of these turns, and at last that before the present one."""
    return ("", *(turn.question for turn in turns))


CONTEXT = re.compile(r" \([^()]*\)\?$")
"""The words of the conversation that a rule appends to a question; they tell a reader nothing."""


def describe_reading(meant: str, question: str, before: str = "") -> str:
    """How a follow-up to the question `before` was understood, in a sentence.

    Empty where it was taken as it is written.
    """
    if not meant:
        return ""
    text = CONTEXT.sub("", meant)
    if before and text == question.rstrip(" ?？.。"):
        return f"Read as a follow-up to “{before}”."
    shown = text if text == meant else f"{text}?"
    return f"Understood as “{shown}”."


def finished_turn(session: Session, state: State) -> Turn:
    """The present turn as it is kept for later ones."""
    pages = {step.page.url: step.page for step in state.steps if step.page}
    return Turn(
        number=session.turn,
        question=session.question,
        meaning=state.meaning,
        answer=state.answer,
        evidence=state.evidence,
        pages=tuple(pages.values()),
        arms=_learned_arms(state),
    )


def next_question(
    session: Session, past: Iterable[Turn], text: str, budget: Budget | None
) -> Question:
    """The next question of a session; without a budget of its own it has that of the first one.

    Raises SessionError while the present question is unfinished.
    """
    if session.status == "unfinished":
        raise SessionError(
            f"Session {session.id!r} has not answered yet.",
            f"It is not running. Resume it first (in a terminal: forager resume {session.id}).",
        )
    first = next((turn.question for turn in past), session.question)
    update = {"text": text, "budget": budget or first.budget}
    return session.question.model_copy(update=update)


def _learned_arms(state: State) -> tuple[Arm, ...]:
    beliefs = arm_beliefs(state.arms, state.lessons)
    return tuple(
        arm.model_copy(update={"alpha": beliefs[arm.url].alpha, "beta": beliefs[arm.url].beta})
        for arm in state.arms
    )


NO_ARM_LEFT = "Every arm is retired.", "No other page looked likely."
IT_LACKS = re.compile(r"^It (gives no|does not)\b")
LACKS = {"gives no": "mentions no", "does not": "does not"}


def reason_today(reason: str) -> str:
    """Why an answer is not complete."""
    return reason.replace(*NO_ARM_LEFT)


def nearest_today(nearest: NearestQuote) -> NearestQuote:
    """The nearest quote; it once only said that “it” lacks something."""
    why = IT_LACKS.sub(lambda found: f"The nearest passage {LACKS[found[1]]}", nearest.why)
    return nearest.model_copy(update={"why": why})
