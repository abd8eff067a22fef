"""Other programs are told when a session ends or waits: signed, tried again, and given up."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from forager.adapters.store.webhook_queue import WebhookQueue
from forager.adapters.webhooks.sender import sign
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.sessions.service import Report, open_sessions
from graphs.sessions.webhooks import PAUSES, Webhooks
from graphs.spec.spec import load_graph
from graphs.system.doctor import check_webhooks
from tests.graphs.approval_graphs import ASKING, Person
from tests.graphs.conftest import ports_with
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import LASTING_FAULT, alone
from tests.graphs.sessions.test_archive import FORAGER as ASKING_GRAPH
from tests.servers import Asked, Reply, Site

FORAGER = loosened(load_graph("forager"))
QUESTION = Question(
    text="Which emperor?", sites=("http://127.0.0.1:1/",), budget=Budget(rounds=2, steps=2)
)
SECRET = "whsec_" + base64.b64encode(b"a key of thirty-two bytes, at least").decode()
NOW = 1_700_000_000.0


@pytest.fixture
def receiver() -> Iterator[Site]:
    with Site({"/hook": Reply(status=204), "/gone": Reply(status=410)}) as site:
        yield site


def told_to(data: Path, *urls: str, secret: str = SECRET) -> Settings:
    return alone(data).model_copy(
        update={"webhooks": urls, "webhook_secret": SecretStr(secret) if secret else None}
    )


def received(asked: Asked) -> dict[str, Any]:
    """What a receiver reads of a message whose signature it has checked by the specification."""
    headers = asked.headers
    told = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + asked.body
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    made = base64.b64encode(hmac.new(key, told, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{made}"
    assert abs(time.time() - int(headers["webhook-timestamp"])) < 300
    assert headers["content-type"] == "application/json"
    message: dict[str, Any] = json.loads(asked.body)
    return message


async def run_told(
    data: Path, receiver: Site, log: list[str], faults: list[Exception | None]
) -> tuple[Report, dict[str, Any]]:
    """The report of a session that was run, and the one message that was sent of it."""
    settings = told_to(data, receiver.url("/hook"))
    async with open_sessions(settings, ports_with(log, faults), REGISTRY) as sessions:
        report = await sessions.run(await sessions.start(QUESTION, FORAGER, "scripted"))
        for _ in range(2):
            await sessions.context.webhooks.send_due()
    [asked] = receiver.asked
    return report, received(asked)


async def test_the_end_of_a_session_is_told_with_its_answer(
    tmp_path: Path, receiver: Site, log: list[str]
) -> None:
    report, message = await run_told(tmp_path, receiver, log, [])
    assert message["type"] == "session.answered"
    assert message["data"]["session"] == report.session
    assert message["data"]["question"] == "Which emperor?"
    assert message["data"]["answer"] == report.answer
    assert [each["quote"] for each in message["data"]["citations"]] == [
        each.quote for each in report.citations
    ]


async def test_a_failure_is_told_with_its_error(
    tmp_path: Path, receiver: Site, log: list[str]
) -> None:
    _, message = await run_told(tmp_path, receiver, log, [None, None, LASTING_FAULT])
    assert message["type"] == "session.failed"
    assert message["data"]["error"] == "The page is gone. Ask another site."


async def test_a_session_that_asks_a_person_is_told_as_waiting(
    tmp_path: Path, receiver: Site, log: list[str]
) -> None:
    settings = told_to(tmp_path, receiver.url("/hook"))
    async with open_sessions(settings, ports_with(log, []), ASKING) as sessions:
        id = await sessions.start(QUESTION, ASKING_GRAPH, "scripted")
        await sessions.run(id, decide=Person(says=False))
        await sessions.context.webhooks.send_due()
    messages = [received(asked) for asked in receiver.asked]
    waiting = [each for each in messages if each["type"] == "session.waiting"]
    assert waiting
    assert waiting[0]["data"]["session"] == id
    assert waiting[0]["data"]["asks"]


async def test_each_address_is_told_and_one_that_fails_is_tried_again(
    tmp_path: Path, receiver: Site
) -> None:
    receiver.routes["/busy"] = Reply("not now", 503)
    settings = told_to(tmp_path, receiver.url("/hook"), receiver.url("/busy"))
    webhooks, queue = Webhooks(settings), WebhookQueue(tmp_path / "webhooks.sqlite")
    webhooks.tell_waiting("one", "Which?", "May I?")
    await webhooks.send_due()
    assert sorted(receiver.paths()) == ["/busy", "/hook"]
    again = queue.claim(time.time() + PAUSES[0], 0.0)
    assert again is not None
    assert (again.tries, again.url) == (1, receiver.url("/busy"))
    receiver.routes["/busy"] = Reply(status=200)
    await webhooks.send_due()
    assert receiver.paths()[-1] == "/busy"
    first, second = [asked for asked in receiver.asked if asked.path == "/busy"]
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert queue.claim(time.time() + 1e6, 0.0) is None


@pytest.mark.parametrize("path", ["/gone", "/busy"])
async def test_a_message_is_given_up_at_last(tmp_path: Path, receiver: Site, path: str) -> None:
    receiver.routes["/busy"] = Reply("never", 500)
    webhooks, queue = (
        Webhooks(told_to(tmp_path, receiver.url(path))),
        WebhookQueue(tmp_path / "webhooks.sqlite"),
    )
    webhooks.tell_waiting("one", "Which?", "May I?")
    tries = 0
    while queue.claim(time.time() + 1e6, 0.0) is not None:
        await webhooks.send_due()
        tries += 1
    assert tries == (1 if path == "/gone" else len(PAUSES) + 1)


def test_a_message_is_given_to_one_process_at_a_time(tmp_path: Path) -> None:
    queue = WebhookQueue(tmp_path / "webhooks.sqlite")
    queue.add("one", ["http://127.0.0.1:9/"], "{}", NOW)
    assert queue.claim(NOW, NOW + 30) is not None
    assert WebhookQueue(tmp_path / "webhooks.sqlite").claim(NOW + 29, NOW + 60) is None
    assert WebhookQueue(tmp_path / "webhooks.sqlite").claim(NOW + 30, NOW + 60) is not None


async def test_what_waits_of_a_deleted_session_is_not_sent(
    tmp_path: Path, receiver: Site, log: list[str]
) -> None:
    settings = told_to(tmp_path, receiver.url("/hook"))
    async with open_sessions(settings, ports_with(log, []), REGISTRY) as sessions:
        id = await sessions.start(QUESTION, FORAGER, "scripted")
        await sessions.run(id)
        await sessions.delete(id)
        await sessions.context.webhooks.send_due()
    assert receiver.asked == []


async def test_without_a_secret_nothing_is_kept_or_sent(tmp_path: Path, receiver: Site) -> None:
    settings = told_to(tmp_path, receiver.url("/hook"), secret="")
    Webhooks(settings).tell_waiting("one", "Which?", "May I?")
    await Webhooks(settings).send_due()
    assert receiver.asked == []
    assert not (tmp_path / "webhooks.sqlite").exists()
    [check] = check_webhooks(settings)
    assert (check.state, check.mend) == (
        "missing",
        "Set FORAGER_WEBHOOK_SECRET, which the receiver checks them with.",
    )


def test_an_address_that_is_none_is_found_by_doctor(tmp_path: Path) -> None:
    [check] = check_webhooks(told_to(tmp_path, "hooks.example/x"))
    assert (check.state, check.found) == ("missing", "hooks.example/x is not an address")
    [check] = check_webhooks(told_to(tmp_path, "https://me:pw@hooks.example/x"))
    assert (check.state, check.found) == ("ok", "hooks.example (not asked)")
    assert list(check_webhooks(told_to(tmp_path))) == []


def test_the_signature_is_that_of_the_specifications_example() -> None:
    body = b'{"test": 2432232314}'
    secret = SecretStr("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    made = sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body, secret)
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
