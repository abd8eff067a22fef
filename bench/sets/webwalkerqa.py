"""WebWalkerQA: questions on one or two pages deep in a site (arXiv 2501.07572)."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from bench.sets.records import FileForm, RawRecord, check_records
from bench.sets.set_question import SetQuestion, find_addresses

Kind = Literal["single_source", "multi_source"]
Difficulty = Literal["easy", "medium", "hard"]

FORM = FileForm(
    "WebWalkerQA",
    "question",
    "a JSON list of objects with Question, answer, root_url, type and difficulty_level",
)


class WebWalkerQuestion(SetQuestion[str]):
    """A question about one site; `paths` has the link texts from the root to each gold page."""

    kind: Kind
    difficulty: Difficulty
    lang: str = ""
    domain: str = ""
    paths: tuple[tuple[str, ...], ...] = ()


class _Row(RawRecord):
    Question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    root_url: str = Field(min_length=1)
    type: Kind
    difficulty_level: Difficulty
    lang: str = ""
    domain: str = ""
    source_website: tuple[str, ...] = ()
    golden_path: tuple[str, ...] = ()

    def to_question(self, number: int) -> WebWalkerQuestion:
        return WebWalkerQuestion(
            id=f"webwalkerqa-{number}",
            text=self.Question,
            gold=self.answer,
            sites=(self.root_url,),
            urls=tuple(url for cell in self.source_website for url in find_addresses(cell)),
            kind=self.type,
            difficulty=self.difficulty_level,
            lang=self.lang,
            domain=self.domain,
            paths=tuple(tuple(path.split("->")[1:]) for path in self.golden_path),
        )


def load_questions(path: Path) -> tuple[WebWalkerQuestion, ...]:
    """Load the questions of a file. As they have no ids, the first one is `webwalkerqa-1`.

    Raises UsageError.
    """
    rows = check_records(_Row, path, FORM)
    return tuple(row.to_question(number) for number, row in enumerate(rows, 1))
