"""The history of a session: what each step changed, and going on from there."""

from collections import Counter

import streamlit as st

from forager.errors import ForagerError
from graphs.sessions.service import Lined, Point, Report, Session
from graphs.spec.spec import END
from ui.parts import figures
from ui.parts.component import alone
from ui.parts.plain import escaped
from ui.screens.sessions.browse import lines
from ui.screens.sessions.forking import fork_form
from ui.screens.sessions.rows import row
from ui.server.backend import get_backend as here
from ui.server.live.session_status import ACTIVE as GOING


def past(session: Session, report: Report) -> None:
    """The steps on the left, the one that was chosen on the right, with what can be done there."""
    forks = _forks(session)
    turn = _turn(session)
    with st.container(key="past"):
        with st.container(key="steps"):
            counts = Counter(each.line.forked_step for each in forks)
            number = figures.history(session, turn, forks=counts)
        with st.container(key="side"):
            _step(session, report, turn, number)
            _forked(session, forks)


def _turn(session: Session) -> int | None:
    """Which turn is looked at; the present one, unless another is chosen."""
    if session.turn == 1:
        return None
    turns = list(range(session.turn, 0, -1))
    chosen = st.selectbox(
        "Question", turns, format_func=lambda turn: f"Question {turn}", key=f"turn-{session.id}"
    )
    return chosen if chosen != session.turn else None


def _step(session: Session, report: Report, turn: int | None, number: int | None) -> None:
    steps = _steps(session.id, turn) if number else ()
    at = next((each for each in steps if each.number == number), None)
    if at is None:
        st.caption("Choose a step to see what it changed, to go on from it, or to fork it.")
        return
    st.markdown(f"##### Step {at.number}, {escaped(_ran(at))}")
    figures.diff(session.id, at.number, turn)
    st.caption(f"Next: {', '.join(at.next)}")
    if at.next == (END,):
        st.caption("Nothing is left to be done after this step.")
        return
    if turn is None:
        _go_on(session, report, at)
    fork_form(session, turn, at)


def _steps(id: str, turn: int | None) -> tuple[Point, ...]:
    return here().desk.call(lambda sessions: sessions.history(id, turn))


def _ran(at: Point) -> str:
    return ", ".join(dict.fromkeys(at.ran)) or "start"


def _go_on(session: Session, report: Report, at: Point) -> None:
    going = report.status in GOING
    pressed = st.button(
        "Go on from here",
        icon=":material/play_arrow:",
        key=f"go-on-{session.id}",
        disabled=going,
        help="It runs now: pause it first."
        if going
        else "In this session, with its own graph. What came after stays in the history, aside.",
    )
    if not pressed:
        return
    try:
        here().desk.call(lambda sessions: sessions.go_on(session.id, at.number))
    except ForagerError as error:
        st.text(str(error))
        return
    here().run(session.id)
    st.rerun()


def _forks(session: Session) -> list[Lined]:
    return [each for each in lines() if each.line.forked_from == session.id]


def _forked(session: Session, forks: list[Lined]) -> None:
    if not forks:
        return
    st.markdown("##### Forks")
    alone(
        "rows",
        f"forks-{session.id}",
        rows=[
            row(each, here().handbook) | {"fork": f"Step {each.line.forked_step}"} for each in forks
        ],
        chosen="",
        on_chosen_change=lambda: _open(f"forks-{session.id}"),
    )


def _open(key: str) -> None:
    st.query_params["session"] = st.session_state[key]["chosen"]
