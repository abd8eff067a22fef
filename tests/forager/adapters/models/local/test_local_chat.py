"""A real model of 135 million parameters, read by llama.cpp in this process."""

import json
from pathlib import Path

import httpx2
import pytest

from forager.adapters.models.chat_calls import ChatMessage, ChatRequest
from forager.adapters.models.local.local_chat import LocalChat, serve_file
from forager.adapters.models.model_lines import ModelChoice
from forager.errors import ModelError, UsageError
from tests.local_models import local_settings

pytest.importorskip("xllamacpp")
FIELDS = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}
ASKED = ChatRequest(
    role="critic",
    tag="t",
    messages=(ChatMessage(role="user", content="Which colour has the sky by day? Reply as JSON."),),
    fields=FIELDS,
    limit=30,
)


def local(data: Path, name: str = "smol-135m") -> LocalChat:
    return LocalChat(ModelChoice(name=f"local:{name}", profile="small"), local_settings(data))


async def test_it_replies_in_the_shape_that_is_asked_for(data_with_model: Path) -> None:
    first, second = local(data_with_model), local(data_with_model)
    said = await first.complete(ASKED)
    assert json.loads(said.text)["colour"] in ("red", "blue")
    assert said.name == "local:smol-135m"
    assert said.tokens_in > 0
    assert said.tokens_out > 0
    assert (await second.complete(ASKED)).text == said.text
    await first.aclose()
    await second.aclose()


async def test_a_file_is_loaded_once_and_asked_with_its_key_alone(data_with_model: Path) -> None:
    path = data_with_model / "models" / "smol-135m.gguf"
    assert serve_file(path) is serve_file(path)
    served = serve_file(path)
    assert served.url.startswith("http://127.0.0.1:")
    body = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 1}
    async with httpx2.AsyncClient(trust_env=False) as client:
        refused = await client.post(f"{served.url}/chat/completions", json=body)
    assert refused.status_code == 401


async def test_a_broken_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "broken.gguf").write_bytes(b"GGUF and nothing more")
    with pytest.raises(ModelError, match=r"broken.gguf cannot be loaded"):
        await local(tmp_path, "broken").complete(ASKED)


async def test_a_file_that_is_gone_is_said(data_with_model: Path) -> None:
    with pytest.raises(UsageError, match=r"Did you mean 'smol-135m'"):
        await local(data_with_model, "smol-35m").complete(ASKED)
