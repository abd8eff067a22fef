"""What a person can do with a run of the open graph; uses nothing of Streamlit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from forager.domain.parameters import ParameterValue
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import ForagerError, SessionError
from graphs.runtime.halts import Halts, read_breakpoints
from graphs.sessions.debugging.state_edit import find_faults
from graphs.sessions.model_choice import default_line, settle_models
from graphs.sessions.service import ForkChange, ListedLine
from graphs.spec.edit import with_values
from graphs.system.site_check import find_site_fault
from ui.server.backend import get_backend
from ui.server.live.session_status import ACTIVE, RESUMABLE
from ui.web.screens.graphs.draft_run.state_draft import StateDraft
from ui.web.screens.graphs.editor_actions import catch_faults
from ui.web.screens.graphs.editor_state import editor_state
from ui.web.screens.graphs.open_graph import OpenGraph, find_open_graph
from ui.web.tab_state import tab_object

PAGES: Final = 10
SECONDS: Final = 180.0
LONG_AGO: Final = 1.0
"""Pages fetched since then, in seconds since the epoch, are used as they are stored."""


class DraftQuestion(NamedTuple):
    """What to ask: a question, its sites, a limit of pages, whether stored pages will do, and the
    values of the graph's parameters that differ from the defaults.
    """

    text: str = ""
    sites: tuple[str, ...] = ()
    pages: int = PAGES
    stored: bool = False
    values: Mapping[str, ParameterValue] = MappingProxyType({})


@dataclass
class DraftRuns:
    """What a tab remembers of the runs of drafts, by the name of the graph.

    `open` says whether the panel is shown, `mending` whether the form of the state is; `edited` is
    what was changed there. A tab is `fresh` until its address was read.
    """

    fresh: bool = True

    open: bool = False
    mending: bool = False
    edited: StateDraft = field(default_factory=StateDraft)
    questions: dict[str, DraftQuestion] = field(default_factory=dict)


def draft_runs() -> DraftRuns:
    """That of this tab."""
    return tab_object(DraftRuns)


def toggle_panel() -> None:
    """Show the panel, or hide it."""
    runs = draft_runs()
    runs.open = not runs.open
    if runs.open:
        editor_state().side_hidden = False


def recall_run(now: OpenGraph) -> None:
    """Take up the question that was asked with this graph last, and a run that waits.

    After a reload the tab knows neither.
    """
    runs = draft_runs()
    if now.name in runs.questions:
        return
    found = get_backend().sessions.call(lambda to: to.listing.search())
    runs.questions[now.name] = DraftQuestion()
    for name in filter(None, (now.name, now.origin)):
        if last := next((each for each in found if each.line.graph == name), None):
            _recall(now.name, last)
            return


def _recall(name: str, last: ListedLine) -> None:
    session = get_backend().sessions.call(lambda to: to.get(last.line.id))
    pages = session.question.budget.pages or PAGES
    asked = session.question
    runs = draft_runs()
    runs.questions[name] = DraftQuestion(asked.text, asked.sites, pages, bool(session.since))
    if name == session.graph and last.status in ACTIVE | RESUMABLE:
        editor_state().runs[name] = session.id


def start_draft(asked: DraftQuestion, *, step: bool = False) -> None:
    """Start a session with the graph as it is drawn; with `step`, it waits at its first node."""
    with catch_faults():
        now = find_open_graph()
        if now is None:
            return
        runs, office = draft_runs(), get_backend()
        runs.questions[now.name] = asked
        budget = Budget(pages=asked.pages, seconds=SECONDS)
        question = Question(text=asked.text, sites=asked.sites, budget=budget)
        model = default_line(office.settings)
        if fault := office.sessions.call(lambda to: find_site_fault(to, question, model)):
            raise SessionError(fault.what, fault.mend)
        line = settle_models(model, office.settings, budget)
        since = LONG_AGO if asked.stored else 0.0
        graph = with_values(now.whole, asked.values)
        id = office.sessions.call(lambda to: to.start(question, graph, line, since=since))
        editor_state().runs[now.name], runs.mending = id, False
        office.run(id, halts_of(now, step=step))


def go_on(id: str, *, step: bool = False) -> None:
    """Run on to the next breakpoint, or for one node."""
    with catch_faults():
        if now := find_open_graph():
            draft_runs().mending = False
            get_backend().run(id, halts_of(now, step=step))


def halts_of(now: OpenGraph, *, step: bool) -> Halts:
    """Where a run of the graph pauses."""
    return read_breakpoints(now.whole.breakpoints, step=step)


def stop_run(id: str) -> None:
    """End the run with what it has found."""
    draft_runs().mending = False
    get_backend().stop(id)


def pause_run(id: str) -> None:
    """Pause it after the present node."""
    with catch_faults():
        get_backend().pause(id).result()


def leave_run() -> None:
    """Show the form for another run; the session stays in the list."""
    now = find_open_graph()
    if now:
        editor_state().runs.pop(now.name, None)
        draft_runs().mending = False


def mend_state(id: str) -> None:
    """Fork the session with the changed values of its state; the fork waits.

    While something does not fit, nothing is done: the form says what.
    """
    with catch_faults():
        edited = draft_runs().edited
        edited.take_fields()
        faults = (find_faults(key, value) for key, value in edited.values.items())
        if edited.values and not edited.unread and not any(faults):
            _follow_fork(id, None, ForkChange(values=edited.values))


def run_again(value: Mapping[str, object]) -> None:
    """Fork the run at a step, with the graph as it is drawn, and run it."""
    with catch_faults():
        now = find_open_graph()
        id = editor_state().runs.get(now.name) if now else None
        if now and id:
            step = int(str(value["step"]))
            asked = draft_runs().questions.get(now.name, DraftQuestion())
            graph = with_values(now.whole, asked.values)
            new = _follow_fork(id, step, ForkChange(graph=graph))
            get_backend().run(new, halts_of(now, step=False))


def _follow_fork(id: str, step: int | None, change: ForkChange) -> str:
    """Fork a session, and show the fork in its place. Raises ForagerError."""
    now, runs = find_open_graph(), draft_runs()
    new = get_backend().sessions.call(lambda to: to.forks.fork(id, step, change))
    if now:
        editor_state().runs[now.name] = new
    runs.mending, runs.edited = False, StateDraft()
    return new


def shown_session(now: OpenGraph) -> str:
    """The session of the run that is shown on the drawing, if it is still there."""
    id = editor_state().runs.get(now.name, "") if draft_runs().open else ""
    if not id:
        return ""
    try:
        get_backend().sessions.call(lambda to: to.get(id))
    except ForagerError:
        editor_state().runs.pop(now.name, None)
        return ""
    return id
