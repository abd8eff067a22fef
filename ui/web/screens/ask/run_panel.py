"""The panel beside a run: its status, what can be done with it, what it spent, and its steps."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import streamlit as st

from forager.answers.likelihood import doubtful_parts
from forager.errors import ForagerError
from graphs.reports.report import count_read
from graphs.reports.run_end import can_use_more, used_all_rounds, was_stopped
from graphs.sessions.model_choice import OFFLINE
from graphs.sessions.service import ENDINGS, STOP, Report, Session, Sessions, Steer
from graphs.spec.spec import END, preset_names
from ui.server.backend import get_backend
from ui.server.live.merge_patch import Document
from ui.server.live.session_status import ACTIVE, ENDED, RESUMABLE
from ui.web.components.component import mount_run_part
from ui.web.export_formats import export_menu
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.ask.ask_state import LeftEnd, ask_state
from ui.web.screens.ask.budget_form import raise_limits
from ui.web.session_graph import graph_link
from ui.web.tab_state import go_to
from ui.web.words import later, say, say_told

LEAVING = frozenset({"pause"}) | ENDINGS
"""Requests after which a run is about to end, so that it takes no others but one to end at once."""
Act = Callable[[str], None]


class Verb(NamedTuple):
    """A button, and the statuses in which it is shown."""

    label: str
    icon: str
    when: frozenset[str]
    act: Act
    help: str


def _rounds_used(session: Session, report: Report) -> int:
    """The rounds of a run without a model that took all it may, which can be more; else 0."""
    ended_so = session.model == OFFLINE and used_all_rounds(report)
    return report.spent.rounds if ended_so else 0


def run_panel(session: Session, report: Report, first: Document) -> None:
    """Draw it; `first` is the view until the stream has begun."""
    id = session.id
    state = f"{report.status} {session.asked} {session.turn} {len(report.pleas)}"
    mount_run_part("status", id, state=state, first=first, on_state_change=_redraw)
    with st.container(key="verbs", horizontal=True):
        _undo_continue(session, report)
        for verb in VERBS:
            if _is_offered(verb, report):
                leaving = report.status in ACTIVE and session.asked in LEAVING
                if leaving and verb.act is _stop_run and session.asked == STOP:
                    _verb_button(END_NOW, session.id, leaving=False)
                else:
                    _verb_button(verb, session.id, leaving=leaving)
        if report.status in ("answered", "partial") and report.leads and _is_more_known(report):
            _look_further_button(session, report)
        if report.status in ENDED and ask_state().left is None:
            _other_answer_button(session)
    _more_actions(session, report)
    if fault := get_backend().fault(id) or ask_state().take("refused"):
        st.error(escape_markdown(say_told(fault)))
    with st.container(key="meters"):
        mount_run_part("meters", id, first=first)
    mount_run_part("timeline", id)


def _is_more_known(report: Report) -> bool:
    """Whether a page is known that the run has not opened."""
    return count_read(report) < report.known


def _look_further_button(session: Session, report: Report) -> None:
    """A button that sets the quotes of the answer aside and has the run go on; it can be undone.

    Where some sub-questions are doubtful, it sets only theirs aside.
    """
    doubtful = doubtful_parts(report.leads)
    wrong = [lead.quote for lead in report.leads if lead.part in doubtful or not doubtful]
    act = partial(_look_further, tuple(dict.fromkeys(wrong)))
    _wide_button(later("Wrong answer? Look further"), ":material/travel_explore:", act, session.id)


def _look_further(quotes: tuple[str, ...], id: str) -> None:
    office = get_backend()
    steps = office.sessions.call(lambda to: to.history.checkpoints(id))
    present = next(step for step in steps if step.current)
    change = Steer(set_aside=quotes)
    office.sessions.call(lambda to: to.forks.continue_from(id, None, change))
    ask_state().left = LeftEnd(id, present.number, present.next == (END,))
    office.run(id)


def _other_answer_button(session: Session) -> None:
    """A button that leads back to the last answer that the session left by going back, if any."""
    steps = get_backend().sessions.call(lambda to: to.history.checkpoints(session.id))
    ends = [step.number for step in steps if step.next == (END,) and not step.on_path]
    if ends:
        help = later("Back to the answer that this session gave before. Both stay in its history.")
        act = partial(_continue_from, ends[-1])
        _wide_button(later("Other answer"), ":material/swap_horiz:", act, session.id, help)


def _more_actions(session: Session, report: Report) -> None:
    """Limits, export, and where to go from here."""
    id = session.id
    in_vain = report.status == "failed" and not count_read(report)  # no limit was to blame
    with st.container(key="more", horizontal=True):
        if in_vain:
            _edit_button(session, report)
        elif report.status != "answered" and (report.status not in ENDED or can_use_more(report)):
            raise_limits(
                session, ended=report.status in ENDED, rounds=_rounds_used(session, report)
            )
        if report.answer or report.status in ENDED:
            with st.popover(say("Export"), icon=":material/download:", type="tertiary"):
                export_menu(session, report, explained=False)
        if not in_vain and report.status not in ACTIVE | {"paused", "interrupted"}:
            _edit_button(session, report)
        icon = ":material/fork_right:"
        link = {"session": id, "tab": "History"}
        st.page_link(refer_to_page("sessions"), label=say("History"), icon=icon, query_params=link)
        if session.graph not in preset_names():  # the way back to one's own graph
            graph_link(session)


def _edit_button(session: Session, report: Report) -> None:
    st.button(
        say("Edit and ask again"),
        key=f"edit-{session.id}",
        icon=":material/edit:",
        type="tertiary",
        on_click=_edit_question,
        args=(_alone(session, report),),
    )


def continue_requested(id: str) -> None:
    """Have a session continue from the step that was chosen in its history, if one was.

    Once its page is drawn: a part of the page before would answer the change with its own page.
    """
    left = ask_state().left
    if left is None or left.session != id or not left.source:
        return
    step, left.source = left.source, 0
    _carry_out(partial(_continue_from, step), id)
    if ask_state().refused:
        ask_state().left = None
    st.rerun()


def _continue_from(step: int, id: str) -> None:
    office = get_backend()
    office.sessions.call(lambda to: to.forks.continue_from(id, step))
    office.run(id)


def _undo_continue(session: Session, report: Report) -> None:
    """A button that takes back that the session continues from an earlier step.

    A run is paused first: the script runs again once it has left.
    """
    left = ask_state().left
    if left is None or left.session != session.id or left.source:
        return
    if left.wanted and report.status not in ACTIVE:
        ask_state().left = None
        _carry_out(partial(_return_to, left), session.id)
        st.rerun()
    help = later("Back to where the session was before it continued from an earlier step.")
    act = partial(_request_return, left)
    _wide_button(later("Undo"), ":material/undo:", act, session.id, help, disabled=left.wanted)


def _request_return(left: LeftEnd, id: str) -> None:
    left.wanted = True
    get_backend().pause(id).result()


def _return_to(left: LeftEnd, id: str) -> None:
    office = get_backend()
    office.sessions.call(lambda to: to.forks.continue_from(id, left.step))
    if left.ended:
        office.run(id)


def _is_offered(verb: Verb, report: Report) -> bool:
    """Whether a button is shown; a run that was stopped is resumed as one that was paused is."""
    if verb.act is _resume_run and was_stopped(report):
        return bool(report.known or report.visited) or _has_step(report.session)
    return report.status in verb.when


def _has_step(id: str) -> bool:
    """Whether a run took a step from which it can go on."""
    return get_backend().sessions.call(lambda to: to.forks.suggest_step(id)) is not None


def _alone(session: Session, report: Report) -> Session:
    """The session with its question as it can be asked by itself: a follow-up as it was read."""
    if not (report.turns and report.meant):
        return session
    question = session.question.model_copy(update={"text": report.meant})
    return session.model_copy(update={"question": question})


def _edit_question(session: Session) -> None:
    state = ask_state()
    state.edited, state.editing = session, session.id
    state.emptied += 1
    state.focus_requested = True
    go_to()


def _redraw() -> None:
    """The status changed: the script runs again because of this callback."""


def _verb_button(verb: Verb, id: str, *, leaving: bool) -> None:
    _wide_button(verb.label, verb.icon, verb.act, id, verb.help, disabled=leaving)


def _wide_button(  # noqa: PLR0913
    label: str, icon: str, act: Act, id: str, help: str = "", *, disabled: bool = False
) -> None:
    """A button of the panel that does something with the session."""
    st.button(
        say(label),
        key=f"{label}-{id}",
        icon=icon,
        help=say(help) if help else None,
        on_click=_carry_out,
        args=(act, id),
        width="stretch",
        disabled=disabled,
    )


def _carry_out(act: Act, id: str) -> None:
    """Do it; why it is refused is shown below the buttons."""
    try:
        act(id)
    except ForagerError as error:
        ask_state().refused = str(error)


def _pause_run(id: str) -> None:
    get_backend().pause(id).result()


def _stop_run(id: str) -> None:
    office = get_backend()
    office.sessions.call(lambda to: to.request_stop(id))  # the buttons are drawn by it
    office.stop(id)


def _end_run(id: str) -> None:
    get_backend().sessions.call(lambda to: to.request_stop(id, now=True))


def _resume_run(id: str) -> None:
    office = get_backend()
    if office.sessions.call(lambda to: to.get(id)).status in ENDED:
        office.sessions.call(partial(_go_back, id))
    office.run(id)


async def _go_back(id: str, sessions: Sessions) -> None:
    """Before the end; of a run that was stopped in its survey, before that."""
    _, report = await sessions.show_session(id)
    step = None if report.known else await sessions.forks.suggest_step(id)
    await sessions.forks.continue_from(id, step.number if step else None)


VERBS = (
    Verb(
        later("Pause"),
        ":material/pause:",
        frozenset({"running"}),
        _pause_run,
        later("Pause after the current step. You can resume at any time."),
    ),
    Verb(
        later("Resume"),
        ":material/play_arrow:",
        RESUMABLE,
        _resume_run,
        "",  # the page says it; the tooltip of a button under the pointer would hide the status
    ),
    Verb(
        later("Stop and answer"),
        ":material/flag:",
        ACTIVE | {"paused", "interrupted"},
        _stop_run,
        later("Stop after the current step and answer from what was found."),
    ),
)
END_NOW = Verb(
    later("End now"),
    ":material/stop_circle:",
    ACTIVE,
    _end_run,
    later("End at once. What was read so far is kept, but not checked."),
)
