"""A small run of a bench of scale: a batch that is killed, and no row is lost."""

from pathlib import Path

from tests.bench.coast import run_bench, table_cells


def test_a_small_batch_is_killed_and_loses_nothing(tmp_path: Path) -> None:
    words = ("--rows", "4", "--sites", "2", "--latency", "0.05")
    kills = ("--at-once", "1", "--kills", "1", "--kill-seconds", "3")
    result = run_bench(
        tmp_path, "scale", "batch", *words, *kills, "--folder", str(tmp_path / "batch")
    )
    assert result.exit_code == 0, result.output
    assert table_cells(result, "rows", "4")[2:] == ["(4", "answered)"]
    assert table_cells(result, "lost,")[-3:] == ["0,", "0,", "0"]
    assert table_cells(result, "kills") == ["kills", "1"]
    assert table_cells(result, "pages", "asked")[-1] == "0"
    assert len((tmp_path / "batch" / "answers.jsonl").read_text("utf-8").splitlines()) == 4
