"""LangSmith's own variables, set for another program, send nothing of Forager's."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.endpoint import Endpoint
from tests.loopback_model import Surveyed
from tests.observatory import TWO_PAGES
from tests.servers import Site
from tests.ui.server.process import WORDS

PATIENCE = 120


@pytest.fixture
def collector() -> Iterator[Site]:
    """What takes traces."""
    with Site({}) as served:
        yield served


@pytest.mark.parametrize("wanted", [False, True])
def test_runs_are_traced_only_if_our_own_setting_says_so(
    collector: Site, observatory: Surveyed, endpoint: Endpoint, tmp_path: Path, wanted: bool
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
            "LANGSMITH_TRACING": "true",
            "LANGSMITH_API_KEY": "not-a-key",
            "LANGSMITH_ENDPOINT": collector.url().rstrip("/"),
            "FORAGER_TRACING": "true" if wanted else "false",
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode in {0, 3}, done.stderr
    assert bool(collector.asked) == wanted
