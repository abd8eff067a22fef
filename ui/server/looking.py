"""Routes for what a page opens: a quote in its page, and the picture that a plea shows."""

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from graphs.context import context
from ui.server.office import here


async def quote(request: Request) -> Response:
    """A quote of the ledger with the words around it."""
    id = request.path_params["id"]
    report = await asyncio.wrap_future(here().desk.begin(lambda to: to.show(id)))
    found = await asyncio.to_thread(context, report, request.path_params["quote"], here().settings)
    return JSONResponse(found.model_dump(mode="json"))
