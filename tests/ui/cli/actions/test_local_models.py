"""`forager model`: list, fetch and remove models, and a question to a real one."""

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.local_models import LLAMA, Ollama, put_real_model
from tests.loopback_model import Surveyed
from tests.observatory import GROUND
from tests.servers import Reply, Site
from tests.ui.conftest import Forager
from ui.server.handbook.handbook_site import HOST

FAILED, USAGE = 1, 2


def test_a_file_is_fetched_listed_and_removed(forager: Forager) -> None:
    body = b"GGUF" + b"x" * 2000
    digest = hashlib.sha256(body).hexdigest()
    with Site({"/tiny-0.5b.gguf": Reply(body, kind="application/octet-stream")}) as site:
        fetched = forager("model", "pull", site.url("/tiny-0.5b.gguf"), "--sha256", digest)
    assert fetched.exit_code == 0
    assert fetched.stdout.splitlines() == [
        f"SHA-256 {digest}",
        'Ready: forager ask "QUESTION" --model local:tiny-0.5b',
    ]
    listed = forager("model", "list")
    assert listed.stdout.startswith("local:tiny-0.5b\t0.00 GB\t")
    assert "--model auto takes local:tiny-0.5b,profile=small" in listed.stderr
    assert forager("model", "remove", "local:tiny-0.5b").stdout == "Removed local:tiny-0.5b.\n"
    assert "No models here." in forager("model", "list").stderr


def test_ollama_is_listed_and_told_to_fetch(forager: Forager) -> None:
    with Ollama(LLAMA) as served:
        there = {"OLLAMA_HOST": f"127.0.0.1:{served.port}"}
        place = f"Ollama at http://127.0.0.1:{served.port}"
        assert forager("model", "list", **there).stdout == f"ollama:llama3.1:8b\t4.90 GB\t{place}\n"
        assert forager("model", "pull", "ollama:qwen2.5:1.5b", **there).exit_code == 0
        assert "takes ollama:qwen2.5:1.5b,profile=small" in forager("model", "list", **there).stderr
        found = forager("doctor", **there).stdout
        assert f"ollama:qwen2.5:1.5b,profile=small (found at {place}, not asked)" in found
        assert forager("model", "remove", "ollama:qwen2.5:1.5b", **there).exit_code == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["pull", "qwen"], USAGE, "Write ollama:NAME, or the address of a GGUF file."),
        (["remove", "qwen"], USAGE, "Write ollama:NAME or local:NAME."),
        (["remove", "local:qwen"], USAGE, "Fetch one: forager model pull ADDRESS"),
        (["pull", "ollama:qwen"], FAILED, "Start it with `ollama serve`"),
    ],
)
def test_what_cannot_be_done_is_said(
    forager: Forager, words: list[str], code: int, said: str
) -> None:
    done = forager("model", *words)
    assert done.exit_code == code
    assert said in " ".join(done.stderr.split())


@pytest.mark.skipif(find_spec("xllamacpp") is None, reason="llama.cpp is not installed")
def test_a_question_is_put_to_a_real_model_that_was_found(
    observed: Forager, observatory: Surveyed, tmp_path: Path
) -> None:
    put_real_model(tmp_path / "data", "smol-135m")
    done = observed(
        "ask",
        "Who ground the lens of the great refractor?",
        *("--site", observatory.site.url(), "--allow-private", HOST, "--seed", "7", "--json"),
    )
    report = json.loads(done.stdout)
    assert report["model"] == "local:smol-135m,profile=small"
    assert report["status"] in ("answered", "partial"), done.stderr
    assert report["spent"]["model_calls"] > 0
    assert report["spent"].get("usd", 0.0) == 0.0
    assert GROUND in " ".join(each["quote"] for each in report["citations"])
