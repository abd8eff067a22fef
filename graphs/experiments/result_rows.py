"""What a bench writes down: one JSON line per question and graph, and what is done by then."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from forager.domain.base import Frozen
from forager.errors import StoreError, UsageError
from graphs.experiments.verdicts import Verdict

FAILED = "failed"
MAX_CITATIONS = 5
MAX_SENTENCES = 3


Line = TypeVar("Line", bound=BaseModel)


class RowKey(NamedTuple):
    """What makes two askings the same: a changed graph, model or seed is another one."""

    graph: str
    graph_hash: str
    model: str
    seed: int
    id: str


class Cost(Frozen):
    """What a question took of language models; `usd` as far as prices are known.

    `chain` is how many of the `calls` had to wait for one another at least, `path` the seconds in
    which one was under way (see graphs.experiments.experiment).
    """

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    usd: float = 0.0
    calls: int = 0
    chain: int = 0
    path: float = 0.0


class Row(Frozen):
    """One question asked with one graph, and how it scored.

    `pages` and `opened` count the gold pages, and those of them that were opened; `missing` holds
    the gold strings that the answer lacks; `sentences` and `stops` measure the longest citation
    (`scoring`); `before` and `seconds` run from the asking to the first navigation and to
    the answer; a `cold` one had to survey a site first; `calls` counts the built-in rules', too.
    What has no gold is not `graded`: nobody knows whether it is `correct`.
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

    @property
    def key(self) -> RowKey:
        """The asking that this is the outcome of."""
        return RowKey(self.graph, self.graph_hash, self.model, self.seed, self.id)

    def is_short(self, sentences: int) -> bool:
        """Few citations, the longest of them of so many sentences: is that within the limits?"""
        return self.citations <= MAX_CITATIONS and sentences <= MAX_SENTENCES


def read_finished_rows(path: Path) -> dict[RowKey, Row]:
    """The rows of a file that need not be asked again; of one that was judged later, the later.

    Raises UsageError for a file of other things.
    """
    return {row.key: row for row in read_lines(path, Row) if row.status != FAILED}


def read_lines(path: Path, kind: type[Line]) -> list[Line]:
    """The lines of a file, none if there is none; the last one may be torn.

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
                    f"{path}, line {number} is no {kind.__name__.lower()} of this bench.",
                    "Name another file.",
                ) from error


def append_line(path: Path, line: BaseModel) -> None:
    """Add a line, on the disk when this returns; it takes the place of a torn one.

    Raises StoreError.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)
            file.write(line.model_dump_json().encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Free some space.") from error
