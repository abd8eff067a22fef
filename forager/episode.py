"""What an attempt came to, kept for other questions (episodic memory, Mango, arXiv 2604.18779)."""

import re
from typing import Literal

from pydantic import Field

from forager.frozen import Frozen

Outcome = Literal["adequate", "partial", "feasible", "infeasible"]


class Episode(Frozen):
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
    def place(self) -> tuple[int, ...]:
        """Where it stands among the attempts of its session: its id ends with turn and step."""
        return tuple(
            int(number) for number in re.findall(r"\d+", self.id.removeprefix(self.session))
        )


class Recalled(Frozen):
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
