"""The parts of a run that need more than a session's id, and the view they begin with."""

from collections.abc import Mapping

from graphs.reports.trace import RunTrace, list_node_types
from graphs.sessions.service import Report, Session
from graphs.spec.spec import graph_of
from ui.server.backend import get_backend
from ui.server.live.merge_patch import Document
from ui.server.live.session_view import build_view
from ui.server.live.timeline import Timeline
from ui.web.components.component import mount_part, mount_run_part


def first_view(session: Session, report: Report) -> Document:
    """The view that is shown until the stream has begun, without what may be long."""
    way, providers = RunTrace(graph_of(session)), get_backend().settings.search
    whole = build_view(session, report, Timeline(session), way, providers)
    return {**whole, "evidence": {}, "arms": {}}


def checkpoint_history(
    session: Session,
    turn: int | None = None,
    step: int | None = None,
    forks: Mapping[int, int] | None = None,
) -> int | None:
    """The checkpoints of a turn with their branches; the number of the one that is chosen.

    `step` is chosen at first; `forks` says how many sessions were forked, by checkpoint.
    """
    chosen = mount_run_part(
        "history",
        session.id,
        key=f"history-{session.id}-{turn or session.turn}",
        types=list_node_types(graph_of(session)),
        turn=turn,
        step=step,
        forks={str(number): count for number, count in (forks or {}).items()},
        on_step_change=lambda: None,
    )
    return chosen.step or step


def state_changes(session: str, step: int, turn: int | None = None) -> None:
    """What a checkpoint changed in the state. Raises SessionError if there is no such step."""
    found = get_backend().sessions.call(lambda sessions: sessions.history.diff(session, step, turn))
    changes = [change.model_dump() for change in found]
    mount_part("change_list", f"diff-{session}-{turn}", changes=changes, state=True)
