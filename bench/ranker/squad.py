"""Groups of candidates from SQuAD 2.0: each article is a site, and each of its paragraphs a page.

    python -m bench.ranker.squad SQUAD.json --out GROUPS.json

Rajpurkar et al. 2018, arXiv 1806.03822 (CC BY-SA 4.0). They keep the cross-encoder from learning
how the questions in `questions/` are worded.
"""

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from bench.ranker.candidates import (
    SITE,
    Asked,
    Group,
    WithoutLikeness,
    ranked_group,
)
from forager.domain.base import Frozen
from forager.ports import Embedder
from forager.ranking.index import Index, Source, build_index


class Span(Frozen, extra="ignore"):
    """An answer of SQuAD, and where it begins in its paragraph."""

    text: str
    answer_start: int


class SquadQuestion(Frozen, extra="ignore"):
    """A question of SQuAD; one without an answer is impossible."""

    question: str
    answers: tuple[Span, ...]
    is_impossible: bool = False


class Paragraph(Frozen, extra="ignore"):
    """A paragraph of an article, with what is asked about it."""

    context: str
    qas: tuple[SquadQuestion, ...]


class Article(Frozen, extra="ignore"):
    """An article of an encyclopedia, paragraph by paragraph."""

    title: str
    paragraphs: tuple[Paragraph, ...]


def read_articles(path: Path) -> list[Article]:
    """The articles of a file of SQuAD."""
    rows = json.loads(path.read_text(encoding="utf-8"))["data"]
    return [Article.model_validate(row) for row in rows]


def article_groups(
    article: Article, embedder: Embedder, answered: int, impossible: int, seed: int = 0
) -> Iterator[Group]:
    """At most so many questions of an article with an answer, and without one, drawn at random.

    The sentences of the paragraph that a question was asked of come first.
    """
    name = article.title.replace("_", " ")
    index = build_index(
        (
            Source(f"{SITE}{number}", name, paragraph.context, (), language="en")
            for number, paragraph in enumerate(article.paragraphs)
        ),
        embedder.matcher,
    )
    asked = [
        (number, question)
        for number, paragraph in enumerate(article.paragraphs)
        for question in paragraph.qas
    ]
    random.Random(seed).shuffle(asked)
    left = {False: answered, True: impossible}
    for number, question in asked:
        if not left[question.is_impossible]:
            continue
        left[question.is_impossible] -= 1
        answers = () if question.is_impossible else question.answers[:1]
        row = Asked(
            site=article.title,
            question=question.question,
            lang="en",
            answerable=not question.is_impossible,
            answer=tuple(answer.text for answer in answers),
            pages=(),
        )
        gold = [unit for answer in answers for unit in _units_at(index, number, answer)]
        paragraph = [unit for unit in range(index.size) if index.page[unit] == number]
        yield ranked_group(row, index, embedder, gold, paragraph)


def _units_at(index: Index, page: int, answer: Span) -> list[int]:
    return [
        unit
        for unit in range(index.size)
        if index.page[unit] == page and index.start[unit] <= answer.answer_start < index.end[unit]
    ]


def main() -> None:
    """Read the command line and write the groups."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("squad", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--answered", type=int, default=60, help="questions of each article")
    parser.add_argument("--impossible", type=int, default=20, help="those without an answer")
    given = parser.parse_args()
    embedder = WithoutLikeness("not needed for candidates")
    groups = [
        asdict(group)
        for article in read_articles(given.squad)
        for group in article_groups(article, embedder, given.answered, given.impossible)
    ]
    given.out.write_text(json.dumps(groups), encoding="utf-8")


if __name__ == "__main__":
    main()
