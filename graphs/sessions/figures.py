"""The data behind the figures of a run: site maps, bandit draws, spending, the last screenshot."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import Field

from forager.adapters.store.checkpoints.lineage import line_of_descent
from forager.adapters.store.sessions.approval_rows import ApprovalRow
from forager.browsing.action_keys import ADDRESS_KINDS
from forager.browsing.action_text import describe_action
from forager.domain.base import Frozen
from forager.domain.spend import Spend
from forager.domain.state import Draw, State
from graphs.reports.site_map import SiteMap, read_site_maps
from graphs.reports.stored_pages import read_picture
from graphs.runtime.compile import langgraph_names
from graphs.runtime.position import next_nodes
from graphs.sessions.context import SessionContext
from graphs.sessions.history import nodes_run_at, without_input
from graphs.spec.spec import graph_of

DIGITS = 3
PNG_SIGNATURE: Final = b"\x89PNG"
ImageType = Literal["image/png", "image/jpeg"]


class RoundDraw(Frozen):
    """A round of the bandit: the sampled value of each arm by its number, and the arms drawn.

    `outcomes` are the verdicts on the drawn arms, in their order; an empty text for none yet.
    """

    round: int
    samples: dict[int, float] = Field(default_factory=dict)
    arms: tuple[int, ...] = ()
    outcomes: tuple[str, ...] = ()
    strategy: str = ""


class Spending(Frozen):
    """A checkpoint that cost something: the nodes that ran, and all that was spent until then."""

    round: int
    ran: tuple[str, ...] = ()
    spend: Spend = Spend()


class Screenshot(Frozen):
    """A page in the browser: when it was taken (epoch, s), and the action that was due on it."""

    image: bytes = b""
    kind: ImageType = "image/jpeg"
    time: float
    what: str
    url: str


@dataclass(frozen=True)
class Figures:
    """Reads what the figures of a session show. Every method raises SessionError, StoreError."""

    context: SessionContext

    async def site_map(self, id: str) -> tuple[SiteMap, ...]:
        """The pages of each site that was surveyed or visited, as trees."""
        state = await self.context.read_state(id)
        sites = [*state.survey.pages, *state.question.sites, *(arm.site for arm in state.arms)]
        wanted = [
            *(step.page.url for step in state.steps if step.page),
            *(item.passage.url for item in state.evidence),
            *(arm.url for arm in state.arms),
        ]
        settings = self.context.settings
        return await asyncio.to_thread(read_site_maps, settings, filter(None, sites), wanted)

    async def draws(self, id: str) -> tuple[RoundDraw, ...]:
        """Every bandit draw of the present turn."""
        session = await self.context.get_session(id)
        lineage = await self.context.lineage()
        path = line_of_descent(await lineage.read_rows(session.thread))
        wanted = {pair: None for row in path for pair in row.channel_versions(("draw",))}
        kept = await lineage.read_versions(session.thread, wanted)
        draws = (kept.get(pair) for pair in wanted)
        found = {each.round: each for each in draws if isinstance(each, Draw) and each.urls}
        state = await self.context.read_state(id)
        return tuple(round_draw(draw, state) for draw in found.values())

    async def spending(self, id: str) -> tuple[Spending, ...]:
        """What the present turn spent, node by node, on the path to its newest checkpoint."""
        session = await self.context.get_session(id)
        lineage = await self.context.lineage()
        own = session.thread
        path = line_of_descent(without_input(await lineage.read_rows(own)))
        names = langgraph_names(graph_of(session))
        onwards = await next_nodes(lineage, own, path, names)
        channels = "spend", "draw"
        kept = await lineage.read_versions(
            own, {pair for row in path for pair in row.channel_versions(channels)}
        )
        found: list[Spending] = []
        round, last = 0, None
        for parent, row in zip((None, *path), path, strict=False):
            now = row.pick_values(channels, kept)
            draw, spend = now.get("draw"), now.get("spend")
            round = draw.round if isinstance(draw, Draw) else round
            if isinstance(spend, Spend) and spend is not last:
                last, ran = spend, nodes_run_at(row, parent, onwards, names)
                found.append(Spending(round=round, ran=ran, spend=spend))
        return tuple(found)

    async def screenshot(self, id: str) -> Screenshot | None:
        """The newest stored screenshot of the present turn, of an action or approval request."""
        store = await self.context.store()
        session = await asyncio.to_thread(store.get, id)
        requests = await asyncio.to_thread(store.approvals.list_requests, session.thread)
        state = await self.context.read_state(id)
        shots = [*action_screenshots(state), *map(_request_screenshot, requests)]
        for blob, shot in sorted(shots, key=lambda pair: -pair[1].time):
            if not blob:
                continue
            image = await asyncio.to_thread(read_picture, self.context.settings, blob)
            if image:
                kind: ImageType = "image/png" if image.startswith(PNG_SIGNATURE) else "image/jpeg"
                return shot.model_copy(update={"image": image, "kind": kind})
        return None


def action_screenshots(state: State) -> Iterator[tuple[str, Screenshot]]:
    """The screenshots of browser actions, each with its blob and without its image."""
    views = {step.id: step.view for step in state.steps if step.view}
    for step in state.steps:
        view, what = step.view, describe_action(step.action)
        if view is None or not view.picture:
            continue
        at = view if step.action.kind in ADDRESS_KINDS else views.get(step.action.at, view)
        yield view.picture, Screenshot(time=view.pictured, what=what, url=at.url)


def _request_screenshot(row: ApprovalRow) -> tuple[str, Screenshot]:
    request = row.plea
    return request.picture, Screenshot(time=row.time, what=request.what, url=request.url)


def round_draw(draw: Draw, state: State) -> RoundDraw:
    """A draw with its arms by number, and the verdicts on them since."""
    numbers = {arm.url: number for number, arm in enumerate(state.arms, 1)}
    verdicts = {
        lesson.url: lesson.outcome for lesson in state.lessons if lesson.round == draw.round
    }
    urls = [url for url in draw.urls if url in numbers]
    samples = {
        numbers[url]: round(value, DIGITS) for url, value in draw.samples.items() if url in numbers
    }
    return RoundDraw(
        round=draw.round,
        samples=dict(sorted(samples.items())),
        arms=tuple(numbers[url] for url in urls),
        outcomes=tuple(verdicts.get(url, "") for url in urls),
        strategy=draw.reason,
    )
