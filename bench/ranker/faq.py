"""Groups of candidates from frequently asked questions: a heading asks, its section answers.

    python -m bench.ranker.faq FOLDER … --out GROUPS.json [--limit 200]

Each FOLDER holds the pages of a site. People wrote these questions for people, in words that need
not be those of the answer. The heading is hidden from the candidates, or they would give it away.
"""

import argparse
import json
import logging
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from bench.ranker.candidates import (
    Asked,
    Candidate,
    Group,
    WithoutLikeness,
    fold,
    index_site,
    ranked_group,
    read_site,
)
from forager.domain.documents import Document
from forager.ranking.index import PLACE_MARK, Index
from forager.text.languages import page_language

LOG = logging.getLogger(__name__)
NUMBER = re.compile(
    r"^(?:q(?:uestion)?\s*[\d.]*\s*[:.)]\s*|[\dA-Z]{1,3}(?:\.\d+)*[.):]\s+|[\d.]+\s+)", re.I
)
MIN_WORDS, MAX_WORDS = 4, 30
MIN_UNIT, MAX_SECTION = 40, 6000
"""Characters of a unit that can answer, and of a section that is one answer."""
ANSWERING = 4
"""The first units of a section that count as its answer."""
SHOWN = 40
"""Characters by which a question is known in a heading that is cut off."""


def asked_by(heading: str) -> str:
    """The question that a heading asks, without its number; empty if it asks none."""
    text = NUMBER.sub("", heading.strip()).strip(" ¶#")
    asks = text.endswith("?") and MIN_WORDS <= len(text.split()) <= MAX_WORDS
    return text if asks else ""


def faq_groups(
    site: str, documents: Sequence[Document], embedder: WithoutLikeness, limit: int, seed: int = 1
) -> Iterator[Group]:
    """At most so many of the questions that headings of these pages ask, drawn at random."""
    pages = [page for page in documents if page_language(page.lang, page.text) == "en"]
    index = index_site(pages, embedder.matcher)
    sections = defaultdict[tuple[int, int], list[int]](list)
    for unit in range(index.size):
        sections[int(index.page[unit]), int(index.heading[unit])].append(unit)
    asked = dict[str, list[int]]()
    for units in sections.values():
        question = asked_by(index.heading_text(units[0]))
        body = [unit for unit in units if len(_body(index, unit, question)) >= MIN_UNIT]
        if question and body and sum(map(len, map(index.unit_text, body))) <= MAX_SECTION:
            asked.setdefault(question, body)
    for question in random.Random(seed).sample(sorted(asked), min(limit, len(asked))):
        gold = asked[question][:ANSWERING]
        row = Asked(site=site, question=question, lang="en", answerable=True, answer=(), pages=())
        group = ranked_group(row, index, embedder, gold)
        answers = {fold(index.unit_text(unit)) for unit in asked[question]}
        yield replace(group, candidates=list(_hide(group.candidates, question, answers)))


def _body(index: Index, unit: int, question: str) -> str:
    """The text of a unit below its heading, unless it repeats the question."""
    text = _below(index.unit_text(unit), question)
    return "" if fold(question) in fold(text) else text


def _below(text: str, question: str) -> str:
    first, _, rest = text.partition("\n")
    return rest.strip() if fold(question) in fold(first) else text


def _hide(candidates: Sequence[Candidate], question: str, answers: set[str]) -> Iterator[Candidate]:
    """The candidates without headings that ask, without lists of the questions, and without what
    else the section says."""
    for each in candidates:
        text = _below(each.text, question) if each.label == 1 else each.text
        if each.label != 1 and (fold(text) in answers or fold(question) in fold(text)):
            continue
        title, _, heading = each.heading.partition(PLACE_MARK)
        asks = asked_by(heading) or fold(question)[:SHOWN] in fold(heading)
        place = "" if asked_by(title) else title if asks else each.heading
        before = "" if fold(question) in fold(each.before) else each.before
        yield replace(each, heading=place, before=before, text=text)


def main() -> None:
    """Read the command line and write the groups."""
    logging.basicConfig(level=logging.INFO)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=200, help="questions of each site")
    given = parser.parse_args()
    embedder = WithoutLikeness("not needed for candidates")
    groups: list[Group] = []
    for folder in given.folders:
        found = list(faq_groups(folder.name, read_site(folder), embedder, given.limit))
        LOG.info("%s: %d questions", folder.name, len(found))
        groups += found
    given.out.write_text(json.dumps([asdict(group) for group in groups]), encoding="utf-8")


if __name__ == "__main__":
    main()
