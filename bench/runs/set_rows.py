"""The rows of a run: one per turn asked, with its outcome and what it cost."""

from pathlib import Path
from typing import NamedTuple, TypeVar

from forager.domain.base import Frozen
from forager.settings import Settings
from graphs.experiments.result_rows import FAILED, read_lines
from graphs.experiments.scoring import MARK
from graphs.spec.spec import GraphSpec


class SetRowKey(NamedTuple):
    """What identifies a row: the question, and the graph, model and seed it was asked with."""

    graph: str
    graph_hash: str
    model: str
    seed: int
    id: str


class AskedRow(Frozen):
    """What was asked of a graph, and what it cost: `seconds` of wall time, `usd` US dollars.

    `calls` are calls of a language model, `data` is the folder that the session is in.
    """

    set: str
    graph: str
    graph_hash: str
    model: str
    seed: int
    id: str
    data: str
    status: str
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    seconds: float = 0.0
    error: str = ""

    @property
    def key(self) -> SetRowKey:
        """What identifies the row."""
        return SetRowKey(self.graph, self.graph_hash, self.model, self.seed, self.id)


AnyRow = TypeVar("AnyRow", bound=AskedRow)


class SetRow(AskedRow):
    """A turn of a question; `turn` counts from 1."""

    turn: int
    session: str
    answer: str
    actions: int
    pages: int

    @property
    def prediction(self) -> str:
        """The answer to be scored: without ids of evidence, empty if there is none."""
        said = self.status in {"answered", "partial"}
        return MARK.sub("", self.answer).strip() if said else ""


def read_finished(path: Path, form: type[AnyRow]) -> dict[SetRowKey, AnyRow]:
    """Rows that need not be asked again; the last one where a key has several.

    Raises UsageError for a file of other things.
    """
    return {row.key: row for row in read_lines(path, form) if row.status != FAILED}


def own_folder(settings: Settings, name: str, spec: GraphSpec) -> Settings:
    """The settings with a data folder for a graph asked of a set, which no other graph sees."""
    data = settings.data / name / f"{spec.name}-{spec.hash[:8]}"
    return settings.in_folder(data)
