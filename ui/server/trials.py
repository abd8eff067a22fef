"""Trials on their way in this process: two graphs on the same questions, in a thread apart."""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from forager.domain.base import Frozen
from forager.errors import ForagerError, UsageError
from forager.settings import Settings
from graphs.experiments.result_rows import Row, read
from graphs.experiments.side_by_side import Sum, apart, beside
from graphs.experiments.trial import FOLDER, Trial, run

NAME = re.compile(r"[\w.-]{1,80}\.jsonl")


class Stand(Frozen):
    """How far a trial has come: `asked` `of` so many, and the two graphs side by side."""

    file: str
    going: bool
    asked: int
    of: int
    error: str = ""
    graphs: tuple[Sum, ...] = ()
    apart: dict[str, str] = Field(default_factory=dict)


@dataclass
class _Going:
    of: int
    left: threading.Event = field(default_factory=threading.Event)
    error: str = ""
    done: threading.Event = field(default_factory=threading.Event)


@dataclass
class Trials:
    """One at a time; what is asked of it is answered at once."""

    _all: dict[str, _Going] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, trial: Trial, settings: Settings, closing: threading.Event) -> str:
        """Let a trial run; the name of its file. Raises UsageError while another one runs."""
        going, name = _Going(2 * len(trial.records)), trial.out.name
        with self._lock:
            if any(not each.done.is_set() for each in self._all.values()):
                raise UsageError("Two graphs are being tried already.", "Wait, or stop that first.")
            self._all[name] = going

        def stopped() -> bool:
            return going.left.is_set() or closing.is_set()

        args = (trial, settings, going, stopped)
        threading.Thread(target=_run, args=args, name=name, daemon=True).start()
        return name

    def stop(self, name: str) -> None:
        """End a trial after its present question."""
        if name in self._all:
            self._all[name].left.set()

    def now(self, name: str, settings: Settings, wait: float = 0.0) -> Stand:
        """How far a trial has come, of this process or an earlier one, or once it has ended.

        It is waited for at most so many seconds. Raises UsageError.
        """
        going = self._all.get(name)
        if going and wait:
            going.done.wait(wait)
        rows = _rows(name, settings)
        if going is None and not rows:
            raise UsageError(f"There is no trial {name!r}.", "Begin one.")
        return Stand(
            file=name,
            going=going is not None and not going.done.is_set(),
            asked=len(rows),
            of=going.of if going else len(rows),
            error=going.error if going else "",
            graphs=tuple(beside(rows)),
            apart=apart(rows),
        )


def _rows(name: str, settings: Settings) -> list[Row]:
    if not NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no file of a trial.", "Its name ends in .jsonl.")
    return read(Path(settings.data) / FOLDER / name, Row)


def _run(trial: Trial, settings: Settings, going: _Going, stopped: Callable[[], bool]) -> None:
    try:
        run(trial, settings, lambda line: None, stopped)
    except ForagerError as error:
        going.error = str(error)
    finally:
        going.done.set()
