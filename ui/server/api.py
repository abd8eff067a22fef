"""The JSON API: the verbs of the command line, for the pages' components and for programs."""

from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ui.server import others, pictures, saved, trying, verbs
from ui.server.answering import route
from ui.server.office import here

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


async def health(request: Request) -> Response:
    """Is the server there, and how many sessions run in it?"""
    running = len(here().running())
    return JSONResponse({"status": "ok", "version": version("forager"), "running": running})


async def lost(request: Request) -> Response:
    """What no route is for."""
    told = {
        "error": f"There is no {request.method} {request.url.path}.",
        "mend": "See docs/api.md.",
    }
    return JSONResponse(told, 404)


ROUTES = [
    route("/health", health),
    *verbs.ROUTES,
    *pictures.ROUTES,
    *trying.ROUTES,
    *saved.ROUTES,
    *others.ROUTES,
    Route("/api/{path:path}", lost, methods=METHODS),
]
