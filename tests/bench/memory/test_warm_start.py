"""How much sooner a question finds its page where another one was asked before."""

import json
from pathlib import Path

import pytest

from bench.memory.conversations import read_conversations
from bench.memory.warm_start import first_draw_chance, turn_records
from forager.domain.state import Arm
from tests.bench.coast import run_bench, table_cells
from tests.servers import Site

PAGES = [{"site": "coast", "path": "/skarn.html", "quote": "Marta Lindqvist"}]
TALK = {
    "id": "coast-03",
    "type": "conversation",
    "sites": ["coast"],
    "turns": [
        {
            "question": "Which engineer built the Skarn lighthouse?",
            "answer": ["Marta Lindqvist"],
            "pages": PAGES,
        },
        {"question": "And what did its lamp burn?", "answer": ["rape oil"], "pages": PAGES},
    ],
}


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps(TALK))
    return path


def test_turns_are_asked_in_words_that_stand_alone(talk: Path) -> None:
    first, second = turn_records(read_conversations(talk))
    assert (first.id, second.id) == ("coast-03/1", "coast-03/2")
    assert second.question.startswith("And what did its lamp burn (")
    assert "Skarn" in second.question
    assert [page.path for page in second.pages] == ["/skarn.html"]


def test_the_surer_page_is_drawn_first_more_often() -> None:
    arms = [Arm(url="http://a/1", alpha=9, beta=1), Arm(url="http://a/2", alpha=1, beta=9)]
    assert first_draw_chance(arms, {"http://a/1"}) > 0.99
    assert first_draw_chance(arms, {"http://a/1"}) + first_draw_chance(
        arms, {"http://a/2"}
    ) == pytest.approx(1)
    assert first_draw_chance([], {"http://a/1"}) == 0


def test_both_ways_stand_side_by_side(tmp_path: Path, site: Site, talk: Path) -> None:
    data = tmp_path / "data"
    sites = f"coast={site.url()}"
    result = run_bench(data, "memory", "warm", "--questions", str(talk), "--sites", sites)
    assert table_cells(result, "unknown", "site")[2:4] == ["1", "3"]
    assert table_cells(result, "known", "site")[2:4] == ["1", "0"]
    without, warm = table_cells(result, "without", "memory"), table_cells(result, "with", "memory")
    assert without[2:4] == warm[2:4] == ["1", "1"]
    assert float(warm[4]) > float(without[4])
    assert without[5] == warm[5] == "1.00"
