"""What a collector sees of a run, and what it does not."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.endpoint import Endpoint
from tests.loopback_model import Surveyed
from tests.observatory import FOUNDED, GROUND, TWO_PAGES
from tests.otlp_collector import OtlpCollector, SentSpan
from ui.server.handbook.handbook_site import HOST

FAILED = 1
QUICK = {"FORAGER_MODEL_PATIENCE": "0.2", "FORAGER_MODEL_PAUSE": "0.01"}


@pytest.fixture
def collector() -> Iterator[OtlpCollector]:
    with OtlpCollector() as kept:
        yield kept


def ask(
    collector: OtlpCollector, observatory: Surveyed, data: Path, *words: str
) -> tuple[int, dict[str, Any]]:
    """A question in a process of its own, which ends and so sends all: its exit code and report."""
    env = {"FORAGER_DATA": str(data), "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **QUICK}
    fixed = "ask", TWO_PAGES, "--site", observatory.site.url(), "--seed", "7", "--json"
    done = subprocess.run(
        [sys.executable, "-m", "ui.cli", *fixed, "--allow-private", HOST, *words],
        env={**env, "FORAGER_MEMORY": "false", "PATH": "/usr/bin:/bin", "HOME": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout or "{}")


def above(spans: list[SentSpan], span: SentSpan) -> list[str]:
    """The names of the spans around one, from the inside out."""
    by_id = {each.id: each for each in spans}
    names = []
    while span.parent:
        span = by_id[span.parent]
        names.append(span.name)
    return names


def test_a_run_is_seen_as_spans_and_figures(
    collector: OtlpCollector, observatory: Surveyed, endpoint: Endpoint, tmp_path: Path
) -> None:
    data = observatory.copied(tmp_path / "data")
    model = "--model", "openai:any", "--base-url", endpoint.url
    code, report = ask(collector, observatory, data, *model)
    assert (code, report["status"]) == (0, "answered")
    spans = collector.spans()
    [session] = [each for each in spans if not each.parent]
    assert {each.trace for each in spans} == {session.trace}
    assert session.name == "session"
    assert session.attributes["session.id"] == report["session"]
    assert session.attributes["forager.graph"] == "forager"
    assert session.attributes["forager.status"] == "answered"
    calls = [each for each in spans if each.name == "chat any"]
    assert len(calls) == report["spent"]["model_calls"]
    assert (
        sum(each.attributes["gen_ai.usage.input_tokens"] for each in calls)
        == (report["spent"]["tokens_in"])
    )
    assert all(above(spans, each)[0].startswith("node ") for each in calls)
    assert {each.attributes["gen_ai.provider.name"] for each in calls} == {"openai"}
    assert any(each.name == "node answer" for each in spans)
    assert not any(each.failed for each in spans)
    figures = collector.figures()
    tokens = figures["forager.tokens"]
    assert (
        sum(value for labels, value in tokens if labels["direction"] == "in")
        == (report["spent"]["tokens_in"])
    )
    assert figures["forager.runs"] == [({"status": "answered"}, 1)]
    assert figures["forager.runs.active"] == [({}, 0)]
    assert figures["forager.runs.waiting"] == [({}, 0)]
    assert collector.resources()[0]["service.name"] == "forager"


def test_nothing_that_was_asked_or_read_is_sent(
    collector: OtlpCollector, observatory: Surveyed, endpoint: Endpoint, tmp_path: Path
) -> None:
    data = observatory.copied(tmp_path / "data")
    ask(collector, observatory, data, "--model", "openai:any", "--base-url", endpoint.url)
    sent = collector.sent_bytes()
    assert b"node extract" in sent
    for text in (TWO_PAGES, TWO_PAGES.partition(",")[0], GROUND, FOUNDED):
        assert text.encode() not in sent


def test_pages_are_seen_as_they_are_fetched(
    collector: OtlpCollector, observatory: Surveyed, tmp_path: Path
) -> None:
    ask(collector, observatory, tmp_path / "data", "--model", "offline")
    spans = collector.spans()
    fetched = [each for each in spans if each.name == "fetch"]
    addresses = {each.attributes["url.full"] for each in fetched}
    assert observatory.site.url() in addresses
    assert all(above(spans, each)[-1] == "session" for each in fetched)
    asked = {labels["cached"]: value for labels, value in collector.figures()["forager.pages"]}
    assert asked["no"] == sum(not each.failed for each in fetched)


def test_an_error_is_counted_by_its_type(
    collector: OtlpCollector, observatory: Surveyed, tmp_path: Path
) -> None:
    away = "--model", "openai:any", "--base-url", "http://127.0.0.1:9/v1"
    data = observatory.copied(tmp_path / "data")
    assert ask(collector, observatory, data, *away)[0] == FAILED
    failed = [each for each in collector.spans() if each.failed]
    assert {each.attributes["error.type"] for each in failed} == {"AwayError"}
    counted = {labels["span"] for labels, _ in collector.figures()["forager.errors"]}
    assert {"chat", "node"} <= counted


@pytest.mark.browser
def test_an_action_of_the_browser_is_a_span_of_its_node(
    collector: OtlpCollector, observatory: Surveyed, tmp_path: Path
) -> None:
    data = observatory.copied(tmp_path / "data")
    ask(collector, observatory, data, "--model", "offline", "--graph", "weboperator")
    spans = collector.spans()
    actions = [each for each in spans if each.name == "action"]
    assert actions
    assert all(each.attributes["forager.action"] for each in actions)
    assert {above(spans, each)[-1] for each in actions} == {"session"}
