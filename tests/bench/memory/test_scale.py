"""The bench of a full memory, with little in it."""

from pathlib import Path

from bench.memory.retrieval import load_steps
from bench.memory.scale import MemorySize, measure_scale, recombine_steps, scale_lines
from forager.settings import Settings
from tests.bench.memory.test_retrieval import TASKS, write_tasks


def test_what_is_near_is_found(tmp_path: Path) -> None:
    said: list[str] = []
    path = write_tasks(tmp_path, TASKS)
    scale = measure_scale(
        path, Settings(data=tmp_path), MemorySize(records=60, samples=5), said.append
    )
    assert scale.recall == 1.0
    assert scale.inserts > 0
    assert scale.whole[0] <= scale.whole[1]
    told = list(scale_lines(scale))
    assert told[0].startswith("60 snippets;")
    assert told[2] == "recall@3 against exact search: 1.0000"


def test_what_is_recombined_stays_on_its_site(tmp_path: Path) -> None:
    steps = load_steps(write_tasks(tmp_path, TASKS))
    told = {site: {s.told for s in steps if s.moment.site == site} for site in ("coast", "hill")}
    made = list(recombine_steps(steps, 50, 1))
    assert made == list(recombine_steps(steps, 50, 1))
    assert len({each.id for each in made}) == 50
    assert all(set(each.moment.before) <= told[each.moment.site] for each in made)
