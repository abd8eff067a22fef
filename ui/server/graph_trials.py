"""Trials that run in this process: two graphs on the same questions, in a thread of their own."""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from forager.budget import Allowance, within_allowance
from forager.domain.base import Frozen
from forager.errors import ForagerError, NoTrialError, UsageError
from forager.settings import Settings
from graphs.experiments.result_rows import Row, read_lines
from graphs.experiments.side_by_side import GraphSummary, find_lone_successes, summarize_graphs
from graphs.experiments.trial import TRIAL_FOLDER, Trial, run_trial

FILE_NAME = re.compile(r"[\w.-]{1,80}\.jsonl")


class TrialStatus(Frozen):
    """How far a trial has come: how many of its questions were asked, and the results so far."""

    file: str
    going: bool
    asked: int
    of: int
    error: str = ""
    graphs: tuple[GraphSummary, ...] = ()
    apart: dict[str, str] = Field(default_factory=dict)


@dataclass
class _Running:
    of: int
    graphs: tuple[str, ...]
    stopped: threading.Event = field(default_factory=threading.Event)
    error: str = ""
    done: threading.Event = field(default_factory=threading.Event)


@dataclass
class GraphTrials:
    """Runs one trial at a time; calls return at once."""

    _all: dict[str, _Running] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def begin(
        self,
        trial: Trial,
        settings: Settings,
        closing: threading.Event,
        allowance: Allowance | None = None,
    ) -> str:
        """Start a trial; the name of its file. Raises UsageError while another one runs."""
        graphs, name = tuple(each for each, _ in trial.graphs), trial.out.name
        running = _Running(2 * len(trial.records), graphs)
        with self._lock:
            if self.is_running():
                raise UsageError("Another trial is running.", "Wait, or stop it first.")
            self._all[name] = running

        def is_stopped() -> bool:
            return running.stopped.is_set() or closing.is_set()

        def run() -> None:
            with within_allowance(allowance):
                _run_trial(trial, settings, running, is_stopped)

        threading.Thread(target=run, name=name, daemon=True).start()
        return name

    def is_running(self) -> bool:
        """Whether a trial is under way."""
        with self._lock:
            return any(not each.done.is_set() for each in self._all.values())

    def stop(self, name: str) -> None:
        """End a trial after its present question. Raises NoTrialError."""
        if name not in self._all:
            raise _no_trial(name)
        self._all[name].stopped.set()

    def newest_with(self, graph: str) -> str:
        """The trial of this process that began last with a graph of this name; empty for none.

        Values of its parameters may follow the name, in brackets.
        """
        for file, trial in reversed(self._all.items()):
            if any(each == graph or each.startswith(f"{graph} (") for each in trial.graphs):
                return file
        return ""

    def rows(self, name: str, settings: Settings) -> list[Row]:
        """The rows of a trial so far. Raises UsageError."""
        return _read_rows(name, settings)

    def now(self, name: str, settings: Settings, wait: float = 0.0) -> TrialStatus:
        """How far a trial of this process or an earlier one has come.

        Waits up to `wait` seconds for its end. Raises NoTrialError and UsageError.
        """
        running = self._all.get(name)
        if running and wait:
            running.done.wait(wait)
        rows = _read_rows(name, settings)
        if running is None and not rows:
            raise _no_trial(name)
        return TrialStatus(
            file=name,
            going=running is not None and not running.done.is_set(),
            asked=len(rows),
            of=running.of if running else len(rows),
            error=running.error if running else "",
            graphs=tuple(summarize_graphs(rows)),
            apart=find_lone_successes(rows),
        )


def _no_trial(name: str) -> NoTrialError:
    return NoTrialError(f"There is no trial {name!r}.", "Start one.")


def _read_rows(name: str, settings: Settings) -> list[Row]:
    if not FILE_NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not the file of a trial.", "Its name ends in .jsonl.")
    return read_lines(Path(settings.data) / TRIAL_FOLDER / name, Row)


def _run_trial(
    trial: Trial, settings: Settings, running: _Running, is_stopped: Callable[[], bool]
) -> None:
    try:
        run_trial(trial, settings, lambda line: None, is_stopped)
    except ForagerError as error:
        running.error = str(error)
    finally:
        running.done.set()
