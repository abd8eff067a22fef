"""What the parts of a graph are worth, with one part off at a time."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.questions.ablation_parts import PARTS, switched_off, without_part
from bench.questions.intervals import bootstrap_mean
from forager.settings import Settings
from graphs.spec.library import open_library
from tests.bench.coast import run_bench, table_cells
from tests.servers import Site


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_off_for_a_while(name: str, tmp_path: Path) -> None:
    part = PARTS[name]
    spec = open_library(Settings(data=tmp_path)).resolve("forager")
    homes = [(import_module(each.module), each.name) for each in part.replaced]
    before = [getattr(home, name) for home, name in homes]
    with switched_off(part):
        values = [getattr(home, name) for home, name in homes]
    assert values == [each.value for each in part.replaced]
    assert [getattr(home, name) for home, name in homes] == before
    assert bool(values) != (without_part(spec, part).hash != spec.hash)


def test_the_question_set_is_asked_without_a_part(
    site: Site, questions: str, tmp_path: Path
) -> None:
    served = f"coast={site.url()}"
    words = ["ablate", "--questions", questions, "--sites", served, "--parts", "survey,gate"]
    words += ["--out", str(tmp_path / "rows")]
    asked = run_bench(tmp_path, *words)
    whole = table_cells(asked, "whole")
    assert whole[1] == "1.000"
    without = table_cells(asked, "survey")
    assert without[1:3] == ["1.000", "+0.000"]
    assert float(without[-2]) > float(whole[-2])  # pages are opened that the map rules out
    assert "gate" in {path.stem for path in (tmp_path / "rows").iterdir()}
    again = run_bench(tmp_path, *words)
    assert "without" not in again.stderr
    assert again.stdout == asked.stdout


def test_an_unknown_part_is_refused(site: Site, questions: str, tmp_path: Path) -> None:
    words = ("ablate", "--questions", questions, "--sites", f"coast={site.url()}")
    refused = run_bench(tmp_path, *words, "--parts", "wings")
    assert refused.exit_code
    assert "no part wings" in refused.output


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=40))
def test_the_mean_is_within_its_interval(values: list[float]) -> None:
    found = bootstrap_mean(np.array(values))
    assert min(values) <= found.low <= found.high <= max(values)
    assert found.mean == pytest.approx(sum(values) / len(values))
    assert found == bootstrap_mean(np.array(values))
