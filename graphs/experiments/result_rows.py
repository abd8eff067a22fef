"""The result files of experiments: one JSON line per question and graph."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from forager.domain.base import Frozen
from forager.errors import StoreError, UsageError
from forager.util.files import make_private_folder
from graphs.experiments.verdicts import Verdict
from graphs.spec.diff import Difference

FAILED = "failed"
MAX_CITATIONS = 5
MAX_SENTENCES = 3


Line = TypeVar("Line", bound=BaseModel)


class RowKey(NamedTuple):
    """What identifies a row: the question, and the graph, model and seed that it was asked with."""

    graph: str
    graph_hash: str
    model: str
    seed: int
    id: str


class Cost(Frozen):
    """What a question used of language models; `usd` as far as prices are known.

    `chain` is the length of the longest chain of `calls` that waited for one another, `path` the
    seconds during which a call was under way (see graphs.experiments.experiment). `models` are the
    names of those that replied; older files lack them.
    """

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    usd: float = 0.0
    calls: int = 0
    chain: int = 0
    path: float = 0.0
    models: tuple[str, ...] = ()


class Row(Frozen):
    """A question asked of a graph, and its scores.

    `pages` counts the gold pages, `opened` those that were opened; `missing` holds the gold strings
    that the answer lacks; `sentences` and `stops` measure the longest citation (`scoring`);
    `before` and `seconds` are the seconds to the first navigation and to the answer; a `cold`
    question had to survey a site first; `calls` includes those of the built-in rules. A question
    without gold is not `graded`, and its `correct` means nothing. Older files lack the `question`.
    `cached` pages were stored before. In a trial `seconds` are without those of `fetching` pages
    and embedding them, which only the graph that asks first would spend, and `differences` are
    those of its two graphs.
    """

    graph: str
    graph_hash: str
    model: str
    seed: int
    id: str
    type: str
    session: str
    status: str
    answer: str
    abstain: bool
    correct: bool
    whole: bool
    missing: tuple[str, ...]
    pages: int
    opened: int
    citations: int
    sentences: int
    stops: int
    quotes: int
    verbatim: int
    rounds: int
    loads: int
    fetched: int
    calls: int
    cold: bool
    before: float | None
    seconds: float
    error: str = ""
    graded: bool = True
    cost: Cost = Cost()
    verdict: Verdict | None = None
    question: str = ""
    cached: int = 0
    fetching: float = 0.0
    differences: tuple[Difference, ...] = ()

    @property
    def requested(self) -> int:
        """The pages that it asked for, whether they were fetched or stored already."""
        return self.fetched + self.cached

    @property
    def key(self) -> RowKey:
        """What identifies the row."""
        return RowKey(self.graph, self.graph_hash, self.model, self.seed, self.id)

    def is_short(self, sentences: int) -> bool:
        """Whether the citations are few and short, given the sentences of the longest."""
        return self.citations <= MAX_CITATIONS and sentences <= MAX_SENTENCES


def read_finished_rows(path: Path) -> dict[RowKey, Row]:
    """The rows that need not be asked again; the last one where a key has several.

    Raises UsageError for a file of other things.
    """
    return {row.key: row for row in read_lines(path, Row) if row.status != FAILED}


def read_lines(path: Path, kind: type[Line]) -> list[Line]:
    """The lines of a file; none if it does not exist. An incomplete last line is skipped.

    Raises UsageError for a file of other things.
    """
    if not path.exists():
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", "Name another file.") from error
    return list(_parse_lines(path, lines, kind))


def _parse_lines(path: Path, lines: list[str], kind: type[Line]) -> Iterator[Line]:
    for number, line in enumerate(lines, 1):
        try:
            yield kind.model_validate_json(line)
        except ValidationError as error:
            torn = number == len(lines) and line.startswith("{") and not line.endswith("\n")
            if not torn:
                raise UsageError(
                    f"{path}, line {number} is not a {kind.__name__.lower()} of an experiment.",
                    "Name another file.",
                ) from error


def append_line(path: Path, line: BaseModel) -> None:
    """Append a line and sync it to disk; an incomplete last line is replaced. Raises StoreError."""
    try:
        make_private_folder(path.parent)
        path.touch(mode=0o600)
        with path.open("a+b") as file:
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)
            file.write(line.model_dump_json().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Free some space.") from error
