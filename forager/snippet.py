"""A step kept as an example for steps like it (multifaceted memory, Self-MAP, arXiv 2402.15057)."""

from typing import Literal

from forager.action import Action
from forager.frozen import Frozen

Facets = Literal["semantic", "trajectory", "both", "chronological", "none"]
"""What snippets are compared by: the instruction, the actions before it, both, or their time."""


class Moment(Frozen):
    """Where a walk stands: the instruction, and all actions of this turn before, in words."""

    instruction: str
    before: tuple[str, ...] = ()
    site: str = ""


class Snippet(Frozen):
    """A step: the moment it was taken in, the page as far as it mattered, and what came of it.

    `page` is simplified (forager.simplify) and material of others, `told` the action in words,
    `rationale` one sentence on why it was taken; `time` in seconds since the epoch.
    """

    id: str
    session: str
    turn: int = 1
    time: float
    moment: Moment
    page: str = ""
    action: Action
    told: str
    outcome: Literal["moved", "failed"] = "moved"
    rationale: str = ""


class Rationale(Frozen):
    """Why a step was taken, in one sentence; `id` is the step's."""

    id: str
    text: str
