"""The faults that can occur between a client and a model, each as a small value.

A script returns one, or a test appends it to `Endpoint.faults`. There, those that stand (a model
with a small context, a server without tools) stay; any other is used up by one request.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from tests.endpoint.errors import BODIES, body, error
from tests.endpoint.minimal_script import conforming
from tests.endpoint.reply import Reply
from tests.endpoint.request import Asked, Json
from tests.endpoint.wire import Answer, Cut, Death, Events, Silence, Whole

Serve = Callable[[Asked, Reply], Answer]


@dataclass(frozen=True)
class Fault(ABC):
    """Answers in place of the script, where it applies; `serve` is the answer without a fault."""

    standing: ClassVar[bool] = False

    def applies(self, asked: Asked) -> bool:
        """Whether it strikes this request."""
        return True

    def stands(self) -> bool:
        """Whether it stays in the queue after it struck."""
        return self.standing

    @abstractmethod
    def answer(self, asked: Asked, serve: Serve) -> Answer:
        """What the client gets."""


@dataclass(frozen=True)
class When(Fault):
    """A fault for the requests that a predicate picks: all of them, or the first alone."""

    picks: Callable[[Asked], bool]
    fault: Fault
    once: bool = False

    def applies(self, asked: Asked) -> bool:
        return self.picks(asked) and self.fault.applies(asked)

    def stands(self) -> bool:
        return not self.once

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        return self.fault.answer(asked, serve)


@dataclass(frozen=True)
class Hang(Fault):
    """No answer until the client goes; with `after`, none beyond so many events of a stream."""

    after: int | None = None

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        answer = Silence() if self.after is None else serve(asked, conforming(asked))
        if not isinstance(answer, Events):
            return Silence()
        return replace(answer, events=answer.events[: self.after], end="nothing")


@dataclass(frozen=True)
class Reset(Fault):
    """The connection is reset before any byte."""

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        return Cut()


@dataclass(frozen=True)
class Dead(Fault):
    """All connections are reset and new ones refused, for so many seconds or until `revive()`."""

    seconds: float | None = None

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        return Death(self.seconds)


@dataclass(frozen=True)
class Status(Fault):
    """An HTTP status with a JSON body: the one given, or that which the API sends with it."""

    code: int
    content: Json | None = None
    retry_after: str | None = None

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        after = {} if self.retry_after is None else {"Retry-After": self.retry_after}
        return error(self.code, self.content or BODIES[self.code], after)


@dataclass(frozen=True)
class RateLimited(Fault):
    """429; `retry_after` is in seconds, an HTTP date, or not sent."""

    retry_after: str | None = None

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        return Status(429, retry_after=self.retry_after).answer(asked, serve)


@dataclass(frozen=True)
class Quota(Fault):
    """429 that no waiting mends: the account has no money left."""

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        text = "You exceeded your current quota, please check your plan and billing details."
        return error(429, body(text, "insufficient_quota", code="insufficient_quota"))


@dataclass(frozen=True)
class HtmlError(Fault):
    """The error page of a proxy before the server."""

    code: int = 502

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        page = f"<html><head><title>{self.code}</title></head><body><h1>nginx</h1></body></html>"
        return Whole(self.code, page.encode(), "text/html")


@dataclass(frozen=True)
class DroppedStream(Fault):
    """The connection is closed after so many events; a whole body is cut in its middle."""

    after: int = 2

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        answer = serve(asked, conforming(asked))
        if isinstance(answer, Events):
            return replace(answer, events=answer.events[: self.after], end="cut")
        return Truncated().answer(asked, serve)


@dataclass(frozen=True)
class Truncated(Fault):
    """A body that ends in its middle, short of the length its head names; so does a stream."""

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        answer = serve(asked, conforming(asked))
        if not isinstance(answer, Whole):
            return DroppedStream().answer(asked, serve)
        half = len(answer.body) // 2
        return replace(answer, body=answer.body[:half], missing=len(answer.body) - half)


@dataclass(frozen=True)
class BrokenChunk(Fault):
    """Broken JSON: in one event of a stream, or as the whole body."""

    after: int = 2

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        answer = serve(asked, conforming(asked))
        if isinstance(answer, Whole):
            return replace(answer, body=answer.body[: len(answer.body) // 2])
        if isinstance(answer, Events):
            before, (broken, *rest) = answer.events[: self.after], answer.events[self.after :]
            return replace(answer, events=(*before, broken[: len(broken) // 2], *rest))
        return answer


@dataclass(frozen=True)
class StreamError(Fault):
    """An error sent as an event, when the status 200 is long out; else a body with that error."""

    after: int = 2

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        answer = serve(asked, conforming(asked))
        if isinstance(answer, Events):
            events = (*answer.events[: self.after], json.dumps(BODIES[500]))
            return replace(answer, events=events)
        return error(200, BODIES[500])


@dataclass(frozen=True)
class EmptyStream(Fault):
    """200 and nothing in it: no event but perhaps [DONE]; not streamed, no choice."""

    done: bool = False

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        if asked.streams:
            return Events(("[DONE]",) if self.done else ())
        return error(200, {"id": "chatcmpl-0", "object": "chat.completion", "choices": []})


@dataclass(frozen=True)
class Malformed(Fault):
    """200 with a text of no use as content, or as the arguments of the tool that is forced."""

    text: str
    arguments: bool = False

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        return serve(asked, Reply(self.text, as_arguments=self.arguments))


@dataclass(frozen=True)
class ContentFilter(Fault):
    """A filter strikes: at the prompt (400, as Azure does), in the answer, or the model refuses."""

    at: Literal["prompt", "answer", "refusal"] = "prompt"

    def answer(self, asked: Asked, serve: Serve) -> Answer:
        if self.at == "answer":
            return serve(asked, Reply("", finish="content_filter"))
        if self.at == "refusal":
            return serve(asked, Reply(refusal="I'm sorry, I can't assist with that request."))
        filtered = {"violence": {"filtered": True, "severity": "medium"}}
        inner = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": filtered}
        text = (
            "The response was filtered due to the prompt triggering Azure OpenAI's content "
            "management policy. Please modify your prompt and retry."
        )
        fields = body(text, None, "prompt", "content_filter")["error"]
        return error(400, {"error": fields | {"status": 400, "innererror": inner}})
