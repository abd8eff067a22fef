"""What calls of the API say: the options of the commands, as JSON."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from forager.domain.spend import Budget
from graphs.spec.spec import MAX_BYTES, GraphSpec

Text = Annotated[str, Field(max_length=20_000)]
Address = Annotated[str, Field(max_length=2_000)]
Reference = Annotated[str, Field(max_length=100)]
"""A preset, a saved graph or a version of one, as `name@3`."""
Addresses = Annotated[tuple[Address, ...], Field(max_length=100)]
Mapping = Annotated[dict[Address, Address], Field(max_length=100)]
"""For each node that is to run next, the node of another graph where it goes on."""


class Said(BaseModel):
    """A body that has no members beside its own."""

    model_config = ConfigDict(extra="forbid")


class Asking(Said):
    """What a new session is made of. A graph is a reference or a whole spec, never a file."""

    question: Text
    sites: Addresses = ()
    graph: Reference | GraphSpec = "forager"
    model: Text = ""
    budget: Budget = Budget()
    seed: int = 0
    session: Annotated[str, Field(max_length=64)] | None = None


class Following(Said):
    """A follow-up question."""

    question: Text
    budget: Budget | None = None


class Resuming(Said):
    """Going on, with another model if one is named."""

    model: Text = ""


class Steering(Said):
    """A change in the middle of a run."""

    hint: Text = ""
    sites: Addresses = ()
    forbid: Addresses = ()
    budget: Budget | None = None


class GoingOn(Steering):
    """Going back to a checkpoint, by its number or id."""

    checkpoint: int | str | None = None


class Forking(GoingOn):
    """A new session from a checkpoint of another one."""

    turn: int | None = None
    model: Text = ""
    graph: Reference | GraphSpec = ""
    mapping: Mapping = Field(default_factory=dict)
    session: Annotated[str, Field(max_length=64)] | None = None


class Moving(Said):
    """Another graph for a session, to see where it would go on there."""

    graph: Reference | GraphSpec = ""
    mapping: Mapping = Field(default_factory=dict)
    checkpoint: int | str | None = None
    turn: int | None = None


class Naming(Said):
    """What a session is called; empty means by its question."""

    title: Text


class Deciding(Said):
    """The answer to a plea."""

    yes: bool


class Forgetting(Said):
    """What the memory is to forget."""

    ids: Annotated[tuple[str, ...], Field(max_length=10_000)] = ()
    site: Address = ""
    session: Address = ""
    all: bool = False


class Drawing(Said):
    """A graph to be checked or drawn."""

    graph: Reference | GraphSpec


class Comparing(Said):
    """Two graphs of which the differences are wanted."""

    old: Reference | GraphSpec
    new: Reference | GraphSpec


class Saving(Said):
    """A new version: a text, or a spec; `base` is the newest version that is known."""

    text: Annotated[str, Field(max_length=MAX_BYTES)] | None = None
    graph: GraphSpec | None = None
    note: Text = ""
    base: int | None = None


class Copying(Said):
    """A new graph from another one."""

    source: Reference
    note: Text = ""


class Restoring(Said):
    """An earlier version as the newest one."""

    version: Annotated[int, Field(ge=1)]
    note: Text = ""


class Renaming(Said):
    """What a saved graph is to be called."""

    name: Reference
