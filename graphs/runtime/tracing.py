"""LangSmith's tracing, which sends questions, pages and prompts: off unless a setting wants it."""

from collections.abc import Iterator
from contextlib import contextmanager

from langsmith import tracing_context

from forager.settings import Settings


@contextmanager
def tracing_as_set(settings: Settings) -> Iterator[None]:
    """Trace in the body only if the settings say so, whatever LangSmith's own variables say."""
    if settings.tracing:
        yield  # LangSmith's variables say whether, and where to
        return
    with tracing_context(enabled=False):
        yield
