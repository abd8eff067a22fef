"""The bench of a full memory, with little in it."""

from pathlib import Path

from bench.memory.retrieval import load
from bench.memory.scale import Size, lines, recombined, run
from forager.settings import Settings
from tests.bench.memory.test_retrieval import TASKS, written


def test_what_is_near_is_found(tmp_path: Path) -> None:
    said: list[str] = []
    path = written(tmp_path, TASKS)
    scale = run(path, Settings(data=tmp_path), Size(records=60, samples=5), said.append)
    assert scale.recall == 1.0
    assert scale.inserts > 0
    assert scale.whole[0] <= scale.whole[1]
    told = list(lines(scale))
    assert told[0].startswith("60 snippets;")
    assert told[2] == "recall@3 against exact search: 1.0000"


def test_what_is_recombined_stays_on_its_site(tmp_path: Path) -> None:
    steps = load(written(tmp_path, TASKS))
    told = {site: {s.told for s in steps if s.moment.site == site} for site in ("coast", "hill")}
    made = list(recombined(steps, 50, 1))
    assert made == list(recombined(steps, 50, 1))
    assert len({each.id for each in made}) == 50
    assert all(set(each.moment.before) <= told[each.moment.site] for each in made)
