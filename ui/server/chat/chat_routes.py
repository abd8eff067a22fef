"""Chat completions and models for OpenAI's clients."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import ForagerError, GraphError, NoGraphError
from forager.text.unicode import escape_json
from graphs.sessions.model_choice import default_line, settle_models
from graphs.sessions.service import Event, Report, Sessions
from graphs.spec.spec import GraphSpec
from ui.server.access.api_token import bearer_token
from ui.server.access.error_shape import OPENAI_PATHS, shape_error
from ui.server.api.api_errors import describe_chat_errors
from ui.server.api.graph_routes import list_graphs, resolve_graph
from ui.server.api.json_body import ApiRoute
from ui.server.api.response_models import DamagedSummary, SavedSummary
from ui.server.api.stream_shapes import CHUNKS
from ui.server.backend import call_sessions, get_backend
from ui.server.chat.chat_bodies import (
    AnswerMessage,
    ChatCompletion,
    ChatModel,
    ChatModels,
    ChatRequest,
    Choice,
    Usage,
    chunk_of,
)
from ui.server.chat.chat_content import split_content, write_content
from ui.server.chat.conversations import Conversation, find_session, read_conversation
from ui.server.live.event_stream import follow_events
from ui.server.live.view_stream import HEARTBEAT_SECONDS, POLL_SECONDS
from ui.server.space_backend import Backend

FAILED = 502
"""The status of a question whose run failed."""
ModelName = Annotated[str, Path(description="The graph's name.", examples=["forager"])]
router = APIRouter(prefix="/v1", tags=["chat"], route_class=ApiRoute)


class FailedRunError(ForagerError):
    """The run of a question failed."""


@router.get("/models", summary="List models", responses=describe_chat_errors(500))
async def list_models() -> ChatModels:
    """Every graph as a model: the presets, then the saved graphs."""
    return ChatModels(
        data=[
            ChatModel(id=each.name, created=int(each.time), owned_by=each.author or "user")
            if isinstance(each, SavedSummary)
            else ChatModel(id=each.name, created=0, owned_by="forager")
            for each in await list_graphs()
            if not isinstance(each, DamagedSummary)
        ]
    )


@router.get("/models/{model}", summary="Show a model", responses=describe_chat_errors(404, 500))
async def show_model(model: ModelName) -> ChatModel:
    """A graph as a model."""
    for each in (await list_models()).data:
        if each.id == model:
            return each
    raise NoGraphError(f"There is no graph {model!r}.", "GET /v1/models lists the graphs.")


@router.post(
    "/chat/completions",
    summary="Complete a chat",
    response_model=ChatCompletion,
    responses={200: CHUNKS, **describe_chat_errors(400, 404, 409, 413, 422, 500, 502)},
)
async def complete_chat(asked: ChatRequest, request: Request) -> Response | ChatCompletion:
    """Answer the last message of a conversation, whose earlier answers were given here.

    The first question starts a session, further ones are follow-ups of it. If the client goes away
    before the end, the session is paused.
    """
    conversation = read_conversation(asked)
    graph = await _resolve_model(asked.model)
    token = bearer_token(request.headers)
    answering = await _begin(asked, conversation, graph, token)
    if asked.stream:
        usage = bool(asked.stream_options and asked.stream_options.include_usage)
        return StreamingResponse(answering.stream(usage=usage), media_type="text/event-stream")
    return await answering.complete(request)


async def _resolve_model(name: str) -> GraphSpec:
    """The graph of a model; one that is unknown is a model that is not there."""
    try:
        return await resolve_graph(name)
    except GraphError as error:
        raise NoGraphError(error.what, error.mend or "GET /v1/models lists the graphs.") from error


async def _begin(
    asked: ChatRequest, conversation: Conversation, graph: GraphSpec, token: str
) -> "Answering":
    """Start the session of a conversation, or its next turn, and run it."""
    backend = get_backend()
    limits = asked.budget or Budget()
    question = Question(
        text=conversation.question, sites=conversation.sites, budget=limits, seed=asked.seed or 0
    )
    line = await asyncio.to_thread(
        settle_models, default_line(backend.settings), backend.settings, limits
    )

    async def begin(sessions: Sessions) -> tuple[str, int, int]:
        id = await find_session(sessions, conversation, graph.name)
        if id is None:
            id = await sessions.start(question, graph, line)
        else:
            await sessions.follow(id, conversation.question, asked.budget)
        session = await sessions.get(id)
        earlier = await sessions.events(id)
        return id, session.turn, earlier[-1].seq if earlier else 0

    id, turn, seen = await call_sessions(begin)
    await asyncio.to_thread(backend.run, id)
    return Answering(backend, id, turn, asked.model, seen, int(time.time()), token)


@dataclass(frozen=True)
class Answering:
    """A question that is being answered: its session and turn, and the last event before it.

    `token` is that of the client, who is told nothing more once it is not accepted.
    """

    backend: Backend
    id: str
    turn: int
    model: str
    seen: int
    created: int
    token: str

    @property
    def completion_id(self) -> str:
        """The id of the completion."""
        return f"chatcmpl-{self.id}-{self.turn}"

    async def complete(self, request: Request) -> ChatCompletion:
        """The whole answer; a client that goes away pauses the session. Raises ForagerError."""
        async for _ in follow_events(self.backend, self.id, self.seen, self.token):
            if await request.is_disconnected():
                self.backend.pause(self.id)
                break
        report = await self._read_report()
        content, notes = write_content(report)
        return ChatCompletion(
            id=self.completion_id,
            created=self.created,
            model=self.model,
            choices=[Choice(message=AnswerMessage(content=content, annotations=notes))],
            usage=_usage(report),
            session=self.id,
            status=report.status,
        )

    async def stream(self, *, usage: bool) -> AsyncIterator[bytes]:
        """The answer as chunks; the steps come before it as `reasoning_content`."""
        ended = False
        try:
            yield self._chunk({"role": "assistant", "content": ""})
            async for line in self._stream_steps():
                yield line
            report = await self._read_report()
            ended = True
            for line in self._stream_answer(report, usage=usage):
                yield line
        except ForagerError as error:
            ended = True
            answer = {"error": error.what, "mend": error.mend}
            yield _line(shape_error(OPENAI_PATHS, FAILED, answer))
        finally:
            if not ended:
                self.backend.pause(self.id)

    async def _stream_steps(self) -> AsyncIterator[bytes]:
        sent = time.monotonic()
        async for _, events in follow_events(self.backend, self.id, self.seen, self.token):
            for event in events:
                if event.message:
                    sent = time.monotonic()
                    yield self._chunk({"reasoning_content": _describe(event)})
            if time.monotonic() - sent > HEARTBEAT_SECONDS:
                sent = time.monotonic()
                yield b": \n\n"

    def _stream_answer(self, report: Report, *, usage: bool) -> list[bytes]:
        content, notes = write_content(report)
        lines = [self._chunk({"content": piece}) for piece in split_content(content)]
        if notes:
            lines.append(self._chunk({"annotations": [each.model_dump() for each in notes]}))
        last = chunk_of(self.completion_id, self.created, self.model, {})
        last["choices"][0]["finish_reason"] = "stop"
        lines.append(_line(last))
        if usage:
            lines.append(_line({**last, "choices": [], "usage": _usage(report).model_dump()}))
        return [*lines, b"data: [DONE]\n\n"]

    async def _read_report(self) -> Report:
        """The report of the ended run, as soon as it is stored. Raises ForagerError."""
        while accepted := await self.backend.accepts_token(self.token):
            if self.id not in self.backend.running() or self.backend.closing.is_set():
                break
            await asyncio.sleep(POLL_SECONDS)
        if not accepted:
            raise FailedRunError("The token is not accepted any more.", "Use another one.")
        report = await call_sessions(lambda to: to.show(self.id))
        fault = report.error or self.backend.fault(self.id)
        if fault:
            raise FailedRunError(fault, f"The session is {self.id}.")
        if report.status not in ("answered", "partial", "abstained"):
            raise FailedRunError(
                f"The session {self.id} is {report.status}.", f"Resume it: forager resume {self.id}"
            )
        return report

    def _chunk(self, delta: dict[str, Any]) -> bytes:
        return _line(chunk_of(self.completion_id, self.created, self.model, delta))


def _line(data: dict[str, Any]) -> bytes:
    return f"data: {escape_json(json.dumps(data, ensure_ascii=False))}\n\n".encode()


def _describe(event: Event) -> str:
    return ": ".join(filter(None, (event.node, event.message))) + "\n"


def _usage(report: Report) -> Usage:
    """What the language models used for this turn."""
    given, written = report.spent.tokens_in, report.spent.tokens_out
    return Usage(prompt_tokens=given, completion_tokens=written, total_tokens=given + written)
