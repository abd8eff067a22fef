"""The API of batches: files of questions in, files of answers out."""

from asyncio import to_thread
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from forager.domain.base import MAX_INTEGER
from graphs.reports.exports.formats import content_disposition
from graphs.sessions.model_choice import default_line, settle_models
from graphs.spec.edit import with_values
from graphs.system.batch.batch_run import BatchOptions
from graphs.system.batch.batch_shelf import MOST_BYTES
from ui.server.api.api_errors import describe_errors
from ui.server.api.graph_routes import resolve_graph
from ui.server.api.json_body import ApiRoute, read_body
from ui.server.api.request_models import ResumeBatch, StartBatch
from ui.server.api.response_models import BatchRef
from ui.server.backend import get_backend
from ui.server.batches import AnswerFormat, BatchRowPage, BatchStatus

PAGE_SIZE, LONGEST_PAGE = 50, 1000
MEDIA_TYPES: dict[AnswerFormat, str] = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
}
BatchId = Annotated[str, Path(description="The batch's id.", examples=["3f2a91c0"])]
BINARY = {"schema": {"type": "string", "format": "binary"}}
QUESTIONS: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "CSV or JSON lines with the columns question, and if wanted id, sites and "
        f"seed; at most {MOST_BYTES:,} bytes.",
        "content": {"text/csv": BINARY, "application/x-ndjson": BINARY},
    }
}
ANSWERS: dict[str, Any] = {
    "description": "The answers as an attachment, in the form of `forager batch --out`.",
    "content": {kind.partition(";")[0]: BINARY for kind in MEDIA_TYPES.values()},
}
router = APIRouter(prefix="/api/batches", tags=["batches"], route_class=ApiRoute)


@router.get("", summary="List batches", responses=describe_errors(500))
async def list_batches() -> tuple[BatchStatus, ...]:
    """All batches, newest first."""
    return await to_thread(get_backend().batches.list)


@router.post(
    "",
    status_code=201,
    summary="Upload questions",
    responses=describe_errors(400, 413, 500),
    openapi_extra=QUESTIONS,
)
async def add_batch(
    request: Request,
    file: Annotated[
        str,
        Query(description="The file's name; `.csv` means CSV, all else JSON lines."),
    ] = "questions.jsonl",
) -> BatchStatus:
    """Read and keep a file of questions. Nothing is asked before the batch is started."""
    data = await read_body(request, MOST_BYTES)
    batches = get_backend().batches
    return batches.status(await to_thread(batches.add, file, data))


@router.get("/{id}", summary="Show a batch", responses=describe_errors(404, 500))
async def show_batch(id: BatchId) -> BatchStatus:
    """How far it has come, what it cost, and an estimate of the rest."""
    return await to_thread(get_backend().batches.status, id)


@router.delete("/{id}", summary="Delete a batch", responses=describe_errors(400, 404, 500))
async def delete_batch(
    id: BatchId,
    sessions: Annotated[bool, Query(description="Also delete the sessions of its rows.")] = False,
) -> BatchRef:
    """Delete its questions and answers. The sessions of its rows are deleted in the background."""
    batches = get_backend().batches
    await to_thread(lambda: batches.delete(id, sessions=sessions))
    return BatchRef(batch=id)


@router.post(
    "/{id}/start",
    status_code=202,
    summary="Start a batch",
    responses=describe_errors(400, 404, 413, 422, 500),
)
async def start_batch(id: BatchId, wanted: StartBatch) -> BatchRef:
    """Answer its rows, each in a session of its own; a restarted server goes on by itself."""
    backend = get_backend()
    line = wanted.model or default_line(backend.settings)
    options = BatchOptions(
        graph=with_values(await resolve_graph(wanted.graph), wanted.parameters),
        model=await to_thread(settle_models, line, backend.settings, wanted.budget),
        budget=wanted.budget,
        sites=wanted.sites,
        at_once=wanted.at_once,
    )
    await to_thread(backend.batches.start, id, options)
    return BatchRef(batch=id)


@router.post(
    "/{id}/resume",
    status_code=202,
    summary="Resume a batch",
    responses=describe_errors(400, 404, 413, 422, 500),
)
async def resume_batch(id: BatchId, wanted: ResumeBatch) -> BatchRef:
    """Answer the rows that have no answer; those under way are resumed in their sessions."""
    batches = get_backend().batches
    await to_thread(lambda: batches.resume(id, retry_failed=wanted.retry_failed))
    return BatchRef(batch=id)


@router.post(
    "/{id}/pause", status_code=202, summary="Pause a batch", responses=describe_errors(404, 500)
)
async def pause_batch(id: BatchId) -> BatchRef:
    """Take no new row, and pause those under way after their present step."""
    await to_thread(get_backend().batches.pause, id)
    return BatchRef(batch=id)


@router.post(
    "/{id}/stop", status_code=202, summary="Stop a batch", responses=describe_errors(404, 500)
)
async def stop_batch(id: BatchId) -> BatchRef:
    """Take no new row, and end those under way with their best answers so far."""
    await to_thread(get_backend().batches.stop, id)
    return BatchRef(batch=id)


@router.get(
    "/{id}/rows", summary="List the rows of a batch", responses=describe_errors(400, 404, 422, 500)
)
async def list_batch_rows(
    id: BatchId,
    status: Annotated[
        str, Query(description="Only this status, one of those that the batch counts.")
    ] = "",
    search: Annotated[str, Query(description="Words of id, question or answer.")] = "",
    page: Annotated[int, Query(ge=1, le=MAX_INTEGER, description="The page of the list.")] = 1,
    size: Annotated[
        int, Query(ge=1, le=MAX_INTEGER, description=f"Rows on a page, at most {LONGEST_PAGE}.")
    ] = PAGE_SIZE,
) -> BatchRowPage:
    """The rows in the order of the file, each with its outcome and its session."""
    batches, length = get_backend().batches, min(size, LONGEST_PAGE)
    return await to_thread(
        lambda: batches.rows(id, status=status, search=search, page=page, size=length)
    )


@router.get(
    "/{id}/answers",
    summary="Download the answers",
    response_class=Response,
    responses={200: ANSWERS, **describe_errors(400, 404, 500)},
)
async def download_answers(
    id: BatchId,
    format: Annotated[AnswerFormat, Query(description="jsonl or csv.")] = "jsonl",
) -> Response:
    """The answers so far, in the order in which they were found."""
    batches = get_backend().batches
    status = await to_thread(batches.status, id)
    data = await to_thread(batches.answers, id, format)
    headers = {"Content-Disposition": content_disposition(answer_file_name(status, format))}
    return Response(data, media_type=MEDIA_TYPES[format], headers=headers)


def answer_file_name(status: BatchStatus, format: AnswerFormat) -> str:
    """The name of the file of answers, from that of the questions."""
    return f"{status.name.rpartition('.')[0] or status.name}-answers.{format}"
