"""Pictures of a task are sent to the model; a model without vision raises an error."""

import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.models.chat_calls import ChatMessage
from forager.adapters.models.pictures import BASE_TOKENS, PICTURE_NOTE, make_picture
from forager.adapters.recording.model_recording import CHAT_CALLS, FILE, ChatReplay
from forager.adapters.recording.port_recording import record_port
from forager.adapters.recording.tape import Tape
from forager.errors import ModelError
from forager.prompts.token_count import count_tokens
from tests.endpoint import Endpoint, Reply
from tests.endpoint.faults import Status
from tests.endpoint.limits import NoPictures
from tests.endpoint.request import said
from tests.forager.adapters.models.model_client import ONE, Asking, script_replies
from tests.forager.adapters.models.sample_tasks import Pick, Picked

PICKED = Picked.model_validate(ONE)


def png(wide: int = 1280, high: int = 720) -> bytes:
    """A black image."""
    head = wide.to_bytes(4, "big") + high.to_bytes(4, "big") + b"\x08\x00\x00\x00\x00"
    rows = zlib.compress(bytes((wide + 1) * high), 9)
    chunks = [(b"IHDR", head), (b"IDAT", rows), (b"IEND", b"")]
    written = [
        len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
        for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)


class Look(Pick):
    """A task with a picture."""

    image: bytes = png()

    def pictures(self) -> tuple[bytes, ...]:
        return (self.image,)


@pytest.fixture
def endpoint(endpoint: Endpoint) -> Endpoint:
    """An endpoint that always gives the same reply, except for faults."""
    endpoint.script = script_replies(ONE)
    return endpoint


async def test_a_model_sees_the_picture(endpoint: Endpoint, asking: Asking) -> None:
    assert await asking.ask(Look()) == PICKED
    [asked] = endpoint.requests
    assert asked.pictures == [png()]
    user = asked.messages[1]
    assert [part["type"] for part in user["content"]] == ["text", "image_url"]
    assert said(user).rstrip().endswith(PICTURE_NOTE)
    assert "pictures" not in said(asked.messages[0])


async def test_a_task_without_pictures_is_text(endpoint: Endpoint, asking: Asking) -> None:
    await asking.ask(Pick())
    assert isinstance(endpoint.requests[0].messages[1]["content"], str)
    assert PICTURE_NOTE not in endpoint.requests[0].text


@pytest.mark.parametrize("structure", ["schema", "tool", "text"])
async def test_pictures_are_sent_with_every_structure(
    endpoint: Endpoint, asking: Asking, structure: str
) -> None:
    assert await asking.ask(Look(), f"openai:m,structure={structure}") == PICKED
    assert endpoint.requests[0].pictures == [png()]


async def test_the_picture_is_shown_when_a_reply_is_mended(
    endpoint: Endpoint, asking: Asking
) -> None:
    endpoint.script = script_replies({**ONE, "choice": 12}, ONE)
    assert await asking.ask(Look()) == PICKED
    assert [asked.pictures for asked in endpoint.requests] == [[png()]] * 2


@pytest.mark.parametrize(
    "server", ["openai", "vllm", "llama.cpp", "ollama", "openrouter", "deepseek"]
)
async def test_a_model_without_vision_is_recognized(
    endpoint: Endpoint, asking: Asking, server: Any
) -> None:
    endpoint.faults.append(NoPictures(server))
    with pytest.raises(ModelError, match="takes no pictures") as raised:
        await asking.ask(Look())
    assert "--model navigator=PROVIDER:NAME" in str(raised.value)
    assert len(endpoint.requests) == 1
    assert await asking.ask(Pick()) == PICKED


async def test_other_faults_stay_the_same(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.faults.append(Status(401))
    with pytest.raises(ModelError, match="Set its key"):
        await asking.ask(Look())


async def test_pictures_count_as_prompt_tokens(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.script = script_replies(Reply(ONE, counted=False))
    taken = []
    for task in (Look(), Pick()):
        await asking.ask(task)
        taken.append(asking.meter.calls[0].tokens_in)
    more = make_picture(png()).estimate_tokens() + count_tokens(PICTURE_NOTE)
    assert taken[0] - taken[1] == pytest.approx(more, abs=60)  # tags are random


@pytest.mark.parametrize(
    ("wide", "high", "tiles"),
    [(1, 1, 1), (512, 512, 1), (1280, 720, 6), (1024, 1024, 4), (4096, 8192, 6), (200, 9000, 4)],
)
def test_a_picture_takes_tokens_by_its_tiles(wide: int, high: int, tiles: int) -> None:
    assert make_picture(png(wide, high)[:24]).estimate_tokens() == BASE_TOKENS + 170 * tiles


@given(st.binary(max_size=40))
def test_any_bytes_have_a_size(data: bytes) -> None:
    assert BASE_TOKENS < make_picture(data).estimate_tokens() < 10_000
    assert BASE_TOKENS < make_picture(b"\x89PNG\r\n\x1a\n" + data).estimate_tokens() < 10_000


async def test_a_recording_keeps_the_hash_and_is_replayed(
    endpoint: Endpoint, asking: Asking, tmp_path: Path
) -> None:
    tape = Tape(tmp_path / FILE)
    asking.wrap = lambda chat: record_port(chat, CHAT_CALLS, tape)
    assert await asking.ask(Look()) == PICKED
    [entry] = map(json.loads, (tmp_path / FILE).read_text().splitlines())
    kept = entry["asked"]["messages"][1]
    assert kept["pictures"] == [{"digest": make_picture(png()).digest}]
    again = Asking("")
    again.wrap = lambda chat: ChatReplay(tmp_path)
    assert await again.ask(Look()) == PICKED
    with pytest.raises(ModelError, match="picture: "):
        await again.ask(Look(image=png(10, 10)))
    assert len(endpoint.requests) == 1


def test_a_message_does_not_show_its_bytes() -> None:
    message = ChatMessage(role="user", content="a", pictures=(make_picture(png()),))
    assert "PNG" not in repr(message)
    assert "data" not in message.model_dump_json()
