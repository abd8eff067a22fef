"""States in which the web is searched, and what the navigator proposes there."""

from collections.abc import Sequence
from dataclasses import replace

from forager.domain.actions import Action
from forager.domain.state import State, Step
from forager.domain.survey import NOTHING_FOUND, SearchResult
from nodes.navigator import NavigatorParams, navigate
from nodes.navigator.search import Move, SearchOrRead
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs, ScriptedModel

PARAMS = NavigatorParams(mode="search", steps=20)


def result(url: str, title: str = "", snippet: str = "", rank: int = 1) -> SearchResult:
    """A result of a search."""
    return SearchResult(url=url, title=title or url, snippet=snippet, rank=rank, source="fake")


def searched(
    query: str, *found: SearchResult, number: int = 1, site: str = "", reason: str = ""
) -> Step:
    """The step that made a search."""
    return Step(
        id=f"1.{number}",
        round=1,
        number=number,
        action=Action(kind="search", target=query, site=site),
        outcome="moved" if found else "failed",
        found=found,
        reason=reason or ("" if found else NOTHING_FOUND),
    )


def after(start: State, *steps: Step) -> State:
    """A state in which these steps were made."""
    return replace(start, steps=steps)


async def proposed(
    start: State, *replies: Move, params: NavigatorParams = PARAMS, blobs: MemoryBlobs | None = None
) -> Action:
    """What the navigator proposes, on these replies of a model."""
    update = await navigate(start, ports(*replies, blobs=blobs), params)
    assert set(update) == {"proposal"}
    assert update["proposal"].round == start.draw.round
    return update["proposal"].action


async def asked(start: State, params: NavigatorParams = PARAMS) -> SearchOrRead:
    """What a model is asked in a state."""
    doors = ports()
    await navigate(start, doors, params)
    assert isinstance(doors.model, ScriptedModel)
    [task] = doors.model.asked
    assert isinstance(task, SearchOrRead)
    return task


def urls(found: Sequence[SearchResult]) -> list[str]:
    """The addresses of results."""
    return [each.url for each in found]
