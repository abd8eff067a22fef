"""Drives the Browser port step by step, as the actor does."""

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.browsing.page.aria import to_element
from forager.domain.actions import Action, Kind
from forager.domain.browser import Snapshot
from forager.domain.state import Step
from forager.ports import ActionResult
from tests.fakes import MemoryBlobs
from tests.forager.adapters.browser.snapshot_elements import called

WALK = "w"


class Walker:
    """Does one thing after the other, and keeps the trail."""

    def __init__(self, door: PlaywrightBrowser, blobs: MemoryBlobs) -> None:
        self.door = door
        self.blobs = blobs
        self.trail: list[Step] = []

    async def begin(self, url: str) -> Step:
        """Stand nowhere, and go to an address."""
        self.trail = []
        await self.door.restore(WALK, ())
        return await self.do(Action(kind="goto", target=url))

    async def on(self, name: str, kind: Kind, value: str = "") -> Step:
        """Do something to the element with a name."""
        return await self.do(self.proposed(self.trail[-1], kind, name, value))

    def proposed(self, step: Step, kind: Kind, name: str, value: str = "") -> Action:
        """An action on what was called so in the view of a step."""
        node = called(self.tree(step), name)
        element = to_element(node)
        return Action(kind=kind, target=node.ref, value=value, element=element, at=step.id)

    async def do(self, action: Action) -> Step:
        """Perform an action where the walk stands."""
        number = len(self.trail) + 1
        if self.trail and not action.at:
            action = action.model_copy(update={"at": self.trail[-1].id})
        done = await self.door.perform(WALK, action, f"1.{number}")
        self.trail.append(_step(number, action, done))
        return self.trail[-1]

    def tree(self, step: Step | None = None) -> str:
        """What the page showed after a step, or the last one."""
        view = (step or self.trail[-1]).view
        assert view is not None
        return Snapshot.model_validate_json(self.blobs.get(view.blob)).tree


def _step(number: int, action: Action, done: ActionResult) -> Step:
    step = Step(id=f"1.{number}", round=1, number=number, action=action, outcome="moved")
    return step.model_copy(update={"view": done.view, "sent": done.sent, "harm": done.harm})
