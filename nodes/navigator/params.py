"""The navigator's parameters, whatever its mode."""

from typing import Literal

from pydantic import Field

from forager.frozen import Frozen


class NavigatorParams(Frozen):
    """How the navigator sees and how far it goes."""

    mode: Literal["links", "search"] = Field("links", description="what the actions are taken from")
    steps: int = Field(10, ge=1, description="actions in one round, the first page included")
    least: float = Field(
        0.0, ge=0, description="relevance a link or a result needs to be followed offline"
    )
    results: int = Field(10, ge=1, description="results shown of each search")
