"""A site with questions about it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.coast import PAGES, RECORDS
from tests.servers import Site


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(PAGES) as opened:
        yield opened


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, RECORDS)))
    return str(path)
