"""Groups of candidates that stand beside the answer: the sentences around it on its page.

    python -m bench.ranker.beside QUESTIONS.jsonl … --sites FOLDER --out GROUPS.json [--only A]

The sentences just before and after an answer are seldom among those that are ranked first, so what
is trained on those alone cannot tell an answer from its neighbours. Only the pages that the
questions quote are read, which is fast.
"""

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from bench.ranker.candidates import (
    SITE,
    Asked,
    Group,
    WithoutLikeness,
    asked_sites,
    fold,
    gold_units,
    index_site,
    quoted_units,
    ranked_group,
    sites_parser,
)
from forager.adapters.web.read.page_reader import read_page
from forager.domain.documents import Document
from forager.errors import ContentError
from forager.ports import Embedder
from forager.ranking.index import Index

LOG = logging.getLogger(__name__)
BESIDE = 5
"""Units before and after the answer."""


def beside_group(
    row: Asked, documents: Sequence[Document], index: Index, embedder: Embedder
) -> Group | None:
    """The units around the answer, the nearest first, then what is ranked first on these pages.

    None if the answer is not found. What else the quote touches is left out: it may answer too.
    """
    gold = gold_units(row, documents, index)
    if not gold:
        return None
    group = ranked_group(row, index, embedder, gold, list(_around(index, gold)))
    touched = {
        fold(index.unit_text(unit))
        for units in quoted_units(row, documents, index)
        for unit in units
    }
    kept = [each for each in group.candidates if each.label == 1 or fold(each.text) not in touched]
    return replace(group, candidates=kept)


def _around(index: Index, gold: Sequence[int]) -> Iterator[int]:
    for step in range(1, BESIDE + 1):
        for unit in gold:
            for other in (unit - step, unit + step):
                if 0 <= other < index.size and index.page[other] == index.page[unit]:
                    yield other


def read_quoted(rows: Sequence[Asked], folder: Path) -> list[Document]:
    """The pages below a folder that these questions quote."""
    return list(_read_pages({page.path for row in rows for page in row.pages}, folder))


def _read_pages(paths: set[str], folder: Path) -> Iterator[Document]:
    for path in sorted(paths):
        file = next(iter(sorted(folder.rglob(path.lstrip("/")))), None)
        if file is None:
            continue
        try:
            yield read_page(file.read_bytes(), "text/html", f"{SITE}{file.relative_to(folder)}")
        except ContentError:
            continue


def main() -> None:
    """Read the command line and write the groups."""
    logging.basicConfig(level=logging.INFO)
    given = sites_parser(__doc__).parse_args()
    embedder = WithoutLikeness("not needed for candidates")
    groups: list[Group] = []
    for site, asked, folder in asked_sites(given.questions, given.sites, given.only):
        rows = [row for row in asked if row.answerable]
        documents = read_quoted(rows, folder)
        index = index_site(documents, embedder.matcher)
        made = [beside_group(row, documents, index, embedder) for row in rows]
        groups += [group for group in made if group]
        LOG.info("%s: %d questions, %d pages", site, len(rows), len(documents))
    given.out.write_text(json.dumps([asdict(group) for group in groups]), encoding="utf-8")


if __name__ == "__main__":
    main()
