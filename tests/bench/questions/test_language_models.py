"""The benches on a language model: a scripted endpoint that reads, over a site of three pages."""

import json
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.coast import bench, cells
from tests.bench.judge_replies import judges
from tests.endpoint import Endpoint
from tests.endpoint.counts import tokens
from tests.servers import Site


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(judges) as opened:
        yield opened
    assert opened.invalid == []


def test_answers_of_a_model_are_counted_timed_and_judged(
    tmp_path: Path, site: Site, questions: str, endpoint: Endpoint
) -> None:
    out = tmp_path / "rows.jsonl"
    given = ("answer", "--questions", questions, "--sites", f"coast={site.url()}")
    model = ("--model", "openai:scripted", "--model", "critic=offline", "--base-url", endpoint.url)
    words = (*given, "--graph", "forager", "--out", str(out), *model)
    first = bench(tmp_path, *words)
    assert first.exit_code == 0, first.output
    assert "judge" not in first.stdout
    roles = {asked.system.split()[3] for asked in endpoint.requests}
    assert roles == {"surveyor", "extractor", "aggregator", "navigator", "reflector", "answerer"}
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
    judged = bench(tmp_path, *words, *judge)
    assert cells(judged, "forager", "single", "1", "100")[:8][-1] == "100"
    assert "1 of 2 answers graded" in judged.stdout
    assert len(endpoint.requests) == asked + 1
    again = bench(tmp_path, *words, *judge)
    assert (again.stdout, len(endpoint.requests)) == (judged.stdout, asked + 1)


def number(cell: str) -> int:
    return int(cell.replace(",", ""))


def test_tokens_are_estimated_without_a_model(tmp_path: Path, site: Site, questions: str) -> None:
    given = ("tokens", "--questions", questions, "--sites", f"coast={site.url()}")
    told = bench(tmp_path, *given)
    assert "Nothing was sent" in told.stdout
    median, most, top, fixed, out, cached = cells(told, "extractor", "2")[2:]
    assert 0 < number(fixed) < number(median) <= number(most) <= number(top)
    assert (out, cached) == ("–", "–")
    text = cells(told, "extractor", "Text")
    assert 0 < number(text[-1]) <= number(top) - number(fixed)
    assert cells(told, "navigator", "The", "page", "you", "are", "on")[-4] == "1"
    assert number(cells(told, "1", "1")[-1]) >= number(cells(told, "1", "1")[2])
    assert number(cells(told, "prompt", "tokens", "2")[-1]) > number(top)


def test_tokens_are_those_that_a_model_counted(
    tmp_path: Path, site: Site, questions: str, endpoint: Endpoint
) -> None:
    given = ("tokens", "--questions", questions, "--sites", f"coast={site.url()}")
    told = bench(tmp_path, *given, "--model", "openai:scripted", "--base-url", endpoint.url)
    assert "Nothing was sent" not in told.stdout
    assert sum(number(line) for line in called(told.stdout)) == len(endpoint.requests)
    sent = [tokens(each.text) for each in endpoint.requests if "the critic of" in each.system]
    found = cells(told, "critic", str(len(sent)))
    assert [number(found[2]), number(found[4])] == [statistics.median(sent), max(sent)]
    assert number(found[6]) > 0


def called(printed: str) -> list[str]:
    """The column n of the table of roles."""
    table = printed.partition("\n\n")[0].splitlines()[1:]
    return [line.split()[1] for line in table]
