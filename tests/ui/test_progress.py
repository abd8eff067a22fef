"""What is told of a run while it goes on."""

import io

from rich.console import Console

from graphs.reports.events import Data
from graphs.sessions.service import Event
from ui.progress import Watching


def recalled(*ids: str) -> Event:
    data: Data = {"lessons": 0, "episodes": [{"id": id} for id in ids]}
    message = f"{len(ids)} of earlier sessions"
    return Event(
        session="s", seq=1, time=0.0, node="recall", kind="finished", message=message, data=data
    )


def test_what_comes_back_is_told_once() -> None:
    shown = io.StringIO()
    watching = Watching(Console(file=shown, width=200))
    for event in (recalled(), recalled("a"), recalled("a"), recalled("a", "b")):
        watching(event)
    assert shown.getvalue().splitlines() == [
        "recall: 1 of earlier sessions",
        "recall: 2 of earlier sessions",
    ]
