"""The pictures of a run; each has the same as a table behind a disclosure."""

from collections.abc import Mapping

from graphs.reports.trace import kinds
from graphs.sessions.service import Session
from graphs.spec.spec import graph_of
from ui.parts.component import alone, of_run
from ui.server.backend import get_backend as here


def arms(session: str) -> None:
    """What is believed of each page where a visit may start, as a curve."""
    of_run("arms", session)


def draws(session: str) -> None:
    """What each arm was given in each round, and which was visited."""
    of_run("draws", session)


def site_map(session: str) -> None:
    """The pages of each site as a tree, with the arms, the visits and where evidence was found."""
    of_run("sitemap", session)


def browser(session: str) -> None:
    """The last picture of the page in the browser, and what was done there."""
    of_run("browser", session)


def spend(session: str) -> None:
    """What was spent against the budget, over the time of work and by node."""
    of_run("spend", session)


def history(
    session: Session,
    turn: int | None = None,
    step: int | None = None,
    forks: Mapping[int, int] | None = None,
) -> int | None:
    """The checkpoints of a turn as a list with its branches; the number of the one chosen.

    `step` is chosen at first; `forks` says how many sessions were forked, by checkpoint.
    """
    chosen = of_run(
        "history",
        session.id,
        key=f"history-{session.id}-{turn or session.turn}",
        types=kinds(graph_of(session)),
        turn=turn,
        step=step,
        forks={str(number): count for number, count in (forks or {}).items()},
        on_step_change=lambda: None,
    )
    return chosen.step or step


def diff(session: str, step: int, turn: int | None = None) -> None:
    """What of the state a checkpoint changed. Raises SessionError when there is none."""
    found = here().desk.call(lambda sessions: sessions.diff(session, step, turn))
    changes = [change.model_dump() for change in found]
    alone("diff", f"diff-{session}-{turn}", changes=changes)
