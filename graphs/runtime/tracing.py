"""Traces of runs for LangSmith and Langfuse, each set up by variables of its own."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from langchain_core.tracers.context import register_configure_hook
from langsmith import tracing_context

from forager.errors import UsageError
from forager.settings import Settings

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler

_LANGFUSE: ContextVar["BaseCallbackHandler | None"] = ContextVar("langfuse", default=None)
register_configure_hook(_LANGFUSE, inheritable=True)


@contextmanager
def tracing_as_set(settings: Settings, session: str = "") -> Iterator[None]:
    """Trace in the body only if the settings say so, whatever those variables say.

    In Langfuse, runs of a session stand together. Raises UsageError where its package is missing.
    """
    if not settings.tracing:
        with tracing_context(enabled=False):
            yield
        return
    with ExitStack() as stack:
        if settings.langfuse_public_key:
            _trace_to_langfuse(stack, settings, session)
        yield


def _trace_to_langfuse(stack: ExitStack, settings: Settings, session: str) -> None:
    try:
        from langfuse import Langfuse, propagate_attributes  # noqa: PLC0415  # most do without it
        from langfuse.langchain import CallbackHandler  # noqa: PLC0415
    except ImportError as error:
        raise UsageError(
            "FORAGER_TRACING and LANGFUSE_PUBLIC_KEY are set, but Langfuse's package is missing.",
            "Install it (pip install 'forager-agent[langfuse]'), or unset one of the two.",
        ) from error
    key = settings.langfuse_secret_key
    Langfuse(
        public_key=settings.langfuse_public_key,
        secret_key=key.get_secret_value() if key else None,
        base_url=settings.langfuse_base_url or settings.langfuse_host or None,
    )
    handler = CallbackHandler(public_key=settings.langfuse_public_key)
    stack.callback(_LANGFUSE.reset, _LANGFUSE.set(handler))
    if session:
        stack.enter_context(propagate_attributes(session_id=session))
