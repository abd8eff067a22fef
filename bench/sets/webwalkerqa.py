"""WebWalkerQA: questions over one or two pages deep in a site (arXiv 2501.07572)."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from bench.sets.records import Form, Raw, checked_list
from bench.sets.set_question import Asked, addresses

Kind = Literal["single_source", "multi_source"]
Difficulty = Literal["easy", "medium", "hard"]

FORM = Form(
    "WebWalkerQA",
    "question",
    "a JSON list of objects with Question, answer, root_url, type and difficulty_level",
)


class WebWalkerQuestion(Asked[str]):
    """A question about one site; `paths` are the link texts from the root to each gold page."""

    kind: Kind
    difficulty: Difficulty
    lang: str = ""
    domain: str = ""
    paths: tuple[tuple[str, ...], ...] = ()


class _Row(Raw):
    Question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    root_url: str = Field(min_length=1)
    type: Kind
    difficulty_level: Difficulty
    lang: str = ""
    domain: str = ""
    source_website: tuple[str, ...] = ()
    golden_path: tuple[str, ...] = ()

    def question(self, number: int) -> WebWalkerQuestion:
        return WebWalkerQuestion(
            id=f"webwalkerqa-{number}",
            text=self.Question,
            gold=self.answer,
            sites=(self.root_url,),
            urls=tuple(url for cell in self.source_website for url in addresses(cell)),
            kind=self.type,
            difficulty=self.difficulty_level,
            lang=self.lang,
            domain=self.domain,
            paths=tuple(tuple(path.split("->")[1:]) for path in self.golden_path),
        )


def load(path: Path) -> tuple[WebWalkerQuestion, ...]:
    """The questions of a file. They have no ids there: `webwalkerqa-1` is the first of the file.

    Raises UsageError.
    """
    rows = checked_list(_Row, path, FORM)
    return tuple(row.question(number) for number, row in enumerate(rows, 1))
