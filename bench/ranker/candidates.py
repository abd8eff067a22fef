"""The passages of a site that the ranking puts first for a question, with their gold labels.

    python -m bench.ranker.candidates QUESTIONS.jsonl … --sites FOLDER --out GROUPS.json [--only A]

FOLDER has the unpacked packages of `questions/sites.toml`, one folder each.
"""

import argparse
import json
import logging
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER, LexicalOnly
from forager.adapters.memory.embeddings.token_matcher import token_matcher
from forager.adapters.web.read.page_reader import read_page
from forager.domain.base import Frozen
from forager.domain.documents import Document
from forager.domain.state import SubQuestion
from forager.domain.survey import TermStatistics
from forager.errors import ContentError
from forager.evidence.passages import find_passage_span
from forager.ports import Embedder, Matcher, RatedPassage
from forager.questions.required_terms import term_share
from forager.questions.subquestions import PlannedLookup, SubQuestionBuilder
from forager.ranking import scoring
from forager.ranking.index import Index, Source, build_index
from forager.text.languages import page_language
from forager.text.tokens import search_terms

LOG = logging.getLogger(__name__)
QUESTIONS = Path(__file__).parent / "questions"
SITE = "http://127.0.0.1/"
TOP = 40
MAX_PAGE_BYTES = 2_000_000


class WithoutLikeness(LexicalOnly):
    """Matches tokens, and embeds nothing."""

    matcher = token_matcher(MODEL_FOLDER)


class QuotedPage(Frozen):
    """A page of a site, and the passage of it that answers."""

    path: str
    quote: str


class Asked(Frozen):
    """A question of the files in `questions/`."""

    site: str
    question: str
    lang: str
    answerable: bool
    answer: tuple[str, ...]
    pages: tuple[QuotedPage, ...]
    kind: str = ""
    near: str = ""
    words: str = ""


@dataclass(frozen=True)
class Candidate:
    """A passage; `label` is 1 if it answers, 0 if not, 2 if it has the words of the answer.

    `terms` is the weighted share of the question's terms that it contains with its heading.
    """

    heading: str
    before: str
    text: str
    score: float
    terms: float
    label: int


@dataclass(frozen=True)
class Group:
    """A question and its candidates, those of the ranking first and best first."""

    site: str
    question: str
    language: str
    answer: str
    answerable: bool
    candidates: list[Candidate] = field(default_factory=list)


def read_site(folder: Path) -> list[Document]:
    """The distinct pages below a folder."""
    found: dict[str, Document] = {}
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        if path.suffix in {".html", ".htm"} and path.stat().st_size < MAX_PAGE_BYTES:
            address = f"{SITE}{path.relative_to(folder)}"
            try:
                document = read_page(path.read_bytes(), "text/html", address)
            except ContentError:
                continue
            found.setdefault(document.text, document)
    return list(found.values())


def read_questions(paths: Iterable[Path]) -> dict[str, list[Asked]]:
    """The questions of these files, by site."""
    rows = defaultdict[str, list[Asked]](list)
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = Asked.model_validate_json(line)
            rows[row.site].append(row)
    return rows


def index_site(documents: Iterable[Document], matcher: Matcher) -> Index:
    """The index of these pages."""
    sources = (
        Source(
            page.url,
            page.title,
            page.text,
            page.sections(),
            language=page_language(page.lang, page.text),
        )
        for page in documents
    )
    return build_index(sources, matcher)


def make_group(
    row: Asked, documents: Sequence[Document], index: Index, embedder: Embedder
) -> Group | None:
    """The candidates of a question; None if its quotes are not found on the pages."""
    gold = gold_units(row, documents, index)
    if row.answerable and not gold:
        return None
    return ranked_group(row, index, embedder, gold)


def ranked_group(
    row: Asked, index: Index, embedder: Embedder, gold: Sequence[int], first: Sequence[int] = ()
) -> Group:
    """The candidates of a question that units `gold` answer, the units `first` before others."""
    part = make_part(row, index)
    score = scoring.score_units(index, part, row.question, embedder, 0)
    order = score + scoring.match_scores(index, part.text, score, embedder.matcher)
    best = [int(unit) for unit in (-order).argsort(kind="stable")[:TOP] if score[unit] > 0]
    texts = {fold(index.unit_text(unit)) for unit in gold}
    answers = [each for each in row.answer if each not in {"yes", "no"}]
    return Group(
        site=row.site,
        question=row.question,
        language=row.lang,
        answer=answers[0] if answers else "",
        answerable=bool(gold),
        candidates=[
            _candidate(index, unit, float(score[unit]), part, texts, answers)
            for unit in dict.fromkeys((*first, *best, *gold))
        ],
    )


def make_part(row: Asked, index: Index) -> SubQuestion:
    """The question as the one sub-question of a run without a model."""
    terms = search_terms(row.question)
    known = TermStatistics(
        idf=scoring.idf(index, terms),
        share=scoring.page_shares(index, terms, {}),
        unit_length=scoring.mean_context_length(index),
        page_length=float(index.page_length.mean()),
        whole=True,
    )
    [part] = SubQuestionBuilder(row.question, "", {SITE: known}).build(
        [PlannedLookup(ask=row.question)]
    )
    return part


def gold_units(row: Asked, documents: Sequence[Document], index: Index) -> list[int]:
    """The units that the quotes of a question touch; those with the answer, where there are any."""
    found: list[int] = []
    for touched in quoted_units(row, documents, index):
        saying = [
            unit
            for unit in touched
            if any(says(fold(index.unit_text(unit)), each) for each in row.answer)
        ]
        found += saying or touched[:1]
    return found


def quoted_units(row: Asked, documents: Sequence[Document], index: Index) -> Iterator[list[int]]:
    """For each quote of a question that is found, the units that it touches."""
    for page in row.pages:
        number, document = find_page(page.path, documents)
        span = find_passage_span(document.text, page.quote) if document else None
        if span is not None:
            yield [
                unit
                for unit in range(index.size)
                if index.page[unit] == number
                and index.start[unit] < span[1]
                and index.end[unit] > span[0]
            ]


def find_page(path: str, documents: Sequence[Document]) -> tuple[int, Document | None]:
    """The page at a path and its number; -1 and None if there is none."""
    for number, document in enumerate(documents):
        if document.url.endswith(path):
            return number, document
    return -1, None


def _candidate(  # noqa: PLR0913, PLR0917
    index: Index,
    unit: int,
    score: float,
    part: SubQuestion,
    gold: set[str],
    answers: Sequence[str],
) -> Candidate:
    passage: RatedPassage = scoring.passage_at(index, unit)
    text = fold(passage.text)
    label = 1 if text in gold else 0
    if not label and answers and all(says(text, each) for each in answers):
        label = 2
    return Candidate(*passage, score, term_share(passage, part), label)


def says(text: str, answer: str) -> bool:
    """Does a folded text have one of the alternatives of an answer?"""
    return any(part in text for part in fold(answer).split("|"))


def fold(text: str) -> str:
    """The text in lower case, with single spaces."""
    return " ".join(text.split()).lower()


def questions_parser(about: str | None) -> argparse.ArgumentParser:
    """A parser of what every program takes that reads questions and the pages of their sites."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--sites", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    return parser


def sites_parser(about: str | None) -> argparse.ArgumentParser:
    """The same, for a program that may read some of the sites alone."""
    parser = questions_parser(about)
    parser.add_argument("--only", default="", help="sites, with commas between; all without it")
    return parser


class IndexedSite(NamedTuple):
    """The questions to a site, its pages, and their index."""

    asked: list[Asked]
    documents: list[Document]
    indexed: Index


def asked_sites(
    questions: Iterable[Path], folder: Path, only: str
) -> Iterator[tuple[str, list[Asked], Path]]:
    """The sites of these questions with the folders of their pages, below a folder.

    `only` names some of them, with commas between.
    """
    sites = tomllib.loads((QUESTIONS / "sites.toml").read_text(encoding="utf-8"))
    for site, asked in read_questions(questions).items():
        if not only or site in only.split(","):
            yield site, asked, folder / sites[site]["package"] / sites[site]["folder"]


def indexed_sites(
    questions: Iterable[Path], folder: Path, only: str, matcher: Matcher
) -> Iterator[IndexedSite]:
    """These sites with all their pages, as `asked_sites` finds them."""
    for site, asked, pages in asked_sites(questions, folder, only):
        documents = read_site(pages)
        LOG.info("%s: %d questions, %d pages", site, len(asked), len(documents))
        yield IndexedSite(asked, documents, index_site(documents, matcher))


def main() -> None:
    """Read the command line and write the groups."""
    logging.basicConfig(level=logging.INFO)
    given = sites_parser(__doc__).parse_args()
    embedder = WithoutLikeness("not needed for candidates")
    groups: list[Group] = []
    for asked, documents, index in indexed_sites(
        given.questions, given.sites, given.only, embedder.matcher
    ):
        made = [make_group(row, documents, index, embedder) for row in asked]
        groups += [group for group in made if group]
    given.out.write_text(json.dumps([asdict(group) for group in groups]), encoding="utf-8")


if __name__ == "__main__":
    main()
