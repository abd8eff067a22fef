"""A short soak: workers are killed, stopped and starved, and nothing is lost or twice."""

from pathlib import Path

from tests.bench.coast import run_bench, table_cells


def test_a_short_soak_loses_nothing(tmp_path: Path) -> None:
    words = ("--jobs", "12", "--seed", "1", "--longest", "1", "--no-memory", "--no-browser")
    result = run_bench(tmp_path, "soak", *words, "--folder", str(tmp_path / "soak"))
    for kind in ("lost", "twice", "unreadable", "missing", "left"):
        assert table_cells(result, kind)[-1] == "0", result.stdout
    assert table_cells(result, "jobs")[1] == "12"
    assert int(table_cells(result, "faults")[1]) > 0
    assert table_cells(result, "crashed", "or", "hung", "workers")[-1] == "0"
    sessions, turns = table_cells(result, "sessions,", "turns")[-2:]
    assert 1 < int(sessions.strip(",")) <= int(turns)
