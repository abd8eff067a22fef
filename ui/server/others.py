"""What the API has beside sessions and graphs: memory, recipes, search, doctor."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from forager.errors import UsageError
from graphs.learning.admin import open_memory
from graphs.sessions.listing import forget_recipe, recipes
from graphs.system.doctor import examine
from graphs.system.page_cache import delete_page_cache, page_cache
from graphs.system.search import searched
from ui.server.answering import answer, number, read, route
from ui.server.bodies import Forgetting
from ui.server.office import here

MOST_RESULTS = 50


async def memory(request: Request) -> Response:
    """What is remembered: of a site, or likest to the words of a search."""
    words, site = (request.query_params.get(name, "") for name in ("search", "site"))
    async with open_memory(here().settings) as known:
        return answer(await (known.search(words) if words else known.list(site)))


async def forget(request: Request) -> Response:
    """Forget for good; how many things there were."""
    said = await read(request, Forgetting)
    async with open_memory(here().settings) as known:
        count = await known.forget(said.ids, said.site, said.session, all=said.all)
    return answer({"forgotten": count})


async def list_recipes(request: Request) -> Response:
    """The ways that are walked first when a question is asked again."""
    found = await asyncio.to_thread(recipes, here().settings)
    told = [
        {
            "number": one.id,
            "kept": one.kept,
            "site": one.recipe.site,
            "question": one.recipe.question,
        }
        for one in found
    ]
    return answer(told)


async def delete_recipe(request: Request) -> Response:
    """Forget one of them."""
    given = request.path_params["number"]
    await asyncio.to_thread(forget_recipe, here().settings, given)
    return answer({"number": given})


async def search(request: Request) -> Response:
    """Search the web, or the pages that were crawled of a site."""
    words, site = (request.query_params.get(name, "") for name in ("query", "site"))
    if not words.strip():
        raise UsageError("There is nothing to search for.", "Write some words: ?query=…")
    count = min(number(request, "count", 1, 10), MOST_RESULTS)
    providers = request.query_params.getlist("provider")
    return answer(await searched(here().settings, words, count, site, providers))


async def look_at_cache(request: Request) -> Response:
    """How much the page cache holds."""
    return answer(await asyncio.to_thread(page_cache, here().settings))


async def delete_cache(request: Request) -> Response:
    """Delete it; how much there was."""
    return answer(await asyncio.to_thread(delete_page_cache, here().settings))


async def doctor(request: Request) -> Response:
    """What was found on this machine and what is missing."""
    return answer(await asyncio.to_thread(examine, here().settings))


ROUTES = [
    route("/memory", memory),
    route("/memory/forget", forget, "POST"),
    route("/recipes", list_recipes),
    route("/recipes/{number:int}", delete_recipe, "DELETE"),
    route("/search", search),
    route("/cache", look_at_cache),
    route("/cache", delete_cache, "DELETE"),
    route("/doctor", doctor),
]
