"""The API of what the pages show of a run beside its live view: history, map, draws, spending."""

import asyncio
from base64 import b64encode
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Path, Query

from forager.budget import count_pages, counts_fetched
from forager.domain.base import MAX_INTEGER
from forager.domain.spend import Budget
from graphs.reports.quote_context import QuoteContext, read_quote_context
from graphs.reports.site_map import MapNode
from graphs.reports.trace import NodeRun
from graphs.sessions.debugging.node_trial import NodeTrial
from graphs.sessions.debugging.state_edit import StateValue
from graphs.sessions.inspection import NodeWork
from graphs.sessions.model_choice import settle_models
from graphs.sessions.service import Change, HistoryPoint, RoundDraw, SiteMap
from ui.server.api.api_errors import describe_errors
from ui.server.api.graph_routes import resolve_graph
from ui.server.api.json_body import ApiRoute
from ui.server.api.radial_layout import lay_out_radially
from ui.server.api.request_models import TryNodeRequest
from ui.server.api.response_models import ScreenshotAnswer, SiteMapPicture, SpendingHistory
from ui.server.api.session_routes import SessionId, Turn
from ui.server.backend import call_sessions, get_backend

CHECKPOINT = r"^(\d{1,18}|.*\D.*)$"
"""A number that SQLite can hold, or an id."""
router = APIRouter(prefix="/api/sessions/{id}", tags=["session data"], route_class=ApiRoute)


@router.get(
    "/history", summary="List checkpoints", responses=describe_errors(400, 404, 409, 422, 500)
)
async def list_checkpoints(id: SessionId, turn: Turn = None) -> tuple[HistoryPoint, ...]:
    """The checkpoints of a turn, oldest first."""
    return await call_sessions(lambda to: to.history.checkpoints(id, turn))


@router.get(
    "/history/{checkpoint}",
    summary="Show a checkpoint's changes",
    responses=describe_errors(400, 404, 409, 422, 500),
)
async def show_changes(
    id: SessionId,
    checkpoint: Annotated[
        str, Path(pattern=CHECKPOINT, description="Its number or its id.", examples=["7"])
    ],
    turn: Turn = None,
) -> tuple[Change, ...]:
    """What a checkpoint changed in the state."""
    number = int(checkpoint) if checkpoint.isdecimal() else checkpoint
    return await call_sessions(lambda to: to.history.diff(id, number, turn))


@router.get("/way", summary="List node runs", responses=describe_errors(400, 404, 409, 422, 500))
async def list_node_runs(id: SessionId, turn: Turn = None) -> tuple[NodeRun, ...]:
    """What ran in a turn, in order, with the edges that were taken."""
    return await call_sessions(lambda to: to.inspection.trace(id, turn))


@router.get(
    "/nodes/{node:path}",
    summary="Inspect a node",
    responses=describe_errors(400, 404, 409, 422, 500),
)
async def inspect_node(
    id: SessionId,
    node: Annotated[str, Path(description="The node; inside another graph, with its path.")],
    at: Annotated[
        int | None, Query(ge=1, le=MAX_INTEGER, description="The event where its run began.")
    ] = None,
    turn: Turn = None,
) -> NodeWork:
    """What a node was given and changed in its last run, or in the one that began with `at`."""
    return await call_sessions(lambda to: to.inspection.node_work(id, node, at, turn=turn))


@router.post(
    "/try/{node:path}",
    summary="Run a node alone",
    responses=describe_errors(400, 404, 409, 413, 422, 500, 502),
)
async def try_node(
    id: SessionId,
    node: Annotated[str, Path(description="The node; inside another graph, with its path.")],
    wanted: TryNodeRequest,
) -> NodeTrial:
    """Run a node of a graph on the input that it had in this session, which stays as it is.

    Nothing that needs approval is done.
    """
    settings = get_backend().settings
    graph = await resolve_graph(wanted.graph) if wanted.graph else ""
    line = settle_models(wanted.model, settings, Budget()) if wanted.model else ""
    work = get_backend().runs.call_async(
        lambda to: to.node_trials.try_node(id, node, graph, wanted.at, turn=wanted.turn, model=line)
    )
    return await work


@router.get("/state", summary="Show the state", responses=describe_errors(400, 404, 409, 422, 500))
async def show_state(
    id: SessionId,
    checkpoint: Annotated[
        int | None,
        Query(ge=1, le=MAX_INTEGER, description="The number of a checkpoint; without one, now."),
    ] = None,
    turn: Turn = None,
) -> tuple[StateValue, ...]:
    """The values of the state that a fork may change by hand, each with its JSON schema."""
    return await call_sessions(lambda to: to.state_values.at_step(id, checkpoint, turn))


@router.get("/map", summary="Show the site maps", responses=describe_errors(404, 500))
async def show_site_maps(id: SessionId) -> list[SiteMapPicture]:
    """The pages of each site, with their places in a picture."""
    maps = await call_sessions(lambda to: to.figures.site_map(id))
    return await asyncio.to_thread(_draw_maps, maps)


@router.get("/spending", summary="Show the spending", responses=describe_errors(404, 500))
async def show_spending(id: SessionId) -> SpendingHistory:
    """What was spent, checkpoint by checkpoint."""
    found = await call_sessions(lambda to: to.figures.spending(id))
    budget = (await call_sessions(lambda to: to.get(id))).question.budget
    fetched = bool(found) and counts_fetched(budget, found[-1].spend)
    return SpendingHistory(
        round=[each.round for each in found],
        ran=[", ".join(dict.fromkeys(each.ran)) for each in found],
        pages=[count_pages(each.spend, fetched=fetched) for each in found],
        calls=[each.spend.model_calls for each in found],
        tokens=[each.spend.tokens_in + each.spend.tokens_out for each in found],
        dollars=[round(each.spend.usd, 6) for each in found],
        seconds=[round(each.spend.seconds, 2) for each in found],
    )


@router.get(
    "/screenshot",
    summary="Show the last screenshot",
    response_model_exclude_unset=True,
    responses=describe_errors(404, 500),
)
async def show_screenshot(id: SessionId) -> ScreenshotAnswer:
    """The last picture of the page in the browser; an empty object if there is none."""
    found = await call_sessions(lambda to: to.figures.screenshot(id))
    if found is None:
        return ScreenshotAnswer()
    image = b64encode(found.image).decode()
    return ScreenshotAnswer(**found.model_dump(exclude={"image"}), image=image)


@router.get("/draws", summary="List draws", responses=describe_errors(404, 500))
async def list_draws(id: SessionId) -> tuple[RoundDraw, ...]:
    """Every draw of the bandit in the present turn."""
    return await call_sessions(lambda to: to.figures.draws(id))


@router.get(
    "/quotes/{quote}", summary="Show a quote in its page", responses=describe_errors(400, 404, 500)
)
async def show_quote(
    id: SessionId,
    quote: Annotated[str, Path(description="The id of the evidence.", examples=["e1"])],
) -> QuoteContext:
    """A quote of the ledger with the words around it."""
    report = await call_sessions(lambda to: to.show(id))
    return await asyncio.to_thread(read_quote_context, report, quote, get_backend().settings)


def _draw_maps(maps: Sequence[SiteMap]) -> list[SiteMapPicture]:
    """A list for each field of the pages, which is half as long as a list of pages."""
    pictures: list[SiteMapPicture] = []
    for site in maps:
        places = lay_out_radially([node.parent for node in site.nodes])
        lists = {
            name: [getattr(node, name) for node in site.nodes] for name in MapNode.model_fields
        }
        places_by_axis = {"x": [x for x, _ in places], "y": [y for _, y in places]}
        about = site.model_dump(exclude={"nodes"})
        pictures.append(SiteMapPicture.model_validate({**about, **lists, **places_by_axis}))
    return pictures
