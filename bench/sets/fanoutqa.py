"""FanOutQA: questions over many Wikipedia pages (arXiv 2402.14116)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from bench.sets.records import FileForm, RawRecord, check_records, check_unique
from bench.sets.set_question import WIKIPEDIA, SetQuestion
from forager.domain.base import Frozen

Scalar = str | int | float | bool
Answer = (
    Scalar
    | Annotated[tuple[Scalar, ...], Field(min_length=1)]
    | Annotated[dict[str, Scalar | tuple[Scalar, ...]], Field(min_length=1)]
)
"""One value, several values, or values by name."""

FORM = FileForm(
    "FanOutQA", "question", "a JSON list of objects with id, question, answer and decomposition"
)
PENDING = "###TBD###"


def _known_number(number: object) -> object:
    return None if number == PENDING else number


Number = Annotated[int | None, BeforeValidator(_known_number)]


class EvidencePage(Frozen):
    """A Wikipedia page at the revision with the evidence; numbers may be None.

    The answers of July 2026 have pages with `###TBD###` as their numbers.
    """

    pageid: Number
    revid: Number
    title: str
    url: str


class SubQuestion(RawRecord):
    """A sub-question: answered by its page, or split further."""

    id: str
    question: str
    answer: Answer
    decomposition: tuple["SubQuestion", ...] = ()
    depends_on: tuple[str, ...] = ()
    evidence: EvidencePage | None = None

    def evidence_pages(self) -> Iterator[EvidencePage]:
        """Yield the evidence pages of this sub-question and of those below it."""
        if self.evidence:
            yield self.evidence
        for part in self.decomposition:
            yield from part.evidence_pages()


class FanOutQuestion(SetQuestion[Answer]):
    """A question with its tree of sub-questions."""

    parts: tuple[SubQuestion, ...]
    categories: tuple[str, ...] = ()


class _Row(RawRecord):
    id: str
    question: str = Field(min_length=1)
    answer: Answer
    decomposition: tuple[SubQuestion, ...] = Field(min_length=1)
    categories: tuple[str, ...] = ()

    def to_question(self) -> FanOutQuestion:
        pages = [page.url for part in self.decomposition for page in part.evidence_pages()]
        return FanOutQuestion(
            id=self.id,
            text=self.question,
            gold=self.answer,
            sites=(WIKIPEDIA,),
            urls=tuple(dict.fromkeys(pages)),
            parts=self.decomposition,
            categories=self.categories,
        )


def load_questions(path: Path) -> tuple[FanOutQuestion, ...]:
    """Load the questions of a file with answers. Raises UsageError."""
    rows = check_records(_Row, path, FORM)
    check_unique((row.id for row in rows), path)
    return tuple(row.to_question() for row in rows)
