"""What the pictures of a run are drawn from, beside its live view: fetched when it has changed."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from forager.errors import SessionError
from ui.server.api import ask, translated


async def history(request: Request) -> Response:
    """The checkpoints of the present turn, or of `turn`."""
    id, turn = request.path_params["id"], request.query_params.get("turn")
    if turn is not None and not turn.isdecimal():
        raise SessionError(f"{turn!r} is no turn.", "Turns are counted from 1 on.")
    points = await ask(lambda to: to.history(id, int(turn) if turn else None))
    return JSONResponse([point.model_dump(mode="json") for point in points])


PICTURES = [Route("/api/sessions/{id}/history", translated(history))]
