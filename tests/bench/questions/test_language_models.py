"""The benches on a language model: a scripted endpoint that reads, over a site of three pages."""

import json
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.coast import run_bench, table_cells
from tests.bench.judge_replies import reply_as_judge
from tests.endpoint import Endpoint
from tests.endpoint.counts import tokens
from tests.servers import Site


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(reply_as_judge) as opened:
        yield opened
    assert opened.invalid == []


def test_answers_of_a_model_are_counted_timed_and_judged(
    tmp_path: Path, site: Site, questions: str, endpoint: Endpoint
) -> None:
    out = tmp_path / "rows.jsonl"
    given = ("answer", "--questions", questions, "--sites", f"coast={site.url()}")
    model = ("--model", "openai:scripted", "--model", "critic=offline", "--base-url", endpoint.url)
    words = (*given, "--graph", "forager", "--out", str(out), *model)
    first = run_bench(tmp_path, *words)
    assert first.exit_code == 0, first.output
    assert "judge" not in first.stdout
    roles = {asked.system.split()[3] for asked in endpoint.requests}
    assert roles == {"surveyor", "extractor", "aggregator", "navigator", "answerer"}
    [row, silent] = [json.loads(line) for line in out.read_text().splitlines()]
    cost = row["cost"]
    assert row["model"].split()[1].startswith("critic=offline")
    assert cost["calls"] + silent["cost"]["calls"] == len(endpoint.requests)
    assert 1 < cost["chain"] <= cost["calls"]
    assert 0 < cost["path"] < row["seconds"]
    assert cost["tokens_in"] > cost["tokens_out"] > 0
    table = first.stdout.splitlines()
    assert any(line.split()[-1:] == ["wall/path"] for line in table)
    asked = len(endpoint.requests)
    judge = ("--judge", "openai:scripted", "--judge-base-url", endpoint.url)
    judged = run_bench(tmp_path, *words, *judge)
    assert table_cells(judged, "forager", "single", "1", "100")[:8][-1] == "100"
    assert "1 of 2 answers graded" in judged.stdout
    assert len(endpoint.requests) == asked + 1
    again = run_bench(tmp_path, *words, *judge)
    assert (again.stdout, len(endpoint.requests)) == (judged.stdout, asked + 1)


def parse_count(cell: str) -> int:
    return int(cell.replace(",", ""))


def test_tokens_are_estimated_without_a_model(tmp_path: Path, site: Site, questions: str) -> None:
    given = ("tokens", "--questions", questions, "--sites", f"coast={site.url()}")
    told = run_bench(tmp_path, *given)
    assert "Nothing was sent" in told.stdout
    median, most, top, fixed, out, cached = table_cells(told, "extractor", "2")[2:]
    assert 0 < parse_count(fixed) < parse_count(median) <= parse_count(most) <= parse_count(top)
    assert (out, cached) == ("–", "–")
    text = table_cells(told, "extractor", "Text")
    assert 0 < parse_count(text[-1]) <= parse_count(top) - parse_count(fixed)
    assert table_cells(told, "navigator", "Still", "open")[-4] == "1"
    assert parse_count(table_cells(told, "1", "1")[-1]) >= parse_count(
        table_cells(told, "1", "1")[2]
    )
    assert parse_count(table_cells(told, "prompt", "tokens", "2")[-1]) > parse_count(top)


def test_tokens_are_those_that_a_model_counted(
    tmp_path: Path, site: Site, questions: str, endpoint: Endpoint
) -> None:
    given = ("tokens", "--questions", questions, "--sites", f"coast={site.url()}")
    told = run_bench(tmp_path, *given, "--model", "openai:scripted", "--base-url", endpoint.url)
    assert "Nothing was sent" not in told.stdout
    assert sum(parse_count(line) for line in role_counts(told.stdout)) == len(endpoint.requests)
    sent = [tokens(each.text) for each in endpoint.requests if "the critic of" in each.system]
    found = table_cells(told, "critic", str(len(sent)))
    assert [parse_count(found[2]), parse_count(found[4])] == [statistics.median(sent), max(sent)]
    assert parse_count(found[6]) > 0


def role_counts(printed: str) -> list[str]:
    """The column n of the table of roles."""
    table = printed.partition("\n\n")[0].splitlines()[1:]
    return [line.split()[1] for line in table]
