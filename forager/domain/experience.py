"""What an attempt came to, kept for other questions (episodic memory, Mango, arXiv 2604.18779)."""

import re
from typing import Literal

from pydantic import Field

from forager.domain.actions import Action
from forager.domain.base import Stored

Outcome = Literal["adequate", "partial", "feasible", "infeasible"]


class Episode(Stored):
    """One attempt on a page; `time` is when its session last went on (epoch, s).

    `trail` tells in words what was done, `lesson` what was learned of it: both may hold words of
    pages. `evidence` are the ids of what it added to the ledger, `served` the pages that the
    answer stands on, `barren` those it could do without, `blobs` what these held then; `alpha` and
    `beta` are the page's posterior then. `model` is the one that looked.
    """

    id: str
    session: str
    turn: int = 1
    time: float
    question: str
    url: str
    site: str
    trail: tuple[str, ...] = ()
    outcome: Outcome
    lesson: str = ""
    evidence: tuple[str, ...] = ()
    served: tuple[str, ...] = ()
    barren: tuple[str, ...] = ()
    blobs: dict[str, str] = Field(default_factory=dict)
    alpha: float = 1.0
    beta: float = 1.0
    model: str = ""

    @property
    def order_in_session(self) -> tuple[int, ...]:
        """Where it stands among the attempts of its session: its id ends with turn and step."""
        return tuple(
            int(number) for number in re.findall(r"\d+", self.id.removeprefix(self.session))
        )


class Recalled(Stored):
    """An episode brought back: how alike its question is (0 to 1), what age leaves of it (0 to 1).

    `why` says in a few words why it was brought back.
    """

    episode: Episode
    likeness: float
    fresh: float = 1.0
    why: str = ""

    @property
    def weight(self) -> float:
        """What it counts, 0 to 1."""
        return self.likeness * self.fresh


class Recipe(Stored):
    """The actions of a walk that worked, each with the description of its element."""

    question: str
    site: str
    actions: tuple[Action, ...]


Facets = Literal["semantic", "trajectory", "both", "chronological", "none"]
"""What snippets are compared by: the instruction, the actions before it, both, or their time."""


class Moment(Stored):
    """Where a walk stands: the instruction, and all actions of this turn before, in words."""

    instruction: str
    before: tuple[str, ...] = ()
    site: str = ""


class Snippet(Stored):
    """A step: the moment it was taken in, the page as far as it mattered, and what came of it.

    `page` is simplified (`simplify`) and material of others, `told` the action in words,
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


class Rationale(Stored):
    """Why a step was taken, in one sentence; `id` is the step's."""

    id: str
    text: str
