"""Strategies on a real survey: pages are served, read, and drawn until all gold is found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.survey.gold_draws import STRATEGIES, DrawnQuestion, DrawPlan, draw_gold, draw_lines
from forager.errors import UsageError
from forager.settings import Settings
from graphs.experiments.question_set import Record
from tests.servers import Site

TOWERS = {
    "skarn": "The Skarn lighthouse was built by the engineer Marta Lindqvist in 1874.",
    "holm": "The Holm lighthouse stands 41 metres high. It is painted in red and white bands.",
    "vik": "The Vik lighthouse was automated in 1968, when its last keeper retired.",
}


@pytest.fixture
def site() -> Iterator[Site]:
    links = "".join(f"<li><a href='/{name}.html'>{name}</a>" for name in TOWERS)
    pages = {
        f"/{name}.html": f"<title>{name}</title><h1>{name}</h1><p>{text}"
        for name, text in TOWERS.items()
    }
    with Site({"/": f"<title>Lighthouses</title><ul>{links}</ul>", **pages}) as served:
        yield served


def record(question: str, *names: str) -> Record:
    return Record.model_validate(
        {
            "id": "-".join(names),
            "type": "single",
            "sites": ["coast"],
            "question": question,
            "pages": [{"site": "coast", "path": f"/{name}.html"} for name in names],
        }
    )


def draw(site: Site, folder: Path, *records: Record) -> list[DrawnQuestion]:
    plan = DrawPlan(records=records, sites={"coast": site.url()}, seeds=3)
    settings = Settings(data=folder, memory=False)
    return draw_gold(plan, settings, lambda line: None)


def test_rounds_are_counted_until_every_gold_page_is_drawn(tmp_path: Path, site: Site) -> None:
    one, both, absent, unasked = (
        record("Which engineer built the Skarn lighthouse?", "skarn"),
        record("Who built Skarn lighthouse, and how high is Holm lighthouse?", "skarn", "holm"),
        record("Which engineer built the Skarn lighthouse?", "absent"),
        record("Which engineer built the Skarn lighthouse?"),
    )
    found = draw(site, tmp_path, one, both, absent, unasked)
    assert [each.record for each in found] == [one, both, absent]
    assert [(each.among_arms, each.gold) for each in found] == [(1, 1), (2, 2), (0, 1)]
    assert set(found[0].rounds) == {(p, name) for p in ("own", "mango") for name in STRATEGIES}
    assert found[0].rounds["own", "greedy"] == found[0].rounds["own", "correlated"] == 1
    assert min(found[1].rounds.values()) == 2
    assert not found[2].rounds
    assert draw(site, tmp_path, one, both, absent) == found
    lines = draw_lines(found)
    rows = [line.split() for line in lines if line.startswith("all")]
    assert [row[1:4] for row in rows] == [
        [prior, name, "2"] for prior in ("own", "mango") for name in STRATEGIES
    ]
    assert rows[1][4:] == ["1.50", "1.00", "to", "2.00"]
    assert "Gold pages not among the arms: 1 of 3 questions, 1 of them without any. (absent)" in (
        lines
    )


def test_a_question_on_a_site_without_address_is_refused(tmp_path: Path, site: Site) -> None:
    elsewhere = record("Who?", "skarn").model_copy(update={"sites": ("sea",)})
    with pytest.raises(UsageError, match="no address"):
        draw(site, tmp_path, elsewhere)
