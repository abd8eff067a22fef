"""The progress of a run, as it is printed."""

import io

from rich.console import Console

from graphs.reports.events import EventData
from graphs.sessions.service import Event
from ui.cli.printing.progress import RunProgress


def recalled(*ids: str) -> Event:
    data: EventData = {"lessons": 0, "episodes": [{"id": id} for id in ids]}
    message = f"{len(ids)} of earlier sessions"
    return Event(
        session="s", seq=1, time=0.0, node="recall", kind="finished", message=message, data=data
    )


def test_what_comes_back_is_told_once() -> None:
    shown = io.StringIO()
    progress = RunProgress(Console(file=shown, width=200))
    for event in (recalled(), recalled("a"), recalled("a"), recalled("a", "b")):
        progress(event)
    assert shown.getvalue().splitlines() == [
        "recall: 1 of earlier sessions",
        "recall: 2 of earlier sessions",
    ]


def told(kind: str, message: str) -> Event:
    return Event(session="s", seq=1, time=0.0, node="act", kind=kind, message=message, data={})


def test_a_failure_is_told_once_and_only_if_the_run_goes_on() -> None:
    shown = io.StringIO()
    with RunProgress(Console(file=shown, width=200)) as progress:
        for kind, message in (
            *(("failed", "Down."), ("started", ""), ("failed", "Down."), ("started", "")),
            *(("finished", "moved"), ("failed", "Down."), ("finished", "moved")),
            *(("warned", "Slow."), ("warned", "Slow."), ("failed", "Gone.")),
        ):
            progress(told(kind, message))
        assert shown.getvalue().splitlines() == ["act: Down.", "act: Slow.", "act: Slow."]
        progress.discard_failure("Gone.")
    assert "Gone." not in shown.getvalue()


def test_a_failure_that_no_error_repeats_is_told_in_the_end() -> None:
    shown = io.StringIO()
    with RunProgress(Console(file=shown, width=200)) as progress:
        progress(told("failed", "Gone."))
        progress.discard_failure("Another.")
    assert shown.getvalue() == "act: Gone.\n"


def test_quiet_progress_says_nothing() -> None:
    shown = io.StringIO()
    with RunProgress(Console(file=shown, width=200), quiet=True) as progress:
        progress(told("warned", "Slow."))
        progress(told("failed", "Gone."))
    assert shown.getvalue() == ""
