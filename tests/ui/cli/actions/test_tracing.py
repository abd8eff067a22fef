"""LangSmith's and Langfuse's own variables, set for another program, send nothing of Forager's."""

import subprocess
import sys
from collections.abc import Iterator
from gzip import decompress
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.endpoint import Endpoint
from tests.loopback_model import Surveyed
from tests.observatory import TWO_PAGES
from tests.servers import Asked, Site
from tests.ui.server.process import WORDS

PATIENCE = 120


@pytest.fixture
def collector() -> Iterator[Site]:
    """What takes traces."""
    with Site({}) as served:
        yield served


def variables(service: str, address: str) -> dict[str, str]:
    """What sets up a service at this address."""
    if service == "langsmith":
        return {
            "LANGSMITH_TRACING": "true",
            "LANGSMITH_API_KEY": "not-a-key",
            "LANGSMITH_ENDPOINT": address,
        }
    return {
        "LANGFUSE_PUBLIC_KEY": "pk-not-a-key",
        "LANGFUSE_SECRET_KEY": "sk-not-a-key",
        "LANGFUSE_BASE_URL": address,
    }


@pytest.mark.parametrize("wanted", [False, True])
@pytest.mark.parametrize("service", ["langsmith", "langfuse"])
def test_runs_are_traced_only_if_our_own_setting_says_so(
    collector: Site,
    observatory: Surveyed,
    endpoint: Endpoint,
    tmp_path: Path,
    *,
    service: str,
    wanted: bool,
) -> None:
    observatory.copied(tmp_path / "data")
    done = subprocess.run(
        [
            *(sys.executable, "-c", WORDS, "ask", TWO_PAGES, "--site", observatory.site.url()),
            *("--model", "openai:any", "--base-url", endpoint.url, "--allow-private", "127.0.0.1"),
        ],
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": ":".join(sys.path),
            "HOME": str(tmp_path),
            "FORAGER_DATA": str(tmp_path / "data"),
            "FORAGER_MEMORY": "false",
            "FORAGER_TRACING": "true" if wanted else "false",
            **variables(service, collector.url().rstrip("/")),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode in {0, 3}, done.stderr
    assert bool(collector.asked) == wanted
    if service == "langfuse" and wanted:
        assert_read_by_langfuse(collector.asked)


def assert_read_by_langfuse(asked: list[Asked]) -> None:
    """Its runs stand under the session, with the nodes, the model calls, and what they used."""
    spans = [
        span
        for request in asked
        for sent in ExportTraceServiceRequest.FromString(decompress(request.body)).resource_spans
        for scope in sent.scope_spans
        for span in scope.spans
    ]
    told = [{each.key: each.value.string_value for each in span.attributes} for span in spans]
    names = {span.name for span in spans}
    assert {"interpret", "aggregate"} <= {name.casefold() for name in names}, names
    assert len({each["session.id"] for each in told}) == 1
    calls = [each for each in told if each.get("langfuse.observation.type") == "generation"]
    assert calls
    assert all('"output"' in call["langfuse.observation.usage_details"] for call in calls)
    assert "You are the" in calls[0]["langfuse.observation.input"]
