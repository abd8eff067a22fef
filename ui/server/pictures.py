"""What the pages show of a run beside its live view: fetched when it has changed or is opened."""

import asyncio
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response

from graphs.reports.quote_context import context
from graphs.reports.site_map import MapNode
from graphs.sessions.service import SiteMap
from ui.server.answering import answer, ask, number, route
from ui.server.layout import radial
from ui.server.office import here


async def history(request: Request) -> Response:
    """The checkpoints of the present turn, or of `turn`."""
    id, turn = request.path_params["id"], number(request, "turn", 1, 0) or None
    return answer(await ask(lambda to: to.history(id, turn)))


async def site_map(request: Request) -> Response:
    """The pages of each site, with their places in the picture."""
    maps = await ask(lambda to: to.site_map(request.path_params["id"]))
    return answer(await asyncio.to_thread(_laid, maps))


def _laid(maps: Sequence[SiteMap]) -> list[dict[str, object]]:
    """One list for each field of the nodes: half as long as a list of nodes."""
    found: list[dict[str, object]] = []
    for site in maps:
        places = radial([node.parent for node in site.nodes])
        fields = {
            name: [getattr(node, name) for node in site.nodes] for name in MapNode.model_fields
        }
        found.append(
            {
                **site.model_dump(mode="json", exclude={"nodes"}),
                **fields,
                "x": [x for x, _ in places],
                "y": [y for _, y in places],
            }
        )
    return found


async def way(request: Request) -> Response:
    """What ran, in its order, and the edges that were taken."""
    turn = number(request, "turn", 1, 0) or None
    found = await ask(lambda to: to.way(request.path_params["id"], turn))
    return answer([asdict(each) for each in found])


async def node(request: Request) -> Response:
    """What a node did the last time, or where it began with the event `at`."""
    turn, at = (number(request, name, 1, 0) or None for name in ("turn", "at"))
    id, name = request.path_params["id"], request.path_params["node"]
    return answer(await ask(lambda to: to.node(id, name, at, turn=turn)))


async def draws(request: Request) -> Response:
    """Every draw of the present turn."""
    return answer(await ask(lambda to: to.draws(request.path_params["id"])))


async def spending(request: Request) -> Response:
    """What was spent on the way: lists with an entry for each checkpoint that was paid for."""
    found = await ask(lambda to: to.spending(request.path_params["id"]))
    used = {
        "pages": [each.spend.actions for each in found],
        "calls": [each.spend.model_calls for each in found],
        "tokens": [each.spend.tokens_in + each.spend.tokens_out for each in found],
        "dollars": [round(each.spend.usd, 6) for each in found],
        "seconds": [round(each.spend.seconds, 2) for each in found],
    }
    ran = [", ".join(dict.fromkeys(each.ran)) for each in found]
    return answer({"round": [each.round for each in found], "ran": ran, **used})


async def screenshot(request: Request) -> Response:
    """The last picture of the page in the browser, as base64; empty where there is none."""
    found = await ask(lambda to: to.screenshot(request.path_params["id"]))
    if found is None:
        return answer({})
    shown = found.model_dump(exclude={"image"})
    return answer({**shown, "image": b64encode(found.image).decode()})


async def quote(request: Request) -> Response:
    """A quote of the ledger with the words around it."""
    id = request.path_params["id"]
    report = await ask(lambda to: to.show(id))
    wanted = request.path_params["quote"]
    return answer(await asyncio.to_thread(context, report, wanted, here().settings))


ROUTES = [
    route("/sessions/{id}/history", history),
    route("/sessions/{id}/way", way),
    route("/sessions/{id}/nodes/{node:path}", node),
    route("/sessions/{id}/map", site_map),
    route("/sessions/{id}/spending", spending),
    route("/sessions/{id}/screenshot", screenshot),
    route("/sessions/{id}/draws", draws),
    route("/sessions/{id}/quotes/{quote}", quote),
]
