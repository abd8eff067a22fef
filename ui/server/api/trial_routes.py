"""The API of trials: two graphs on the same questions."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query

from forager.domain.base import MAX_INTEGER
from graphs.experiments.trial import (
    Trial,
    check_questions,
    choose_graphs,
    new_result_file,
    typed_question,
)
from graphs.sessions.model_choice import default_line, settle_models
from ui.server.api.api_errors import describe_errors
from ui.server.api.graph_routes import resolve_graph
from ui.server.api.json_body import ApiRoute
from ui.server.api.request_models import TrialRequest
from ui.server.api.response_models import TrialRef
from ui.server.backend import get_backend
from ui.server.graph_trials import TrialStatus

LONGEST_WAIT = 60
TrialFile = Annotated[
    str, Path(description="The name of the trial's file.", examples=["try-1122-101500.jsonl"])
]
router = APIRouter(prefix="/api/graphs/try", tags=["trials"], route_class=ApiRoute)


@router.post(
    "",
    status_code=202,
    summary="Start a trial",
    responses=describe_errors(400, 413, 422, 500),
)
async def start_trial(wanted: TrialRequest) -> TrialRef:
    """Ask two graphs the same questions; the second reads the pages that the first has fetched."""
    backend = get_backend()
    settings = backend.settings
    line = wanted.model or default_line(settings)
    model = await asyncio.to_thread(settle_models, line, settings, wanted.budget)
    graphs = (wanted.graph, wanted.other)
    specs = [await resolve_graph(each) for each in graphs]
    names = [each if isinstance(each, str) else each.name for each in graphs]
    questions = [
        typed_question(each.question, each.sites, each.answer) for each in wanted.questions
    ]
    trial = Trial(
        records=check_questions(questions, {}),
        graphs=await asyncio.to_thread(
            choose_graphs, settings, (names[0], specs[0]), (names[1], specs[1])
        ),
        model=model,
        sites={},
        budget=wanted.budget,
        seed=wanted.seed,
        out=new_result_file(settings),
    )
    await asyncio.to_thread(backend.refuse_beyond_limits)
    args = trial, settings, backend.closing, backend.allowance
    return TrialRef(file=backend.trials.begin(*args))


@router.get("/{file}", summary="Show a trial", responses=describe_errors(400, 404, 422, 500))
async def show_trial(
    file: TrialFile,
    wait: Annotated[
        int,
        Query(
            ge=0,
            le=MAX_INTEGER,
            description=f"Seconds to wait for its end, at most {LONGEST_WAIT}.",
        ),
    ] = 0,
) -> TrialStatus:
    """How far a trial has come, with the two graphs side by side."""
    backend, seconds = get_backend(), min(wait, LONGEST_WAIT)
    return await asyncio.to_thread(backend.trials.now, file, backend.settings, seconds)


@router.delete("/{file}", status_code=202, summary="Stop a trial", responses=describe_errors(404))
async def stop_trial(file: TrialFile) -> TrialRef:
    """End a trial after its present question."""
    get_backend().trials.stop(file)
    return TrialRef(file=file)
