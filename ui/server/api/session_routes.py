"""The API of sessions: start, list, steer, fork, export."""

from asyncio import to_thread, wrap_future
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from forager.domain.base import MAX_INTEGER
from forager.domain.state import Question
from forager.errors import UsageError
from graphs.reports.exports.formats import ALL, FORMATS, PARTS, content_disposition
from graphs.runtime.halts import NO_HALTS, Halts
from graphs.sessions.archive import ZIP, missing_pages
from graphs.sessions.archive_file import MAX_BYTES
from graphs.sessions.listing import split_tags
from graphs.sessions.migrate import GraphMove
from graphs.sessions.model_choice import change_models, default_line, settle_models
from graphs.sessions.service import ApprovalRow, Event, ForkChange, Report, Sessions, Steer
from graphs.spec.edit import with_values
from graphs.system.deletion import delete_session as delete_with_traces
from graphs.system.deletion import refuse_running
from ui.language.catalogue import spoken_language
from ui.language.document_wording import document_wording
from ui.server.access.api_token import bearer_token
from ui.server.api.api_errors import describe_errors
from ui.server.api.graph_routes import resolve_graph
from ui.server.api.json_body import ApiRoute, read_body
from ui.server.api.request_models import (
    ContinueRequest,
    Decision,
    FollowUp,
    ForkRequest,
    MoveRequest,
    NewSession,
    ResumeOptions,
    SteerRequest,
    TagChange,
    TitleChange,
)
from ui.server.api.response_models import (
    DeletedSession,
    ListedSession,
    RenamedSession,
    SessionPage,
    SessionRef,
    SharedLink,
    TaggedSession,
)
from ui.server.api.stream_shapes import EVENTS, VIEWS
from ui.server.backend import call_sessions, get_backend
from ui.server.examples.example_sites import name_shipped_sites
from ui.server.live.event_stream import stream_events
from ui.server.live.view_stream import stream_view
from ui.server.shared_page import shared_path

PAGE_SIZE = 50
DOCUMENTS = (*FORMATS, ZIP)
MEDIA_TYPES = {
    **{name: form.media_type for name, form in FORMATS.items()},
    ZIP: "application/zip",
}
SessionId = Annotated[str, Path(description="The session's id.", examples=["q07"])]
MISSING, MAX_HEADER = "Forager-Missing", 4_000
Turn = Annotated[
    int | None, Query(ge=1, le=MAX_INTEGER, description="An earlier turn; without one, the last.")
]
EXPORT: dict[str, Any] = {
    "description": "The document, as an attachment. If pages of a zip are not stored any more, the "
    "header Forager-Missing and the file's comment say which, and how to get them.",
    "content": {
        **{
            kind.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}
            for kind in MEDIA_TYPES.values()
        },
        "application/json": {"schema": {"type": "object"}},
    },
}
ARCHIVE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A session exported as zip.",
        "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
    }
}
router = APIRouter(prefix="/api/sessions", tags=["sessions"], route_class=ApiRoute)


class EventStream(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


class ViewStream(StreamingResponse):
    """JSON lines."""

    media_type = "application/x-ndjson"


@router.get("", summary="List sessions", responses=describe_errors(400, 422, 500))
async def list_sessions(
    search: Annotated[str, Query(description="Words of title, question, answer or tags.")] = "",
    status: Annotated[list[str] | None, Query(description="Only these statuses.")] = None,
    tag: Annotated[list[str] | None, Query(description="Only with all these tags.")] = None,
    page: Annotated[int, Query(ge=1, le=MAX_INTEGER, description="The page of the list.")] = 1,
    size: Annotated[
        int, Query(ge=1, le=MAX_INTEGER, description="Sessions on a page.")
    ] = PAGE_SIZE,
) -> SessionPage:
    """A page of the sessions, newest first, without those that the web UI is about to delete."""
    all = await call_sessions(lambda to: to.listing.search(search, status or (), tag or ()))
    hidden = get_backend().deletions.hidden()
    found = [each for each in all if each.line.id not in hidden]
    lines = [
        ListedSession.model_validate({**each.line.model_dump(), "status": each.status})
        for each in found[(page - 1) * size : page * size]
    ]
    return SessionPage(sessions=lines, count=len(found))


@router.post(
    "",
    status_code=201,
    summary="Start a session",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def start_session(asked: NewSession) -> SessionRef:
    """Start a session and run it; the run continues if the client disconnects."""
    question = Question(
        text=asked.question, sites=asked.sites, budget=asked.budget, seed=asked.seed
    )
    settings = get_backend().settings
    line = asked.model or default_line(settings)
    line = await to_thread(settle_models, line, settings, asked.budget)
    graph = with_values(await resolve_graph(asked.graph), asked.parameters)
    id = await call_sessions(lambda to: to.start(question, graph, line, asked.session))
    return await _run(id, asked.halts)


@router.post(
    "/import",
    status_code=201,
    summary="Import a session",
    responses=describe_errors(400, 413, 500),
    openapi_extra=ARCHIVE,
)
async def import_session(
    request: Request,
    own_nodes: Annotated[
        bool, Query(description="its graph may use the user's node types")
    ] = False,
) -> SessionRef:
    """Import a session that was exported as zip. It is checked first, and starts no run.

    It goes on with the model of the settings, and without its approvals and a larger budget.
    """
    data = await read_body(request, MAX_BYTES)
    id = await call_sessions(lambda to: to.archive.import_zip(data, own_nodes=own_nodes))
    return SessionRef(session=id)


@router.get("/{id}", summary="Show a session", responses=describe_errors(404, 500))
async def show_session(id: SessionId) -> Report:
    """A session's report so far. Empty members are left out."""
    return await call_sessions(lambda to: to.show(id))


@router.delete("/{id}", summary="Delete a session", responses=describe_errors(400, 404, 409, 500))
async def delete_session(
    id: SessionId,
    forget: Annotated[bool, Query(description="Also delete what it taught and read.")] = False,
) -> DeletedSession:
    """Delete a session; with `forget` also pages and all else that only it brought here.

    It is deleted at once and cannot be brought back; the web UI waits, so that it can be undone.
    """
    get_backend().deletions.undo(id)  # this one takes its place
    forgotten = await call_sessions(lambda to: delete_with_traces(to, id, forget=forget))
    return DeletedSession(session=id, forgotten=forgotten)


@router.patch(
    "/{id}", summary="Rename a session", responses=describe_errors(400, 404, 409, 413, 422, 500)
)
async def rename_session(id: SessionId, change: TitleChange) -> RenamedSession:
    """Give a session a title."""
    await call_sessions(lambda to: to.listing.rename(id, change.title))
    return RenamedSession(session=id, title=change.title)


@router.put(
    "/{id}/tags", summary="Tag a session", responses=describe_errors(400, 404, 409, 413, 422, 500)
)
async def tag_session(id: SessionId, change: TagChange) -> TaggedSession:
    """Give a session these tags instead of those that it has."""
    tags = split_tags(change.tags)
    await call_sessions(lambda to: to.listing.tag(id, tags))
    return TaggedSession(session=id, tags=tags)


@router.put("/{id}/pin", summary="Pin a session", responses=describe_errors(404, 409, 500))
async def pin_session(id: SessionId) -> SessionRef:
    """Keep a session from clean-ups, whatever its age."""
    await call_sessions(lambda to: to.listing.pin(id, pinned=True))
    return SessionRef(session=id)


@router.delete("/{id}/pin", summary="Unpin a session", responses=describe_errors(404, 409, 500))
async def unpin_session(id: SessionId) -> SessionRef:
    """Let clean-ups delete a session that was pinned."""
    await call_sessions(lambda to: to.listing.pin(id, pinned=False))
    return SessionRef(session=id)


@router.put(
    "/{id}/share", summary="Share a read-only link", responses=describe_errors(404, 409, 500)
)
async def share_session(id: SessionId) -> SharedLink:
    """A link to the answer with its sources, for which nobody logs in; the one that there is."""
    token = await call_sessions(lambda to: to.listing.share(id))
    return SharedLink(session=id, path=shared_path(token, get_backend().account))


@router.delete("/{id}/share", summary="End a link", responses=describe_errors(404, 409, 500))
async def end_share(id: SessionId) -> SessionRef:
    """Let nobody read a session through its link any more."""
    await call_sessions(lambda to: to.listing.end_share(id))
    return SessionRef(session=id)


@router.get("/{id}/events", summary="List events", responses=describe_errors(400, 404, 422, 500))
async def list_events(
    id: SessionId,
    after: Annotated[
        int, Query(ge=0, le=MAX_INTEGER, description="Only events after this number.")
    ] = 0,
) -> tuple[Event, ...]:
    """What the nodes reported, in order."""
    return await call_sessions(lambda to: to.events(id, after))


@router.get(
    "/{id}/events/stream",
    summary="Stream events",
    response_class=EventStream,
    responses={200: EVENTS, **describe_errors(400, 404, 422, 500)},
)
async def stream_session_events(
    id: SessionId,
    request: Request,
    after: Annotated[
        int, Query(ge=0, le=MAX_INTEGER, description="Only events after this number.")
    ] = 0,
    last_event_id: Annotated[
        int | None,
        Header(ge=0, le=MAX_INTEGER, description="The same, as readers send it that come back."),
    ] = None,
) -> Response:
    """What the nodes report, as it comes, until the session no longer runs."""
    await call_sessions(lambda to: to.get(id))
    seen = after if last_event_id is None else last_event_id
    token = bearer_token(request.headers)
    return EventStream(stream_events(get_backend(), id, seen, token))


@router.get(
    "/{id}/live",
    summary="Stream a session's view",
    response_class=ViewStream,
    responses={
        200: {
            "description": "JSON lines: the first is the whole view, each further one a merge "
            "patch (RFC 7396) of what changed since the line before; an empty line says that the "
            'server is there. The stream of a deleted session ends with `{"session": {"status": '
            '"deleted"}}`; otherwise it goes on until the reader closes it or the server stops.',
            "content": VIEWS,
        },
        **describe_errors(404, 500),
    },
)
async def stream_session(id: SessionId, request: Request) -> Response:
    """The session's view as it changes."""
    await call_sessions(lambda to: to.get(id))
    return ViewStream(stream_view(get_backend(), id, bearer_token(request.headers)))


@router.post(
    "/{id}/follow",
    status_code=202,
    summary="Ask a follow-up",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def follow_up(id: SessionId, asked: FollowUp) -> SessionRef:
    """Ask the next question of a session that has ended, and run it."""
    await call_sessions(lambda to: to.follow(id, asked.question, asked.budget))
    return await _run(id)


@router.post(
    "/{id}/resume",
    status_code=202,
    summary="Resume a session",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def resume_session(id: SessionId, options: ResumeOptions) -> SessionRef:
    """Resume a session, with another model if one is named, up to the next breakpoint."""
    session = await call_sessions(lambda to: to.get(id))
    if options.model:
        line = settle_models(
            change_models(session.model, options.model, ""),
            get_backend().settings,
            session.question.budget,
        )
        await call_sessions(lambda to: to.change_model(id, line))
    if not get_backend().runs_here(id):
        await call_sessions(lambda to: refuse_running(to, id))
    return await _run(id, options.halts)


@router.post(
    "/{id}/pause",
    status_code=202,
    summary="Pause a session",
    responses=describe_errors(404, 409, 500),
)
async def pause_session(id: SessionId) -> SessionRef:
    """Pause a running session after its present node."""
    await wrap_future(get_backend().pause(id))
    return SessionRef(session=id)


@router.post(
    "/{id}/stop",
    status_code=202,
    summary="Stop a session",
    responses=describe_errors(404, 409, 500),
)
async def stop_session(id: SessionId) -> SessionRef:
    """End a session with the best answer so far; a second call ends it at once.

    After the first one a run ends its present step and writes its answer. One that is stopping
    already leaves that unfinished, and keeps what was read, unchecked.
    """
    await call_sessions(lambda to: to.request_next_stop(id))
    get_backend().stop(id)
    return SessionRef(session=id)


@router.post(
    "/{id}/steer",
    status_code=202,
    summary="Steer a session",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def steer_session(id: SessionId, change: SteerRequest) -> SessionRef:
    """Change the course of a session; a running one applies the change after its present step."""
    await call_sessions(lambda to: to.steering.steer(id, _make_steer(change)))
    return SessionRef(session=id)


@router.post(
    "/{id}/go-on",
    status_code=202,
    summary="Continue from a checkpoint",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def continue_session(id: SessionId, change: ContinueRequest) -> SessionRef:
    """Go back to a checkpoint and continue from it, or from the end with a raised budget."""
    await call_sessions(
        lambda to: to.forks.continue_from(id, change.checkpoint, _make_steer(change))
    )
    return await _run(id)


@router.post(
    "/{id}/fork",
    status_code=201,
    summary="Fork a session",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def fork_session(id: SessionId, change: ForkRequest) -> SessionRef:
    """Start a new session from a checkpoint of this one, and run it unless `run` is false."""
    settings = get_backend().settings

    async def fork(to: Sessions) -> str:
        session = await to.get(id)
        line = change_models(session.model, change.model, "") if change.model else session.model
        model = settle_models(line, settings, change.budget or session.question.budget)
        graph = await resolve_graph(change.graph) if change.graph else ""
        steer = dict(_make_steer(change))
        other = ForkChange(
            **steer, model=model, graph=graph, mapping=change.mapping, values=change.values
        )
        return await to.forks.fork(
            id, change.checkpoint, other, turn=change.turn, new=change.session
        )

    made = await call_sessions(fork)
    return await _run(made) if change.run else SessionRef(session=made)


@router.post(
    "/{id}/moving",
    summary="Preview a change of graph",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def preview_move(id: SessionId, move: MoveRequest) -> GraphMove:
    """Where each node that is to run next would continue in another graph, and why not."""
    graph = await resolve_graph(move.graph) if move.graph else ""
    return await call_sessions(
        lambda to: to.forks.plan_move(id, graph, move.mapping, move.checkpoint, turn=move.turn)
    )


@router.get("/{id}/pleas", summary="List approval requests", responses=describe_errors(404, 500))
async def list_requests(id: SessionId) -> tuple[ApprovalRow, ...]:
    """The requests that wait for an answer."""
    return await call_sessions(lambda to: to.approval_requests(id))


@router.post(
    "/{id}/pleas/{plea}",
    summary="Answer an approval request",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def answer_request(
    id: SessionId,
    plea: Annotated[str, Path(description="The request's id.", examples=["3f2a91c0"])],
    decision: Decision,
) -> SessionRef:
    """Approve an action, or refuse it."""
    await call_sessions(lambda to: to.decide(id, plea, yes=decision.yes))
    return SessionRef(session=id)


@router.get(
    "/{id}/export",
    summary="Export a session",
    response_class=Response,
    responses={200: EXPORT, **describe_errors(400, 404, 500)},
)
async def export_session(
    id: SessionId,
    format: Annotated[
        str, Query(description=f"One of {', '.join(DOCUMENTS)}; zip is the whole session.")
    ] = "md",
    parts: Annotated[
        list[str] | None,
        Query(
            description=f"The parts, with commas: {', '.join(PARTS)}, or {ALL}; not for zip. "
            "Without any, a document to read has its answer and sources, data has all, and "
            "references are those of the sources.",
            examples=[["answer,sources"]],
        ),
    ] = None,
    accept_language: Annotated[
        str, Header(description="The language of a document to read: English, German or Chinese.")
    ] = "",
) -> Response:
    """The session as a document, whose file is named after its title."""
    if format not in DOCUMENTS:
        known = ", ".join(DOCUMENTS)
        raise UsageError(f"There is no format {format!r}.", f"Use one of {known}.")

    wording = document_wording(spoken_language(accept_language))

    async def make(to: Sessions) -> tuple[bytes, str]:
        names = name_shipped_sites(to.context.settings.data)
        document = await to.export(id, format, ",".join(parts or ()), wording, sites=names)
        return document, await to.export_name(id, format)

    document, name = await call_sessions(make)
    headers = {"Content-Disposition": content_disposition(name)}
    if format == ZIP and (missing := missing_pages(document)):
        headers[MISSING] = missing.encode("ascii", "replace")[:MAX_HEADER].decode()
    return Response(document, media_type=MEDIA_TYPES[format], headers=headers)


def _make_steer(change: SteerRequest) -> Steer:
    """The budget as it was sent: limits that are not named stay as they are."""
    aside = change.set_aside if isinstance(change, ContinueRequest) else ()
    return Steer(
        hint=change.hint,
        sites=change.sites,
        forbid=change.forbid,
        set_aside=aside,
        budget=change.budget,
    )


async def _run(id: str, halts: Halts = NO_HALTS) -> SessionRef:
    await to_thread(get_backend().run, id, halts)
    return SessionRef(session=id)
