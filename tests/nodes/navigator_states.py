"""States in which links are followed, and what the navigator proposes there."""

from dataclasses import replace

from forager.domain.actions import Action
from forager.domain.documents import Document
from forager.domain.state import Reading, State
from nodes.navigator import NavigatorParams, navigate
from nodes.navigator.links import Choice
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs
from tests.nodes.states import state, step

PARAMS = NavigatorParams()


async def proposed(
    start: State, blobs: MemoryBlobs, *replies: Choice, params: NavigatorParams = PARAMS
) -> Action:
    """What the navigator proposes in a state, on these replies of a model."""
    update = await navigate(start, ports(*replies, blobs=blobs), params)
    assert set(update) == {"proposal"}
    assert update["proposal"].round == start.draw.round
    return update["proposal"].action


def walked(blobs: MemoryBlobs, *pages: Document, read: bool = True) -> State:
    """A state whose first round opened these pages, one after the other."""
    steps = tuple(step(blobs, page, 1, number) for number, page in enumerate(pages, start=1))
    reading = Reading(step=steps[-1].id) if read else None
    return replace(state(urls=[pages[0].url]), steps=steps, reading=reading)
