"""The endpoint: what each request gets, and what is remembered of it."""

import asyncio
import json
import threading
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from types import TracebackType
from typing import Self

from tests.endpoint.check import Complaint, complaint
from tests.endpoint.counts import PromptCache, usage
from tests.endpoint.errors import BODIES, body, error
from tests.endpoint.faults import Fault
from tests.endpoint.host import Host
from tests.endpoint.minimal_script import conforming
from tests.endpoint.reply import CREATED, Reply, chosen, chunks, completion
from tests.endpoint.request import Asked
from tests.endpoint.wire import Answer, Death, Events, Request, Whole, receive, send

Script = Callable[[Asked], Reply | Fault]
CHAT = "/v1/chat/completions"
MODELS = "/v1/models"
LONGEST_WAIT = 1.0


@dataclass(frozen=True)
class Invalid:
    """A request that the API would refuse, and why."""

    message: str
    param: str | None
    asked: Asked = field(repr=False)


class Endpoint:
    """An OpenAI-compatible chat server on loopback, while entered; `script` is its model.

    `faults` strike before the script is asked. `latency`, in seconds, passes before each answer.
    Until `overlap` requests were open at once, an answer waits for more, for a second at most.
    Leaving raises what the script raised.
    """

    def __init__(self, script: Script = conforming, *, latency: float = 0.0, port: int = 0) -> None:
        self.script = script
        self.latency = latency
        self.overlap = 1
        self.models = ["scripted"]
        self.faults: list[Fault] = []
        self.requests: list[Asked] = []
        self.invalid: list[Invalid] = []
        self.peak = 0
        self._port = port
        self._busy = 0
        self._numbers = count(1)
        self._cache = PromptCache()
        self._news = threading.Condition()
        self._crowd = asyncio.Event()
        self._host = Host(self._connection)

    @property
    def url(self) -> str:
        """The base address for a client."""
        return f"http://127.0.0.1:{self._host.port}/v1"

    def __enter__(self) -> Self:
        self._host.start(self._port)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._host.stop()
        if self._host.broken:
            raise self._host.broken[0]

    def die(self) -> None:
        """Resets all connections and refuses new ones."""
        self._host.die()

    def revive(self) -> None:
        """Listens again, on the same port."""
        self._host.revive()

    def arrived(self, number: int, seconds: float = 10) -> bool:
        """Waits until so many requests have come; blocks, so call it in a thread of its own."""
        with self._news:
            return self._news.wait_for(lambda: len(self.requests) >= number, seconds)

    async def _connection(self, reader: StreamReader, writer: StreamWriter) -> None:
        while request := await receive(reader):
            if not await self._exchange(request, reader, writer):
                return

    async def _exchange(self, request: Request, reader: StreamReader, writer: StreamWriter) -> bool:
        """Answers, unless the client leaves first; whether the connection is still good."""
        asked, wrong = _asked(request)
        self._arrive(asked)
        answering = asyncio.create_task(self._respond(asked, wrong, writer))
        leaving = asyncio.create_task(reader.read(1))  # clients do not pipeline: this is the end
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._busy -= 1
            answering.cancel()
            leaving.cancel()
            [good, _] = await asyncio.gather(answering, leaving, return_exceptions=True)
        if isinstance(good, ConnectionError | asyncio.CancelledError):
            asked.gone.set()
            return False
        if isinstance(good, BaseException):
            raise good
        return good

    def _arrive(self, asked: Asked) -> None:
        self._busy += 1
        self.peak = max(self.peak, self._busy)
        if self.peak >= self.overlap:
            self._crowd.set()
        with self._news:
            self.requests.append(asked)
            self._news.notify_all()

    async def _respond(self, asked: Asked, wrong: Complaint | None, writer: StreamWriter) -> bool:
        answer = self._answer(asked, wrong)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._crowd.wait(), LONGEST_WAIT)
        if self.latency:
            await asyncio.sleep(self.latency)
        if isinstance(answer, Death):
            await self._host.fall(answer.seconds)
        return await send(writer, answer)

    def _answer(self, asked: Asked, wrong: Complaint | None) -> Answer:
        if asked.path == MODELS and asked.method == "GET":
            return self._listed()
        if asked.path != CHAT or asked.method != "POST":
            text = f"Unknown request URL: {asked.method} {asked.path}."
            return error(404, body(text, "invalid_request_error", code="unknown_url"))
        if found := wrong or complaint(asked):
            self.invalid.append(Invalid(found.message, found.param, asked))
            return error(400, found.body())
        said = self._fault(asked) or self.script(asked)
        if isinstance(said, Reply):
            return self._serve(asked, said)
        if said.applies(asked):
            return said.answer(asked, self._serve)
        return self._serve(asked, conforming(asked))

    def _fault(self, asked: Asked) -> Fault | None:
        """The first fault in the queue that strikes, used up unless it stands."""
        for place, fault in enumerate(self.faults):
            if fault.applies(asked):
                if not fault.stands():
                    del self.faults[place]
                return fault
        return None

    def _serve(self, asked: Asked, reply: Reply) -> Answer:
        number = next(self._numbers)
        choice = chosen(asked, reply)
        counts = usage(asked, choice.text, self._cache.cached(asked)) if reply.counted else None
        headers = {"x-request-id": f"req_{number}"}
        if not asked.streams:
            content = json.dumps(completion(asked, choice, counts, number), ensure_ascii=False)
            return Whole(200, content.encode("utf-8", "surrogatepass"), headers=headers)
        events = [json.dumps(chunk) for chunk in chunks(asked, choice, counts, number)]
        return Events((*events, "[DONE]"), headers=headers)

    def _listed(self) -> Answer:
        entry = {"object": "model", "created": CREATED, "owned_by": "tests"}
        return error(200, {"object": "list", "data": [{"id": m} | entry for m in self.models]})


def _asked(request: Request) -> tuple[Asked, Complaint | None]:
    """The request, and what is wrong with its body if that is no JSON object."""
    wrong = None
    try:
        content = json.loads(request.body or b"{}")
    except ValueError:
        content = None
    if not isinstance(content, dict):
        content, wrong = {}, Complaint(str(BODIES[400]["error"]["message"]))
    path = request.path.partition("?")[0]
    return Asked(path, request.headers, content, time.monotonic(), request.method), wrong
