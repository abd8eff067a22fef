"""Spans and figures for an OpenTelemetry collector; without one, nothing is made.

Names follow OpenTelemetry's semantic conventions for HTTP and generative AI, where they have one:
https://opentelemetry.io/docs/specs/semconv/. No question, prompt, reply or page text is sent, and
of an error its type alone.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Span

    from forager.util.otlp import Collector

Value = str | int | float | bool


class OpenSpan:
    """A span under way; without a collector it ignores what it is told."""

    def __init__(self, span: "Span | None" = None) -> None:
        self._span = span

    def tell(self, **attributes: Value) -> None:
        """Add attributes; `__` in a name stands for a dot."""
        if self._span is not None:
            self._span.set_attributes(_dotted(attributes))


class _Current:
    """The collector of this process, None where none is set."""

    collector: "Collector | None" = None
    endpoint = ""
    waiting: Callable[[], int] = staticmethod(lambda: 0)


_LOCK = threading.Lock()


def start_telemetry(endpoint: str) -> "Collector | None":
    """Send to the collector at this address from now on; an empty address changes nothing."""
    with _LOCK:
        if endpoint and endpoint != _Current.endpoint:
            from forager.util.otlp import Collector  # noqa: PLC0415  # most do without it

            _Current.collector = Collector(endpoint, _count_waiting)
            _Current.endpoint = endpoint
        return _Current.collector


def observe_queue(waiting: Callable[[], int]) -> None:
    """Ask `waiting` for the number of runs that have yet to begin, at each report."""
    _Current.waiting = staticmethod(waiting)


def _count_waiting() -> int:
    return _Current.waiting()


def flush_telemetry() -> None:
    """Send what is waiting to be sent, where a collector is set."""
    if _Current.collector is not None:
        _Current.collector.flush()


def count(name: str, amount: float = 1, **labels: str) -> None:
    """Add to a counter of `otlp.COUNTERS`, where a collector is set."""
    if _Current.collector is not None:
        _Current.collector.count(name, amount, labels)


@contextmanager
def span(name: str, **attributes: Value) -> Iterator[OpenSpan]:
    """A span around the body, inside of the one that is open; `__` in a name stands for a dot."""
    if _Current.collector is None:
        yield OpenSpan()
        return
    with _Current.collector.span(name, _dotted(attributes)) as opened:
        yield OpenSpan(opened)


@contextmanager
def run_span(**attributes: Value) -> Iterator[OpenSpan]:
    """The span of a session's run, which counts as active meanwhile."""
    collector = _Current.collector
    if collector is None:
        yield OpenSpan()
        return
    collector.change_active(1)
    try:
        with span("session", **attributes) as opened:
            yield opened
    finally:
        collector.change_active(-1)


def _dotted(attributes: dict[str, Value]) -> dict[str, Value]:
    return {name.replace("__", "."): value for name, value in attributes.items()}
