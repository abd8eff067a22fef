"""The history of a session: what each step changed, and continuing or forking from there."""

from collections import Counter

import streamlit as st

from graphs.sessions.service import HistoryPoint, ListedLine, Report, Session
from graphs.spec.spec import END
from ui.server.backend import get_backend
from ui.server.live.session_status import ACTIVE
from ui.server.live.step_names import step_name
from ui.web.components import run_parts
from ui.web.components.component import mount_part
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.ask.ask_state import LeftEnd, ask_state
from ui.web.screens.sessions.fork_form import fork_form
from ui.web.screens.sessions.session_list import list_sessions
from ui.web.screens.sessions.session_rows import session_row
from ui.web.tab_state import go_to, widget_value
from ui.web.words import say, say_told


def session_history(session: Session, report: Report) -> None:
    """The steps on the left; the chosen one on the right, with what can be done there."""
    forks = [each for each in list_sessions() if each.line.forked_from == session.id]
    turn = _choose_turn(session)
    with st.container(key="past"):
        with st.container(key="steps"):
            counts = Counter(each.line.forked_step for each in forks)
            step, choice = _suggest_steps(session, turn)
            number = run_parts.checkpoint_history(session, turn, step, forks=counts)
        with st.container(key="side"):
            _step_detail(session, report, turn, number, choice)
            _fork_list(session, forks)


def _suggest_steps(session: Session, turn: int | None) -> tuple[int | None, int | None]:
    """The step that is chosen at first, and the last after which a page was chosen.

    The first stays the same while the run takes further ones.
    """
    key = f"suggested-step-{session.id}-{turn or session.turn}"
    at, choice = get_backend().sessions.call(
        lambda sessions: sessions.forks.suggest_fork(session.id, turn)
    )
    if key not in st.session_state and at is not None:
        st.session_state[key] = at.number
    return st.session_state.get(key), choice.number if choice else None


def _choose_turn(session: Session) -> int | None:
    """The turn that is shown; None for the present one."""
    if session.turn == 1:
        return None
    turns = list(range(session.turn, 0, -1))
    chosen = st.selectbox(
        say("Question"),
        turns,
        format_func=lambda turn: say("Question {turn}", turn=turn),
        key=f"turn-{session.id}",
    )
    return chosen if chosen != session.turn else None


def _step_detail(
    session: Session, report: Report, turn: int | None, number: int | None, choice: int | None
) -> None:
    steps = _list_steps(session.id, turn) if number else ()
    step = next((each for each in steps if each.number == number), None)
    if step is None:
        st.caption(say("Choose a step to see what it changed, to continue from it, or to fork it."))
        return
    st.markdown(
        "##### "
        + say(
            "Step {number}, {step}",
            number=step.number,
            step=escape_markdown(_name_nodes(step)),
        )
    )
    if step.next == (END,):
        st.caption(say("This is the last step. Choose an earlier one to continue or to fork."))
        if turn is None and not step.current:
            _continue_button(session, report, step, label=say("Return to this answer"))
    else:
        nodes = ", ".join(say_told(step_name(node)) for node in step.next)
        st.caption(say("Next: {nodes}", nodes=nodes))
        if number == choice:
            st.caption(
                say("Suggested: from here on a fork chooses pages anew, so that hints count.")
            )
        if turn is None:
            _continue_button(session, report, step)
        fork_form(session, turn, step, choice)
    with st.expander(say("What this step changed"), expanded=step.next == (END,)):
        run_parts.state_changes(session.id, step.number, turn)


def _list_steps(id: str, turn: int | None) -> tuple[HistoryPoint, ...]:
    return get_backend().sessions.call(lambda sessions: sessions.history.checkpoints(id, turn))


def _name_nodes(step: HistoryPoint) -> str:
    return ", ".join(say_told(step_name(node)) for node in dict.fromkeys(step.ran)) or say("Start")


def _continue_button(session: Session, report: Report, step: HistoryPoint, label: str = "") -> None:
    """A button that continues from a step, and opens the run, where that can be undone."""
    running = report.status in ACTIVE
    if report.answer:
        st.caption(say("The new answer replaces the present one. A fork keeps both."))
    pressed = st.button(
        label or say("Continue from here"),
        icon=":material/play_arrow:",
        key=f"go-on-{session.id}",
        disabled=running,
        help=say("It is running: pause it first.")
        if running
        else say(
            "In this session, with its own method. Later steps stay in the history as a branch."
        ),
    )
    if not pressed:
        return
    present = next(each for each in _list_steps(session.id, None) if each.current)
    # The page of the run has it continue: a change of its status would lead back to this page.
    ask_state().left = LeftEnd(session.id, present.number, present.next == (END,), step.number)
    st.switch_page(refer_to_page("ask"), query_params={"session": session.id})


def _fork_list(session: Session, forks: list[ListedLine]) -> None:
    if not forks:
        return
    st.markdown("##### " + say("Forks"))
    key = f"forks-{session.id}"
    mount_part(
        "session_list",
        key,
        rows=[
            session_row(each, get_backend().own_sites)
            | {"fork": say("Step {number}", number=each.line.forked_step)}
            for each in forks
        ],
        chosen="",
        on_chosen_change=lambda: _open_chosen(key),
    )


def _open_chosen(key: str) -> None:
    go_to(session=widget_value(key)["chosen"])
