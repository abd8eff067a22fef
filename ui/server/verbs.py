"""The verbs of sessions in the API."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from forager.domain.state import Question
from forager.errors import UsageError
from graphs.learning.admin import open_memory
from graphs.reports.exports import FORMATS
from graphs.sessions.archive import MOST_BYTES, ZIP
from graphs.sessions.model_choice import changed, settle
from graphs.sessions.service import Otherwise, Sessions, Steer
from ui.server.answering import answer, ask, body, number, read, route
from ui.server.bodies import (
    Asking,
    Deciding,
    Following,
    Forking,
    GoingOn,
    Moving,
    Naming,
    Resuming,
    Steering,
)
from ui.server.live import lines
from ui.server.office import here
from ui.server.saved import named

PAGE = 50
KINDS = {
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    ZIP: "application/zip",
}


async def sessions(request: Request) -> Response:
    """A page of the sessions, newest first: those with these words and one of these statuses."""
    words, wanted = request.query_params.get("search", ""), request.query_params.getlist("status")
    page, size = number(request, "page", 1, 1), number(request, "size", 1, PAGE)
    found = await ask(lambda to: to.search(words, wanted))
    shown = found[(page - 1) * size : page * size]
    told = [{**one.line.model_dump(mode="json"), "status": one.status} for one in shown]
    return answer({"sessions": told, "count": len(found)})


async def rename(request: Request) -> Response:
    """Call a session otherwise in lists."""
    id, said = request.path_params["id"], await read(request, Naming)
    await ask(lambda to: to.rename(id, said.title))
    return answer({"session": id, "title": said.title})


async def start(request: Request) -> Response:
    """Begin a session and let it run."""
    asked = await read(request, Asking)
    question = Question(
        text=asked.question, sites=asked.sites, budget=asked.budget, seed=asked.seed
    )
    settings = here().settings
    line = settle(asked.model or settings.model or "offline", settings, asked.budget)
    graph = await named(asked.graph)
    id = await ask(lambda to: to.start(question, graph, line, asked.session))
    return _let_run(id, 201)


async def show(request: Request) -> Response:
    """A session's report as far as it has come."""
    id = request.path_params["id"]
    return answer(await ask(lambda to: to.show(id)))


async def events(request: Request) -> Response:
    """The events behind the number `after`."""
    id, after = request.path_params["id"], number(request, "after", 0, 0)
    return answer(await ask(lambda to: to.events(id, after)))


async def live(request: Request) -> Response:
    """The session's view as it changes, in JSON lines."""
    id = request.path_params["id"]
    await ask(lambda to: to.get(id))
    headers = {"Cache-Control": "no-store"}
    return StreamingResponse(lines(here(), id), media_type="application/x-ndjson", headers=headers)


async def follow(request: Request) -> Response:
    """Ask a follow-up and let it run."""
    id, asked = request.path_params["id"], await read(request, Following)
    await ask(lambda to: to.follow(id, asked.question, asked.budget))
    return _let_run(id)


async def resume(request: Request) -> Response:
    """Let a session go on, with another model if one is named."""
    id, asked = request.path_params["id"], await read(request, Resuming)
    session = await ask(lambda to: to.get(id))
    if asked.model:
        line = settle(
            changed(session.model, asked.model, ""), here().settings, session.question.budget
        )
        await ask(lambda to: to.change_model(id, line))
    return _let_run(id)


async def pause(request: Request) -> Response:
    """Leave a running session after its present node."""
    id = request.path_params["id"]
    await asyncio.wrap_future(here().pause(id))
    return answer({"session": id}, 202)


async def stop(request: Request) -> Response:
    """End a session with the best answer so far."""
    id = request.path_params["id"]
    await ask(lambda to: to.get(id))
    here().stop(id)
    return answer({"session": id}, 202)


async def steer(request: Request) -> Response:
    """Change the course of a session; one that runs takes it up after its present step."""
    id, said = request.path_params["id"], await read(request, Steering)
    await ask(lambda to: to.steer(id, _change(said)))
    return answer({"session": id}, 202)


async def go_on(request: Request) -> Response:
    """Go on from a checkpoint, or behind the end with a raised budget."""
    id, said = request.path_params["id"], await read(request, GoingOn)
    await ask(lambda to: to.go_on(id, said.checkpoint, _change(said)))
    return _let_run(id)


async def fork(request: Request) -> Response:
    """A new session from a checkpoint of this one, let run."""
    id, said = request.path_params["id"], await read(request, Forking)
    settings = here().settings

    async def forked(to: Sessions) -> str:
        session = await to.get(id)
        line = changed(session.model, said.model, "") if said.model else session.model
        model = settle(line, settings, said.budget or session.question.budget)
        graph = await named(said.graph) if said.graph else ""
        change = Otherwise(**dict(_change(said)), model=model, graph=graph)
        return await to.fork(id, said.checkpoint, change, turn=said.turn, new=said.session)

    return _let_run(await ask(forked), 201)


async def moving(request: Request) -> Response:
    """Where each node that is to run next would go on in another graph, and why not."""
    id, said = request.path_params["id"], await read(request, Moving)
    graph = await named(said.graph) if said.graph else ""
    found = await ask(
        lambda to: to.moving(id, graph, said.mapping, said.checkpoint, turn=said.turn)
    )
    return answer(found)


async def diff(request: Request) -> Response:
    """What a checkpoint changed."""
    id, given = request.path_params["id"], request.path_params["checkpoint"]
    turn = number(request, "turn", 1, 0) or None
    checkpoint = int(given) if given.isdecimal() else given
    return answer(await ask(lambda to: to.diff(id, checkpoint, turn)))


async def pleas(request: Request) -> Response:
    """What the session waits to have answered."""
    id = request.path_params["id"]
    return answer(await ask(lambda to: to.pleas(id)))


async def decide(request: Request) -> Response:
    """Approve of an action, or refuse it."""
    id, plea = request.path_params["id"], request.path_params["plea"]
    yes = (await read(request, Deciding)).yes
    await ask(lambda to: to.decide(id, plea, yes=yes))
    return answer({"session": id})


async def export(request: Request) -> Response:
    """The session as a document."""
    id, form = request.path_params["id"], request.query_params.get("format", "md")
    if form not in (*FORMATS, ZIP):
        known = ", ".join((*FORMATS, ZIP))
        raise UsageError(f"There is no format {form!r}.", f"Take one of {known}.")
    document = await ask(lambda to: to.export(id, form))
    headers = {"Content-Disposition": f'attachment; filename="{id}.{form}"'}
    return Response(document, media_type=KINDS.get(form), headers=headers)


async def import_(request: Request) -> Response:
    """Take in a session that was exported as zip."""
    data = await body(request, MOST_BYTES)
    return answer({"session": await ask(lambda to: to.import_(data))}, 201)


async def delete(request: Request) -> Response:
    """Delete a session, and with `forget=true` what it taught."""
    id = request.path_params["id"]
    await ask(lambda to: to.delete(id))
    forgotten = 0
    if request.query_params.get("forget") == "true":
        async with open_memory(here().settings) as known:
            forgotten = await known.forget(session=id)
    return answer({"session": id, "forgotten": forgotten})


def _change(said: Steering) -> Steer:
    """The budget goes as it was sent: limits that are not named stay as they are."""
    return Steer(hint=said.hint, sites=said.sites, forbid=said.forbid, budget=said.budget)


def _let_run(id: str, status: int = 202) -> Response:
    here().run(id)
    return answer({"session": id}, status)


ROUTES = [
    route("/sessions", sessions),
    route("/sessions", start, "POST"),
    route("/sessions/import", import_, "POST"),
    route("/sessions/{id}", show),
    route("/sessions/{id}", delete, "DELETE"),
    route("/sessions/{id}", rename, "PATCH"),
    route("/sessions/{id}/events", events),
    route("/sessions/{id}/live", live),
    route("/sessions/{id}/follow", follow, "POST"),
    route("/sessions/{id}/resume", resume, "POST"),
    route("/sessions/{id}/pause", pause, "POST"),
    route("/sessions/{id}/stop", stop, "POST"),
    route("/sessions/{id}/steer", steer, "POST"),
    route("/sessions/{id}/go-on", go_on, "POST"),
    route("/sessions/{id}/fork", fork, "POST"),
    route("/sessions/{id}/moving", moving, "POST"),
    route("/sessions/{id}/history/{checkpoint}", diff),
    route("/sessions/{id}/pleas", pleas),
    route("/sessions/{id}/pleas/{plea}", decide, "POST"),
    route("/sessions/{id}/export", export),
]
