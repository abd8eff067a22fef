"""A way through a site that once led to an answer, to be walked again without a model."""

from forager.action import Action
from forager.frozen import Frozen


class Recipe(Frozen):
    """The actions of a walk that worked, each with the description of its element."""

    question: str
    site: str
    actions: tuple[Action, ...]
