"""FanOutQA: questions that fan out over many Wikipedia pages (arXiv 2402.14116)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from bench.sets.records import Form, Raw, checked_list, unique
from bench.sets.set_question import WIKIPEDIA, Asked
from forager.domain.base import Frozen

Scalar = str | int | float | bool
Answer = (
    Scalar
    | Annotated[tuple[Scalar, ...], Field(min_length=1)]
    | Annotated[dict[str, Scalar | tuple[Scalar, ...]], Field(min_length=1)]
)
"""One value, several, or one for each of several names."""

FORM = Form(
    "FanOutQA", "question", "a JSON list of objects with id, question, answer and decomposition"
)
PENDING = "###TBD###"


def _known(number: object) -> object:
    return None if number == PENDING else number


Number = Annotated[int | None, BeforeValidator(_known)]


class Page(Frozen):
    """A Wikipedia page at the revision that holds the evidence; None where the file has no number.

    The answers of July 2026 brought pages whose numbers stand as `###TBD###`.
    """

    pageid: Number
    revid: Number
    title: str
    url: str


class Part(Raw):
    """A sub-question: answered by its page, or split further."""

    id: str
    question: str
    answer: Answer
    decomposition: tuple["Part", ...] = ()
    depends_on: tuple[str, ...] = ()
    evidence: Page | None = None

    def pages(self) -> Iterator[Page]:
        """The pages of evidence in and under this part."""
        if self.evidence:
            yield self.evidence
        for part in self.decomposition:
            yield from part.pages()


class FanOutQuestion(Asked[Answer]):
    """A question with its tree of sub-questions."""

    parts: tuple[Part, ...]
    categories: tuple[str, ...] = ()


class _Row(Raw):
    id: str
    question: str = Field(min_length=1)
    answer: Answer
    decomposition: tuple[Part, ...] = Field(min_length=1)
    categories: tuple[str, ...] = ()

    def asked(self) -> FanOutQuestion:
        pages = [page.url for part in self.decomposition for page in part.pages()]
        return FanOutQuestion(
            id=self.id,
            text=self.question,
            gold=self.answer,
            sites=(WIKIPEDIA,),
            urls=tuple(dict.fromkeys(pages)),
            parts=self.decomposition,
            categories=self.categories,
        )


def load(path: Path) -> tuple[FanOutQuestion, ...]:
    """The questions of a file that has answers. Raises UsageError."""
    rows = checked_list(_Row, path, FORM)
    unique((row.id for row in rows), path)
    return tuple(row.asked() for row in rows)
