"""The clients: every call of the API, and a question from its start to its answer."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path

from forager.client import api_models as models
from forager.client.api_calls import AsyncCalls, Calls
from forager.client.client_errors import TokenError

Watcher = Callable[[models.Event], None]


def _ignore_event(event: models.Event) -> None:
    """A watcher that does nothing."""


def read_token(data: Path) -> str:
    """The token of the server that runs on this data folder. Raises TokenError."""
    try:
        return (data / "ui-token").read_text(encoding="utf-8").strip()
    except OSError as error:
        raise TokenError(
            f"There is no token in {data}.", "Start the server: forager ui."
        ) from error


def _new_session(question: str, sites: Sequence[str], graph: str) -> models.NewSession:
    return models.NewSession(question=question, sites=list(sites), graph=graph)


class Client(Calls):
    """Every call of the API. Errors are exceptions derived from ApiError."""

    def watch(self, session: str, after: int = 0) -> Iterator[models.Event | models.StreamEnd]:
        """The events of a session after a number, as they come, until it no longer runs.

        A stream that breaks off is continued. The last item says where the session stands.
        """
        while True:
            for item in self.stream_session_events(session, after=after):
                yield item
                if isinstance(item, models.StreamEnd):
                    return
                after = item.seq

    def ask(
        self,
        question: str | models.NewSession,
        sites: Sequence[str] = (),
        graph: str = "forager",
        watcher: Watcher = _ignore_event,
    ) -> models.Report:
        """Ask a question and wait until its run ends, or waits for nobody; its report."""
        asked = _new_session(question, sites, graph) if isinstance(question, str) else question
        session = self.start_session(asked).session
        for item in self.watch(session):
            if isinstance(item, models.Event):
                watcher(item)
        return self.show_session(session)


class AsyncClient(AsyncCalls):
    """Every call of the API, to be awaited. Errors are exceptions derived from ApiError."""

    async def watch(
        self, session: str, after: int = 0
    ) -> AsyncIterator[models.Event | models.StreamEnd]:
        """The events of a session after a number, as they come, until it no longer runs.

        A stream that breaks off is continued. The last item says where the session stands.
        """
        while True:
            async for item in self.stream_session_events(session, after=after):
                yield item
                if isinstance(item, models.StreamEnd):
                    return
                after = item.seq

    async def ask(
        self,
        question: str | models.NewSession,
        sites: Sequence[str] = (),
        graph: str = "forager",
        watcher: Watcher = _ignore_event,
    ) -> models.Report:
        """Ask a question and wait until its run ends; its report."""
        asked = _new_session(question, sites, graph) if isinstance(question, str) else question
        session = (await self.start_session(asked)).session
        async for item in self.watch(session):
            if isinstance(item, models.Event):
                watcher(item)
        return await self.show_session(session)
