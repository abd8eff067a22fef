"""The search tree's open ends: actions that were proposed and not yet done."""

from forager.action import Action
from forager.frozen import Frozen


class Candidate(Frozen):
    """An action proposed at a state (`action.at`), with what speaks for it.

    `progress` is how far it would bring the question, 0 to 1; `votes` counts the contexts that
    proposed it, `contexts` names them. `harm` is why it may change something on the server, or
    empty; `number` counts candidates in the order they came.
    """

    number: int
    action: Action
    progress: float
    votes: int = 1
    contexts: tuple[str, ...] = ()
    harm: str = ""
