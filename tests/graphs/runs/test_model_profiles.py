"""A whole run with a small model, and one whose model falls silent before the answer."""

from dataclasses import replace
from pathlib import Path

from forager.answers.ending import MODEL_SILENT
from tests.endpoint import Asked, Endpoint, Reply
from tests.loopback_model import Surveyed, apart, role, roles
from tests.observatory import TICKETS

ONE_FACT = "Admission costs how many crowns for children?"


def small(asked: Asked) -> Reply:
    """Takes the first quote, and copies it."""
    if role(asked) == "critic":
        return Reply({"why": "the first", "quote": 1})
    return Reply({"quotes": [1], "answer": TICKETS})


def silent(asked: Asked) -> Reply:
    """Has no answer."""
    return Reply("Sorry?") if role(asked) == "answerer" else apart(asked)


async def test_a_small_model_writes_and_is_not_asked_what_the_rules_are_sure_of(
    observatory: Surveyed, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.script = small
    asking = replace(observatory.asking(tmp_path / "d", endpoint), model="openai:m,profile=small")
    report = await asking.ask(text=ONE_FACT)
    assert report.status == "answered"
    assert TICKETS in report.answer
    assert list(roles(endpoint)) == ["answerer"]


async def test_an_answer_by_rule_after_the_model_fell_silent_is_partial(
    observatory: Surveyed, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.script = silent
    report = await observatory.asking(tmp_path / "d", endpoint).ask(text=ONE_FACT)
    assert report.status == "partial"
    assert report.reason.startswith(MODEL_SILENT)
    assert any(TICKETS in each.quote for each in report.citations)
