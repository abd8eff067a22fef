"""The JSON API: the verbs of the command line, for the pages' components and for programs."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from forager.errors import ForagerError, SessionError
from forager.spend import Budget
from forager.state import Question
from graphs.models import settle
from ui.server.desk import Verb
from ui.server.live import lines
from ui.server.looking import quote
from ui.server.office import here

Result = TypeVar("Result")
Handler = Callable[[Request], Awaitable[Response]]


class Asking(BaseModel):
    """What a new session is made of."""

    model_config = ConfigDict(extra="forbid")

    question: str
    sites: tuple[str, ...] = ()
    graph: str = "forager"
    model: str = ""
    budget: Budget = Budget()
    seed: int = 0


class Following(BaseModel):
    """A follow-up question."""

    model_config = ConfigDict(extra="forbid")

    question: str
    budget: Budget | None = None


async def ask(verb: Verb[Result]) -> Result:
    """Ask the desk without keeping the server waiting."""
    return await asyncio.wrap_future(here().desk.begin(verb))


async def health(request: Request) -> Response:
    """Is the server there, and how many sessions run in it?"""
    running = len(here().running())
    return JSONResponse({"status": "ok", "version": version("forager"), "running": running})


async def sessions(request: Request) -> Response:
    """All sessions, newest first."""
    found = await ask(lambda to: to.list())
    return JSONResponse([one.model_dump(mode="json", exclude={"graph_body"}) for one in found])


async def start(request: Request) -> Response:
    """Begin a session and let it run."""
    asked = Asking.model_validate_json(await request.body())
    question = Question(
        text=asked.question, sites=asked.sites, budget=asked.budget, seed=asked.seed
    )
    settings = here().settings
    line = settle(asked.model or settings.model or "offline", settings, asked.budget)
    id = await ask(lambda to: to.start(question, asked.graph, line))
    here().run(id)
    return JSONResponse({"session": id}, 201)


async def show(request: Request) -> Response:
    """A session's report as far as it has come."""
    id = request.path_params["id"]
    return JSONResponse((await ask(lambda to: to.show(id))).model_dump(mode="json"))


async def live(request: Request) -> Response:
    """The session's view as it changes, in JSON lines."""
    id = request.path_params["id"]
    await ask(lambda to: to.get(id))
    return StreamingResponse(lines(here(), id), media_type="application/x-ndjson")


async def follow(request: Request) -> Response:
    """Ask a follow-up and let it run."""
    id = request.path_params["id"]
    asked = Following.model_validate_json(await request.body())
    await ask(lambda to: to.follow(id, asked.question, asked.budget))
    here().run(id)
    return JSONResponse({"session": id}, 202)


async def resume(request: Request) -> Response:
    """Let a session go on."""
    id = request.path_params["id"]
    await ask(lambda to: to.get(id))
    here().run(id)
    return JSONResponse({"session": id}, 202)


async def pause(request: Request) -> Response:
    """Leave a running session after its present node."""
    id = request.path_params["id"]
    await ask(lambda to: to.pause(id))
    return JSONResponse({"session": id}, 202)


def translated(handler: Handler) -> Handler:
    """Errors as JSON: what happened, and how to mend it."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except ValidationError as error:
            faults = json.loads(error.json(include_url=False, include_context=False))
            return JSONResponse({"error": "The request cannot be read.", "faults": faults}, 422)
        except SessionError as error:
            return JSONResponse({"error": error.what, "mend": error.mend}, 409)
        except ForagerError as error:
            return JSONResponse({"error": error.what, "mend": error.mend}, 400)

    return answer


def _route(path: str, handler: Handler, method: str = "GET") -> Route:
    return Route(f"/api{path}", translated(handler), methods=[method])


ROUTES = [
    _route("/health", health),
    _route("/sessions", sessions),
    _route("/sessions", start, "POST"),
    _route("/sessions/{id}", show),
    _route("/sessions/{id}/live", live),
    _route("/sessions/{id}/quotes/{quote}", quote),
    _route("/sessions/{id}/follow", follow, "POST"),
    _route("/sessions/{id}/resume", resume, "POST"),
    _route("/sessions/{id}/pause", pause, "POST"),
]
