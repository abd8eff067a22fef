"""Recorded replies are replayed byte for byte, without the endpoint."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from forager.adapters.models.prices import Price
from forager.adapters.recording.model_recording import CHAT_CALLS, FILE, ChatReplay
from forager.adapters.recording.port_recording import record_port
from forager.adapters.recording.tape import MASK, Tape
from forager.budget import ModelCall
from forager.domain.spend import Budget
from forager.errors import ModelError, UsageError
from forager.ports import Task
from tests.endpoint import Asked, Endpoint, Reply
from tests.endpoint.errors import body
from tests.endpoint.faults import ContentFilter, Dead, RateLimited, Status, When
from tests.endpoint.limits import Overflow
from tests.endpoint.request import said
from tests.forager.adapters.models.model_client import ONE, Asking, script_replies
from tests.forager.adapters.models.sample_tasks import RULE, Conclude, Extract, Pick, Picked

SECRET = "sk-secret-0123456789"
LINE = "openai:a extractor=openai:b critic=offline"


@pytest.fixture
def recording(asking: Asking, tmp_path: Path) -> Asking:
    """A model whose calls are recorded in a folder."""
    tape = Tape(tmp_path / FILE, [SecretStr(SECRET), None, SecretStr("none")])
    asking.wrap = lambda chat: record_port(chat, CHAT_CALLS, tape)
    return asking


def replay(folder: Path) -> Asking:
    """A model that replays the recording."""
    asking = Asking("")
    asking.wrap = lambda chat: ChatReplay(folder)
    return asking


async def results(
    asking: Asking, tasks: Sequence[Task[Any]]
) -> list[tuple[BaseModel, list[ModelCall]]]:
    """The reply to each task, and what it took but for time."""
    found = []
    for task in tasks:
        reply = await asking.ask(task, LINE)
        calls = [
            call.model_copy(update={"began": 0.0, "seconds": 0.0}) for call in asking.meter.calls
        ]
        found.append((reply, calls))
    return found


def counting(asked: Asked) -> Reply:
    """Another reply to each request, with the fence's tag in it and one that must be mended."""
    user = said(asked.messages[1])
    tag = user.partition("[[material ")[2][:16]
    choice = 12 if len(asked.messages) == 2 else len(user) % 9
    return Reply({"choice": choice, "reason": f"for {len(user)} in {tag}"})


TASKS = [Pick(question=f"Which, of {n}?") for n in range(3)] + [Extract(), Conclude()]


async def test_the_same_replies_without_the_endpoint(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    endpoint.script = counting
    recording.prices = {"openai:a": Price(input=1, output=2), "openai:b": Price(input=3, output=4)}
    first = await results(recording, TASKS)
    requests = len(endpoint.requests)
    assert requests == 2 * len(TASKS)
    endpoint.die()
    again = replay(tmp_path)
    again.prices = recording.prices
    second = await results(again, TASKS)
    assert [calls for _, calls in second] == [calls for _, calls in first]
    assert [reply.model_dump(exclude={"reason"}) for reply, _ in second] == [
        reply.model_dump(exclude={"reason"}) for reply, _ in first
    ]
    assert len(endpoint.requests) == requests


async def test_in_any_order_and_as_often_as_one_likes(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    endpoint.script = script_replies(*({**ONE, "choice": n} for n in range(5)))
    first = [(await recording.ask(task, LINE)).choice for task in TASKS]
    again = replay(tmp_path)
    for _ in range(2):
        second = [(await again.ask(task, LINE)).choice for task in reversed(TASKS)]
        assert second[::-1] == first
    at_once = await asyncio.gather(*(again.ask(task, LINE) for task in TASKS))
    assert [reply.choice for reply in at_once] == first


async def test_repeated_requests_get_their_replies_in_turn(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    endpoint.script = script_replies(*({**ONE, "choice": n} for n in range(3)))
    for _ in range(3):
        await recording.ask(Pick())
    again = replay(tmp_path)
    assert [(await again.ask(Pick())).choice for _ in range(4)] == [0, 1, 2, 2]


async def test_changed_prompt_is_reported_with_its_first_different_line(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    endpoint.script = script_replies(ONE)
    await recording.ask(Pick(texts=("one", "two", "three")))
    await recording.ask(Pick(question="Quite another?", texts=("a", "b")))
    with pytest.raises(ModelError) as raised:
        await replay(tmp_path).ask(Pick(texts=("one", "zwei", "drei")))
    assert raised.value.what == (
        f"{tmp_path / FILE} has no reply to this request of the navigator; the nearest one has "
        "'- two' where this one has '- zwei'."
    )
    assert "Record the run again" in raised.value.mend


async def test_changed_reply_fields_are_reported(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    class More(Picked):
        """One field more."""

        sure: bool = True

    class PickMore(Pick):
        """Pick with a longer reply."""

        REPLY = More

    endpoint.script = script_replies(ONE)
    await recording.ask(Pick())
    with pytest.raises(ModelError, match=r"this one has '- sure \(boolean\)'"):
        await replay(tmp_path).ask(PickMore())


async def test_role_without_recorded_requests_uses_its_rule(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    endpoint.script = script_replies(ONE)
    await recording.ask(Pick())
    again = replay(tmp_path)
    assert (await again.ask(Extract())).reason == RULE
    assert "has no reply to this role; the built-in rule answered instead" in again.warned[0]


async def test_prompts_that_were_too_long_are_so_again(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    task = Pick(texts=tuple(f"text {n} with some words" for n in range(200)), tokens=3000)
    endpoint.script = script_replies(ONE)
    endpoint.faults.append(Overflow(6000))
    first = await recording.ask(task)
    assert len(endpoint.requests) > 1
    assert await replay(tmp_path).ask(task) == first


async def test_where_time_was_up_it_is_so_again(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    recording.budget = Budget(seconds=0.2)
    endpoint.faults.append(Dead())
    assert (await recording.ask(Pick())).reason == RULE
    again = replay(tmp_path)
    assert (await again.ask(Pick())).reason == RULE
    assert again.warned == recording.warned[-1:]


async def test_refusals_and_passing_faults_replay(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    endpoint.faults += [RateLimited("0.01"), ContentFilter()]
    await recording.ask(Pick())
    warned = recording.warned
    assert len(warned) == 2
    again = replay(tmp_path)
    assert (await again.ask(Pick())).reason == RULE
    assert again.warned == warned[1:]


async def test_faults_that_end_a_run_are_not_recorded(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    endpoint.script = script_replies(ONE)
    endpoint.faults.append(Status(401))
    with pytest.raises(ModelError):
        await recording.ask(Pick())
    assert await recording.ask(Pick()) == await replay(tmp_path).ask(Pick())


async def test_no_secret_is_kept(endpoint: Endpoint, recording: Asking, tmp_path: Path) -> None:
    recording.set(api_key=SECRET, base_url=endpoint.url)
    endpoint.script = script_replies({**ONE, "reason": f"your key is {SECRET}"})
    await recording.ask(Pick(question=f"What does {SECRET} open, and what none?"))
    assert endpoint.requests[0].headers["authorization"] == f"Bearer {SECRET}"
    kept = (tmp_path / FILE).read_text(encoding="utf-8")
    assert SECRET not in kept
    assert "authorization" not in kept.lower()
    [entry] = map(json.loads, kept.splitlines())
    assert json.loads(entry["reply"]["text"])["reason"] == f"your key is {MASK}"
    assert "what none" in entry["asked"]["messages"][1]["content"], "too short to be a secret"


async def test_odd_characters_survive(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    odd = "\u2028 \x85 \x1c 漢 \U0001f600 \u0000"
    endpoint.script = script_replies({**ONE, "reason": f"{odd}\ud83d"})
    first = await recording.ask(Pick(question=odd))
    second = await replay(tmp_path).ask(Pick(question=odd))
    assert second == first
    assert first.reason == f"{odd}?"


async def test_calls_at_once_do_not_write_into_each_other(
    endpoint: Endpoint, asking: Asking, tmp_path: Path
) -> None:
    endpoint.script = counting
    asking.wrap = lambda chat: record_port(chat, CHAT_CALLS, Tape(tmp_path / FILE))
    tasks = [
        task(texts=("word " * 40,) * n, tokens=9000) for task in (Pick, Extract) for n in (9, 99)
    ]
    await asyncio.gather(*(asking.ask(task, LINE) for task in tasks))
    # A tape that begins while another one writes may set an empty line first, which is skipped.
    lines = [line for line in (tmp_path / FILE).read_text().splitlines() if line]
    assert len([json.loads(line) for line in lines]) == len(endpoint.requests)
    for task in tasks:
        await replay(tmp_path).ask(task, LINE)


async def test_what_is_unfit_is_not_asked_twice_when_replayed(
    endpoint: Endpoint, recording: Asking, tmp_path: Path
) -> None:
    no = Status(400, body("schemas are not supported", None))
    endpoint.script = script_replies(ONE)
    endpoint.faults.append(When(lambda asked: asked.way == "schema", no))
    first = await recording.ask(Pick())
    assert len((tmp_path / FILE).read_text().splitlines()) == 1
    assert await replay(tmp_path).ask(Pick()) == first


def test_where_there_is_no_recording(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no recording in"):
        ChatReplay(tmp_path)
