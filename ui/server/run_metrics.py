"""Counters of the runs of this server, in Prometheus's text format."""

from collections.abc import Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.exposition import generate_latest

from forager.domain.spend import Spend
from forager.util.distribution import installed_version
from graphs.sessions.service import Report

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
SPENT: Final[Mapping[str, tuple[str, str]]] = {
    "pages_fetched": ("forager_pages_fetched", "Pages fetched."),
    "pages_cached": ("forager_pages_cached", "Pages read from the cache."),
    "model_calls": ("forager_model_calls", "Calls of language models."),
    "tokens_in": ("forager_tokens_in", "Tokens given to language models."),
    "tokens_out": ("forager_tokens_out", "Tokens written by language models."),
    "usd": ("forager_dollars", "US dollars paid for language models."),
    "seconds": ("forager_run_seconds", "Seconds of work on questions."),
}
"""The counter and its description for each kind of spending that is counted."""


class RunMetrics:
    """Counts runs when they end; gauges are set when they are read."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._runs = Counter(
            "forager_runs", "Runs that ended, by their status.", ["status"], registry=self._registry
        )
        self._errors = Counter(
            "forager_run_errors",
            "Runs that could not start or end, by their error.",
            ["error"],
            registry=self._registry,
        )
        self._spent = {
            name: Counter(*about, registry=self._registry) for name, about in SPENT.items()
        }
        self._sessions = Gauge(
            "forager_sessions", "Sessions kept, by status.", ["status"], registry=self._registry
        )
        self._running = Gauge("forager_runs_running", "Runs under way.", registry=self._registry)
        self._starting = Gauge(
            "forager_runs_queued", "Runs that have yet to begin.", registry=self._registry
        )
        version = Gauge(
            "forager_info", "The version of the program.", ["version"], registry=self._registry
        )
        version.labels(installed_version()).set(1)

    def count_run(self, before: Report, after: Report) -> None:
        """Count a run that led from one report to another; nothing if nothing was run."""
        if (before.status, before.spent) == (after.status, after.spent):
            return
        self._runs.labels(after.status).inc()
        self._count_spend(before.spent, after.spent)

    def _count_spend(self, before: Spend, after: Spend) -> None:
        for name, counter in self._spent.items():
            counter.inc(max(0, getattr(after, name) - getattr(before, name)))

    def count_error(self, error: BaseException) -> None:
        """Count a run that raised an error."""
        self._errors.labels(type(error).__name__).inc()

    def render(self, sessions: Mapping[str, int], running: int, starting: int) -> bytes:
        """All figures; `sessions` is the number of sessions by status."""
        self._sessions.clear()
        for status, count in sessions.items():
            self._sessions.labels(status).set(count)
        self._running.set(running)
        self._starting.set(starting)
        return generate_latest(self._registry)
