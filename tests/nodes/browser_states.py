"""States of a trajectory in a fake browser with scripted screens."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import BaseModel

from forager.domain.actions import Action
from forager.domain.state import Proposal, Reading, State, Update
from forager.ports import Ports
from nodes.actor import ActorParams, act
from nodes.navigator import NavigatorParams, navigate
from tests.fake_browser import FakeBrowser
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs, ScriptedModel
from tests.nodes.states import SITE, state, url

PARAMS = NavigatorParams(mode="browser", least=0.05)
HOME = url()
DOME, PRESS, LENS = url("dome"), url("press"), url("lens")
SCREENS = {
    HOME: f"""\
- main [ref=e1]:
  - heading "Lantern Hill" [level=1] [ref=e2]
  - searchbox "Search" [ref=e3]
  - button "Go" [ref=e4]
  - link "Who founded the dome" [ref=e5] [cursor=pointer]:
    - /url: {DOME}
  - link "Founding of the press" [ref=e6] [cursor=pointer]:
    - /url: {PRESS}
  - link "Opening hours" [ref=e7] [cursor=pointer]:
    - /url: {url("hours")}
""",
    DOME: f"""\
- heading "The dome" [level=1] [ref=e12]
- link "How the lens was found" [ref=e15] [cursor=pointer]:
  - /url: {LENS}
- button "Delete" [ref=e16]
""",
    PRESS: '- heading "The press" [ref=e22]\n- button "Back to the hill" [ref=e23]\n',
    LENS: '- heading "The lens" [ref=e32]\n',
}
MOVES = {
    (HOME, "click", "e5"): DOME,
    (HOME, "click", "e6"): PRESS,
    (DOME, "click", "e15"): LENS,
    (HOME, "click", "e4"): HOME,
    (HOME, "type", "e3"): HOME,
    (DOME, "back", ""): HOME,
}


class Walk:
    """A run of navigator and actor alone: pages are taken as read at once."""

    def __init__(
        self,
        *replies: BaseModel,
        params: NavigatorParams = PARAMS,
        start: State | None = None,
        browser: FakeBrowser | None = None,
        screens: Mapping[str, str] = SCREENS,
    ) -> None:
        blobs = MemoryBlobs()
        self.browser = browser or FakeBrowser(blobs, screens, MOVES)
        self.doors = ports(*replies, blobs=blobs, browser=self.browser)
        self.params = params
        self.state = start or state(urls=[SITE])

    @property
    def model(self) -> ScriptedModel:
        assert isinstance(self.doors.model, ScriptedModel)
        return self.doors.model

    async def proposed(self) -> Action:
        """What the navigator proposes; a page to be read is read."""
        update = await navigate(self.state, self.doors, self.params)
        self._take(update)
        return update["proposal"].action

    async def acted(self) -> None:
        self._take(await act(self.state, self.doors, ActorParams()))

    async def go(self, steps: int) -> list[Action]:
        """So many proposals, each done; the walk ends at a stop."""
        done: list[Action] = []
        while len(done) < steps:
            action = await self.proposed()
            if action.kind == "aggregate":
                self.read()
                continue
            done.append(action)
            if action.kind == "stop":
                break
            await self.acted()
        return done

    def read(self) -> None:
        """The last page has been read, and nothing was found."""
        last = next(step for step in reversed(self.state.steps) if step.page)
        self.state = replace(self.state, reading=Reading(step=last.id))

    def propose(self, action: Action) -> None:
        """Have this action done next."""
        proposal = Proposal(round=self.state.draw.round, action=action)
        self.state = replace(self.state, proposal=proposal)

    def _take(self, update: Update) -> None:
        values = dict(update)
        steps = values.pop("steps", ())
        assert isinstance(steps, tuple)
        self.state = replace(self.state, steps=(*self.state.steps, *steps), **values)  # type: ignore[arg-type]


def kinds(actions: Sequence[Action]) -> list[str]:
    """What was done, in words short enough for a test."""
    return [f"{each.kind} {each.target}".strip() for each in actions]


async def opened(*replies: BaseModel, params: NavigatorParams = PARAMS) -> Walk:
    """A walk that has opened the home page, and read it."""
    walk = Walk(*replies, params=params)
    await walk.proposed()
    await walk.acted()
    walk.read()
    return walk


def door(walk: Walk) -> Ports:
    """The doors of a walk."""
    return walk.doors
