"""The outcome of attempts, kept for later questions (episodic memory, Mango, arXiv 2604.18779)."""

import re
from typing import Literal

from pydantic import Field

from forager.domain.actions import Action
from forager.domain.base import Stored

Outcome = Literal["adequate", "partial", "feasible", "infeasible"]


class Episode(Stored):
    """One attempt on a page; `time` is when its session last ran (epoch, s).

    `trail` describes its actions, `lesson` what was learned; both may contain text of pages.
    `evidence` are the ids of the entries it added to the ledger, `served` the pages that the answer
    cites, `barren` the pages it did not need, and `blobs` their documents at that time, by page.
    `alpha` and `beta` are the page's posterior after it. `model` is the model that was used.
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
        """A sort key among the attempts of its session: its id ends with turn and step."""
        return tuple(
            int(number) for number in re.findall(r"\d+", self.id.removeprefix(self.session))
        )


class Recalled(Stored):
    """A recalled episode: the similarity of its question, and a factor for its age (both 0 to 1).

    `why` says briefly why it was recalled.
    """

    episode: Episode
    likeness: float
    fresh: float = 1.0
    why: str = ""

    @property
    def weight(self) -> float:
        """The episode's weight, 0 to 1."""
        return self.likeness * self.fresh


class Recipe(Stored):
    """The actions of a successful trajectory, each with the description of its element."""

    question: str
    site: str
    actions: tuple[Action, ...]


Facets = Literal["semantic", "trajectory", "both", "chronological", "none"]
"""How snippets are compared: by instruction, by preceding actions, by both, or by time."""


class Moment(Stored):
    """A point of a trajectory: the instruction, and all earlier actions of the turn in words."""

    instruction: str
    before: tuple[str, ...] = ()
    site: str = ""


class Snippet(Stored):
    """A step kept as an example: its moment, the relevant part of the page, and the outcome.

    `page` is the page's text, simplified (`simplify`) and untrusted; `told` describes the action,
    `rationale` says in one sentence why it was taken; `time` is in seconds since the epoch. A step
    that moved in an attempt without any verified quote was in `vain`.
    """

    id: str
    session: str
    turn: int = 1
    time: float
    moment: Moment
    page: str = ""
    action: Action
    told: str
    outcome: Literal["moved", "failed", "vain"] = "moved"
    rationale: str = ""


class Rationale(Stored):
    """One sentence on why a step was taken; `id` is that of the step."""

    id: str
    text: str
