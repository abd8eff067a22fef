"""FRAMES: multi-hop questions over two to fifteen Wikipedia pages (arXiv 2409.12941)."""

import csv
from collections.abc import Collection
from io import StringIO
from pathlib import Path

from pydantic import Field

from bench.sets.records import Form, Raw, checked, text_of, unique
from bench.sets.set_question import WIKIPEDIA, Asked, addresses
from forager.errors import UsageError

COLUMNS = ("ID", "Prompt", "Answer", "reasoning_types")
LINK = "wikipedia_link_"
FORM = Form("FRAMES", "question", f"tab-separated, with the columns {', '.join(COLUMNS)}")


class FramesQuestion(Asked[str]):
    """A question with the kinds of reasoning that it takes."""

    reasoning: tuple[str, ...] = ()


class _Row(Raw):
    ID: str = Field(min_length=1)
    Prompt: str = Field(min_length=1)
    Answer: str = Field(min_length=1)
    reasoning_types: str
    links: tuple[str, ...] = ()

    def question(self) -> FramesQuestion:
        kinds = (kind.strip() for kind in self.reasoning_types.split("|"))
        return FramesQuestion(
            id=self.ID,
            text=self.Prompt.strip(),
            gold=self.Answer.strip(),
            sites=(WIKIPEDIA,),
            urls=tuple(dict.fromkeys(url for cell in self.links for url in addresses(cell))),
            reasoning=tuple(filter(None, kinds)),
        )


def load(path: Path) -> tuple[FramesQuestion, ...]:
    """The questions of a table. Raises UsageError."""
    rows: list[_Row] = []
    try:
        reader = csv.DictReader(StringIO(text_of(path, FORM)), delimiter="\t", strict=True)
        _check(reader.fieldnames or (), path)
        for cells in reader:
            links = tuple(cells[name] or "" for name in cells if str(name).startswith(LINK))
            data = {**{name: cells[name] for name in COLUMNS}, "links": links}
            rows.append(checked(_Row, data, f"{path}, record {len(rows) + 1}", FORM))
    except csv.Error as error:
        where = f"{path}, record {len(rows) + 1}"
        raise UsageError(f"{where} is torn: {error}.", f"Fetch it anew, or {FORM.hint}") from error
    if not rows:
        raise UsageError(f"There are no questions in {path}.", f"Instead, {FORM.hint}")
    unique((row.ID for row in rows), path)
    return tuple(row.question() for row in rows)


def _check(names: Collection[str], path: Path) -> None:
    for name in COLUMNS:
        if name not in names:
            raise UsageError(
                f"{path} is no table of FRAMES: it lacks {name!r}.", f"Instead, {FORM.hint}"
            )
