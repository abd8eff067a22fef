"""Brings back what earlier attempts taught about the page that was drawn."""

from typing import Literal

from pydantic import Field

from forager.frozen import Frozen
from forager.ports import Ports
from forager.state import Recall, State, Update


class RecallerParams(Frozen):
    """Which episodes come back."""

    episodes: Literal["arm", "run"] = Field(
        "arm", description="lessons of the drawn arm, or of the whole run"
    )


async def recall(state: State, ports: Ports, params: RecallerParams) -> Update:
    """The lessons so far, the newest last."""
    lessons = tuple(
        f"{lesson.url}: {lesson.text}"
        for lesson in state.lessons
        if params.episodes == "run" or lesson.url in state.draw.urls
    )
    return {"recall": Recall(round=state.draw.round, lessons=lessons)}
