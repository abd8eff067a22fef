"""The API's response bodies, except those that are values of the program itself."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from graphs.sessions.listing import SessionStatus
from graphs.sessions.service import SessionLine
from graphs.spec.spec import GraphSpec


def _example(**members: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [members]}, use_attribute_docstrings=True)


class Health(BaseModel):
    """The server is up."""

    model_config = _example(status="ok", version="0.2.0", running=1)
    status: Literal["ok"] = "ok"
    version: str
    """The version of the program."""
    running: int | None = Field(default=None, exclude_if=lambda count: count is None)
    """How many sessions of whoever asks run in this process; left out without a token."""


class SessionRef(BaseModel):
    """The session that was created or changed."""

    model_config = _example(session="q07")
    session: str
    """Its id."""


class StreamEnd(SessionRef):
    """The last event of a session's stream: it no longer runs."""

    model_config = _example(session="q07", status="answered")
    status: SessionStatus
    """Where it stands."""


class RenamedSession(SessionRef):
    """A session with its new title."""

    model_config = _example(session="q07", title="Lighthouses")
    title: str


class TaggedSession(SessionRef):
    """A session with its new tags."""

    model_config = _example(session="q07", tags=["rome", "to read"])
    tags: tuple[str, ...]


class SharedLink(SessionRef):
    """A session with the path, on this server, of the page that its link opens."""

    model_config = _example(
        session="q07", path="/shared/2vJ0mX3yqTf9bZcLr8KwPd5sNhGaEoUi4tYxVjQnB1M"
    )
    path: str


class DeletedSession(SessionRef):
    """A session that was deleted."""

    model_config = _example(session="q07", forgotten=0)
    forgotten: int
    """How many entries of the memory were deleted with it."""


class ListedSession(SessionLine):
    """A session in a list."""

    status: SessionStatus


class SessionPage(BaseModel):
    """A page of the list of sessions."""

    model_config = _example(sessions=[], count=0)
    sessions: list[ListedSession]
    """The sessions of this page, newest first."""
    count: int
    """How many there are on all pages."""


class SessionView(BaseModel):
    """A session as the web UI shows it; objects by id, so that merge patches stay small."""

    model_config = ConfigDict(use_attribute_docstrings=True, extra="forbid")
    session: dict[str, JsonValue]
    """Id, question, graph, model, status, turn, and what went wrong."""
    answer: dict[str, JsonValue]
    """The text with its citations, a table, doubts, a caveat."""
    citations: dict[str, JsonValue]
    """The cited quotes by their numbers in the answer."""
    evidence: dict[str, JsonValue]
    """The entries of the ledger by their ids."""
    parts: dict[str, JsonValue]
    """The sub-questions, each with its number of quotes."""
    pages: int
    """How many pages of the sites are known."""
    read: int
    """How many of them were read."""
    arms: dict[str, JsonValue]
    """The candidate pages by their rank."""
    actions: dict[str, JsonValue]
    """What was done in a browser, in order."""
    visited: dict[str, JsonValue]
    """The pages that were opened, in order."""
    spend: dict[str, JsonValue]
    """What was used, by kind, with the limits that are set."""
    timeline: dict[str, JsonValue]
    """The run's rows by the number of the event that made them."""
    graph: dict[str, JsonValue]
    """How often each node ran and each edge was taken, what it carried last; the halt."""
    names: dict[str, str]
    """What each node does, in words for a reader, by node."""
    turns: dict[str, JsonValue]
    """The earlier turns by their numbers."""


class SiteMapPicture(BaseModel):
    """A site's pages as parallel lists, with their places in a picture."""

    model_config = ConfigDict(use_attribute_docstrings=True)
    site: str
    pages: int
    """How many pages the map has."""
    left_out: int
    """How many of them the lists leave out."""
    complete: bool
    """Whether the survey came to its end."""
    url: list[str]
    title: list[str]
    depth: list[int]
    """Clicks from the root."""
    parent: list[int]
    """The index of the page that links it; -1 for the root."""
    x: list[float]
    y: list[float]


class SpendingHistory(BaseModel):
    """What was spent: parallel lists with an entry for each checkpoint that cost something."""

    model_config = ConfigDict(use_attribute_docstrings=True)
    round: list[int]
    ran: list[str]
    """The nodes that ran."""
    pages: list[int]
    calls: list[int]
    tokens: list[int]
    dollars: list[float]
    seconds: list[float]


class ScreenshotAnswer(BaseModel):
    """The last picture of the page in the browser; without members if there is none."""

    model_config = ConfigDict(use_attribute_docstrings=True)
    kind: str | None = None
    """The media type of the picture."""
    time: float | None = None
    """Seconds since the epoch."""
    what: str | None = None
    """The action that came next."""
    url: str | None = None
    image: str | None = None
    """The picture in base64."""


class ForgottenItems(BaseModel):
    """How much was forgotten."""

    model_config = _example(forgotten=3)
    forgotten: int
    """The number of entries."""


class RecipeLine(BaseModel):
    """A path through a site that led to an answer before."""

    model_config = _example(
        number=1, kept=1795000000.0, site="https://lights.example.org/", question="Who built it?"
    )
    number: int
    kept: float
    """When it was kept, in seconds since the epoch."""
    site: str
    question: str


class RecipeRef(BaseModel):
    """The recipe that was deleted."""

    model_config = _example(number=1)
    number: int


class PresetSummary(BaseModel):
    """A graph that ships with the program."""

    model_config = _example(name="mango", description="", hash="0" * 64, preset=True)
    name: str
    description: str
    hash: str
    preset: Literal[True] = True


class DamagedSummary(BaseModel):
    """A saved graph that cannot be read; it can be deleted."""

    model_config = _example(name="mine", damaged=True)
    name: str
    damaged: Literal[True] = True


class PresetGraph(BaseModel):
    """A preset with its text and its spec."""

    model_config = ConfigDict(use_attribute_docstrings=True)
    name: str
    text: str
    """The YAML as it is written."""
    spec: GraphSpec
    hash: str
    preset: Literal[True] = True


class VersionLine(BaseModel):
    """A version of a saved graph, without its text."""

    model_config = _example(
        name="mine", number=2, hash="0" * 64, note="", author="ada", time=1795000000.0, origin=""
    )
    name: str
    number: int
    hash: str
    note: str
    author: str
    time: float
    """When it was saved, in seconds since the epoch."""
    origin: str
    """The graph it was made from."""


class SavedSummary(VersionLine):
    """The newest version of a saved graph."""

    model_config = _example(
        description="",
        name="mine",
        number=2,
        hash="0" * 64,
        note="",
        author="ada",
        time=1795000000.0,
        origin="",
    )
    description: str


class GraphRef(BaseModel):
    """The graph that was created or changed."""

    model_config = _example(name="mine")
    name: str


class TrialRef(BaseModel):
    """The trial that was started or stopped."""

    model_config = _example(file="try-1122-101500.jsonl")
    file: str
    """The name of its file of rows."""


class BatchRef(BaseModel):
    """The batch that was added or changed."""

    model_config = _example(batch="3f2a91c0")
    batch: str
    """Its id."""
