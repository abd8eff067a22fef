"""What the pictures of a run are drawn from: the maps of its sites, and every draw."""

import asyncio
from collections.abc import Iterator
from typing import Final, Literal

from pydantic import Field

from forager.adapters.store.checkpoints.lineage import line
from forager.adapters.store.sessions.approval_rows import ApprovalRow
from forager.browsing.action_keys import ADDRESSED
from forager.browsing.action_text import in_words
from forager.domain.base import Frozen
from forager.domain.spend import Spend
from forager.domain.state import Draw, State
from graphs.reports.site_map import SiteMap, read_site_maps
from graphs.reports.stored_pages import read_picture
from graphs.runtime.compile import langgraph_names
from graphs.runtime.position import next_nodes
from graphs.runtime.state_reader import read_state
from graphs.sessions.context import SessionContext
from graphs.sessions.history import nodes_run_at
from graphs.sessions.history import without_input as numbered
from graphs.spec.spec import graph_of

DIGITS = 3
PNG_SIGNATURE: Final = b"\x89PNG"
ImageType = Literal["image/png", "image/jpeg"]


class RoundDraw(Frozen):
    """A round: the value that each arm was given, by its number, and the arms that were drawn.

    `outcomes` are the judgements of these, in their order; empty as long as there is none.
    """

    round: int
    samples: dict[int, float] = Field(default_factory=dict)
    arms: tuple[int, ...] = ()
    outcomes: tuple[str, ...] = ()
    strategy: str = ""


class Spending(Frozen):
    """A checkpoint that was paid for: the nodes that ran, and all that was spent until then."""

    round: int
    ran: tuple[str, ...] = ()
    spend: Spend = Spend()


class Screenshot(Frozen):
    """A page in the browser: its address, when it was taken (epoch, s), and what was to be done."""

    image: bytes = b""
    kind: ImageType = "image/jpeg"
    time: float
    what: str
    url: str


class Figures(SessionContext):
    """The verbs that pictures are drawn from."""

    async def site_map(self, id: str) -> tuple[SiteMap, ...]:
        """The pages of each site that was surveyed, or walked, as trees.

        Raises SessionError when there is no such session, and StoreError.
        """
        state = await self._present(id)
        sites = [*state.survey.pages, *state.question.sites, *(arm.site for arm in state.arms)]
        wanted = [
            *(step.page.url for step in state.steps if step.page),
            *(item.passage.url for item in state.evidence),
            *(arm.url for arm in state.arms),
        ]
        return await asyncio.to_thread(read_site_maps, self.settings, filter(None, sites), wanted)

    async def draws(self, id: str) -> tuple[RoundDraw, ...]:
        """Every draw of the present turn. Raises SessionError when there is no such session."""
        session = await asyncio.to_thread((await self._sessions()).get, id)
        lineage = await self._lineage()
        rows = await lineage.rows(session.thread)
        path = line(rows)
        wanted = {pair: None for row in path for pair in row.pairs(("draw",))}
        kept = await lineage.every(session.thread, wanted)
        draws = (kept.get(pair) for pair in wanted)
        found = {each.round: each for each in draws if isinstance(each, Draw) and each.urls}
        state = await self._present(id)
        return tuple(round_draw(draw, state) for draw in found.values())

    async def spending(self, id: str) -> tuple[Spending, ...]:
        """What the present turn has spent, node by node, on the way to its last checkpoint.

        Raises SessionError when there is no such session.
        """
        session = await asyncio.to_thread((await self._sessions()).get, id)
        lineage = await self._lineage()
        own = session.thread
        rows = numbered(await lineage.rows(own))
        path = line(rows)
        names = langgraph_names(graph_of(session))
        onwards = await next_nodes(lineage, own, path, names)
        channels = "spend", "draw"
        kept = await lineage.every(own, {pair for row in path for pair in row.pairs(channels)})
        found: list[Spending] = []
        round, last = 0, None
        for parent, row in zip((None, *path), path, strict=False):
            now = row.picked(channels, kept)
            draw, spend = now.get("draw"), now.get("spend")
            round = draw.round if isinstance(draw, Draw) else round
            if isinstance(spend, Spend) and spend is not last:
                last, ran = spend, nodes_run_at(row, parent, onwards, names)
                found.append(Spending(round=round, ran=ran, spend=spend))
        return tuple(found)

    async def screenshot(self, id: str) -> Screenshot | None:
        """The last picture that the present turn kept and that is still there.

        Of an action, or of a plea. Raises SessionError when there is no such session, and
        StoreError.
        """
        store = await self._sessions()
        session = await asyncio.to_thread(store.get, id)
        asked = await asyncio.to_thread(store.approvals.all, session.thread)
        shots = [*action_screenshots(await self._present(id)), *map(_request_screenshot, asked)]
        for blob, shot in sorted(shots, key=lambda pair: -pair[1].time):
            if blob and (image := await asyncio.to_thread(read_picture, self.settings, blob)):
                kind: ImageType = "image/png" if image.startswith(PNG_SIGNATURE) else "image/jpeg"
                return shot.model_copy(update={"image": image, "kind": kind})
        return None

    async def _present(self, id: str) -> State:
        store = await self._sessions()
        session = await asyncio.to_thread(store.get, id)
        past = await asyncio.to_thread(store.turns, id)
        return await read_state(await self._states(), session.thread, session.question, past)


def action_screenshots(state: State) -> Iterator[tuple[str, Screenshot]]:
    """The pictures of actions: the blob of each, and what it is of."""
    views = {step.id: step.view for step in state.steps if step.view}
    for step in state.steps:
        view, what = step.view, in_words(step.action)
        if view is None or not view.picture:
            continue
        at = view if step.action.kind in ADDRESSED else views.get(step.action.at, view)
        yield view.picture, Screenshot(time=view.pictured, what=what, url=at.url)


def _request_screenshot(asked: ApprovalRow) -> tuple[str, Screenshot]:
    plea = asked.plea
    return plea.picture, Screenshot(time=asked.time, what=plea.what, url=plea.url)


def round_draw(draw: Draw, state: State) -> RoundDraw:
    """A draw with its arms by number, and how they were judged since."""
    numbers = {arm.url: number for number, arm in enumerate(state.arms, 1)}
    judged = {lesson.url: lesson.outcome for lesson in state.lessons if lesson.round == draw.round}
    urls = [url for url in draw.urls if url in numbers]
    samples = {
        numbers[url]: round(value, DIGITS) for url, value in draw.samples.items() if url in numbers
    }
    return RoundDraw(
        round=draw.round,
        samples=dict(sorted(samples.items())),
        arms=tuple(numbers[url] for url in urls),
        outcomes=tuple(judged.get(url, "") for url in urls),
        strategy=draw.reason,
    )
