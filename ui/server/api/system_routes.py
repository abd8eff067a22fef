"""The API beside sessions and graphs: health, memory, recipes, search, page cache, doctor."""

import asyncio
from collections import Counter
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from forager.domain.base import MAX_INTEGER
from forager.domain.survey import SearchResults
from forager.errors import StoreError, UsageError
from forager.util.distribution import installed_version
from graphs.learning.admin import MemoryItem, open_memory
from graphs.sessions.listing import forget_recipe, read_recipes
from graphs.system.doctor import Check, run_checks
from graphs.system.page_cache import PageCacheSize, delete_page_cache, measure_page_cache
from graphs.system.search import search_web
from ui.server.access.api_token import bearer_token
from ui.server.api.api_errors import describe_errors
from ui.server.api.json_body import ApiRoute
from ui.server.api.request_models import ForgetRequest
from ui.server.api.response_models import ForgottenItems, Health, RecipeLine, RecipeRef
from ui.server.backend import get_backend, get_installation
from ui.server.run_metrics import MEDIA_TYPE

MOST_RESULTS = 50
METRICS: dict[str, Any] = {
    "description": "Prometheus's text format.",
    "content": {"text/plain": {"schema": {"type": "string"}}},
}
router = APIRouter(prefix="/api", route_class=ApiRoute)


@router.get("/health", tags=["system"], summary="Check the server", openapi_extra={"security": []})
async def check_health(request: Request) -> Health:
    """Whether the server is there; with a token, also how many of one's sessions run in it."""
    try:
        running = await asyncio.to_thread(
            get_installation().count_running, bearer_token(request.headers)
        )
    except StoreError:  # who asks cannot be known
        running = None
    return Health(version=installed_version(), running=running)


@router.get(
    "/metrics",
    tags=["system"],
    summary="Show the metrics",
    response_class=Response,
    responses={200: METRICS, **describe_errors(500)},
)
async def show_metrics() -> Response:
    """Sessions by status, runs, fetches, model calls, tokens, dollars and errors.

    Counters begin with the server; those of spending grow when a run ends. Sessions are those of
    the spaces of accounts that are in use.
    """
    spaces, sessions = get_installation().spaces(), Counter[str]()
    for each in spaces:
        lines = await each.sessions.call_async(lambda to: to.listing.search())
        sessions.update(str(line.status) for line in lines)
    starting = sum(len(each.starting) for each in spaces)
    running = max(0, sum(len(each.running()) for each in spaces) - starting)
    return Response(
        get_installation().metrics.render(sessions, running, starting), media_type=MEDIA_TYPE
    )


@router.get(
    "/memory", tags=["memory"], summary="List the memory", responses=describe_errors(400, 500)
)
async def list_memory(
    search: Annotated[str, Query(description="A question; the most similar come first.")] = "",
    site: Annotated[str, Query(description="Only what was learned on this site.")] = "",
) -> tuple[MemoryItem, ...]:
    """What was learned from earlier sessions, newest first."""
    async with open_memory(get_backend().settings) as memory:
        return await (memory.search(search) if search else memory.list(site))


@router.post(
    "/memory/forget",
    tags=["memory"],
    summary="Forget",
    responses=describe_errors(400, 409, 413, 422, 500),
)
async def forget_items(wanted: ForgetRequest) -> ForgottenItems:
    """Forget for good."""
    async with open_memory(get_backend().settings) as memory:
        count = await memory.forget(wanted.ids, wanted.site, wanted.session, all=wanted.all)
    return ForgottenItems(forgotten=count)


@router.get("/recipes", tags=["memory"], summary="List recipes", responses=describe_errors(500))
async def list_recipes() -> list[RecipeLine]:
    """The paths that are tried first when a question is asked again."""
    found = await asyncio.to_thread(read_recipes, get_backend().settings)
    return [
        RecipeLine(
            number=each.id, kept=each.kept, site=each.recipe.site, question=each.recipe.question
        )
        for each in found
    ]


@router.delete(
    "/recipes/{number}",
    tags=["memory"],
    summary="Delete a recipe",
    responses=describe_errors(400, 404, 500),
)
async def delete_recipe(
    number: Annotated[int, Path(le=MAX_INTEGER, description="The recipe's number.", examples=[1])],
) -> RecipeRef:
    """Delete a recipe; the next time, its question starts from scratch."""
    await asyncio.to_thread(forget_recipe, get_backend().settings, number)
    return RecipeRef(number=number)


@router.get(
    "/search", tags=["search"], summary="Search", responses=describe_errors(400, 422, 500, 502)
)
async def search_pages(
    query: Annotated[str, Query(description="What to search for.")] = "",
    site: Annotated[str, Query(description="Search only this site.")] = "",
    count: Annotated[
        int, Query(ge=1, le=MAX_INTEGER, description=f"How many results, at most {MOST_RESULTS}.")
    ] = 10,
    provider: Annotated[
        list[str] | None, Query(description="Search providers, tried in this order.")
    ] = None,
) -> SearchResults:
    """Search the web, or the pages that were crawled of a site."""
    if not query.strip():
        raise UsageError("There is nothing to search for.", "Write some words: ?query=…")
    settings = get_backend().settings
    return await search_web(settings, query, min(count, MOST_RESULTS), site, provider or ())


@router.get("/cache", tags=["system"], summary="Measure the cache", responses=describe_errors(500))
async def measure_cache() -> PageCacheSize:
    """How much the page cache holds."""
    return await asyncio.to_thread(measure_page_cache, get_backend().settings)


@router.delete(
    "/cache", tags=["system"], summary="Delete the cache", responses=describe_errors(500)
)
async def delete_cache() -> PageCacheSize:
    """Delete the page cache; returns how much it held."""
    return await asyncio.to_thread(delete_page_cache, get_backend().settings)


@router.get(
    "/doctor", tags=["system"], summary="Examine the machine", responses=describe_errors(500)
)
async def examine_machine() -> list[Check]:
    """What was found on this machine and what is missing."""
    return await asyncio.to_thread(run_checks, get_backend().settings)
