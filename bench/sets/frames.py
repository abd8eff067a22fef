"""FRAMES: multi-hop questions over two to fifteen Wikipedia pages (arXiv 2409.12941)."""

import csv
from collections.abc import Collection
from io import StringIO
from pathlib import Path

from pydantic import Field

from bench.sets.records import FileForm, RawRecord, check_record, check_unique, read_text
from bench.sets.set_question import WIKIPEDIA, SetQuestion, find_addresses
from forager.errors import UsageError

COLUMNS = ("ID", "Prompt", "Answer", "reasoning_types")
LINK = "wikipedia_link_"
FORM = FileForm("FRAMES", "question", f"tab-separated, with the columns {', '.join(COLUMNS)}")


class FramesQuestion(SetQuestion[str]):
    """A question with the types of reasoning it needs."""

    reasoning: tuple[str, ...] = ()


class _Row(RawRecord):
    ID: str = Field(min_length=1)
    Prompt: str = Field(min_length=1)
    Answer: str = Field(min_length=1)
    reasoning_types: str
    links: tuple[str, ...] = ()

    def to_question(self) -> FramesQuestion:
        kinds = (kind.strip() for kind in self.reasoning_types.split("|"))
        return FramesQuestion(
            id=self.ID,
            text=self.Prompt.strip(),
            gold=self.Answer.strip(),
            sites=(WIKIPEDIA,),
            urls=tuple(dict.fromkeys(url for cell in self.links for url in find_addresses(cell))),
            reasoning=tuple(filter(None, kinds)),
        )


def load_questions(path: Path) -> tuple[FramesQuestion, ...]:
    """Load the questions of a tab-separated file. Raises UsageError."""
    rows: list[_Row] = []
    try:
        reader = csv.DictReader(StringIO(read_text(path, FORM)), delimiter="\t", strict=True)
        _check_columns(reader.fieldnames or (), path)
        for cells in reader:
            links = tuple(cells[name] or "" for name in cells if str(name).startswith(LINK))
            data = {**{name: cells[name] for name in COLUMNS}, "links": links}
            rows.append(check_record(_Row, data, f"{path}, record {len(rows) + 1}", FORM))
    except csv.Error as error:
        where = f"{path}, record {len(rows) + 1}"
        raise UsageError(
            f"{where} is broken: {error}.", f"Download the file again, or {FORM.hint}"
        ) from error
    if not rows:
        raise UsageError(f"{path} has no questions.", f"Instead, {FORM.hint}")
    check_unique((row.ID for row in rows), path)
    return tuple(row.to_question() for row in rows)


def _check_columns(names: Collection[str], path: Path) -> None:
    for name in COLUMNS:
        if name not in names:
            raise UsageError(
                f"{path} is not a FRAMES table: column {name!r} is missing.",
                f"Instead, {FORM.hint}",
            )
