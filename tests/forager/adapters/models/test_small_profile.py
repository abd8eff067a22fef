"""A small model is asked which quote answers, and to write from a few quotes; nothing else."""

import json

import pytest

from forager.adapters.models.prompt import draw_tag, render_prompt
from forager.answers.small_model import MAX_QUOTES, ConfirmQuote, WriteShort, WrittenShort
from forager.domain.state import Evidence
from forager.prompts.token_count import count_tokens
from nodes.answerer import AnswererParams, WriteAnswer
from nodes.critic import CriticParams, Judged, JudgePart
from tests.endpoint import Endpoint
from tests.fakes import FakeEmbedder, FakeRater
from tests.forager.adapters.models.model_client import Asking, script_replies
from tests.forager.adapters.models.sample_tasks import RULE, Pick
from tests.nodes.states import entry, part, passage

SMALL = "openai:m,profile=small"
P1 = part("p1", "How high is the lighthouse of Holm?")
HIGH = entry(1, passage("The lighthouse of Holm is 41 metres high.", p1=0.9))
BUILT = entry(2, passage("The lighthouse of Holm was built in 1874.", 100, p1=0.7))


def judging(*ledger: Evidence) -> JudgePart:
    return JudgePart(
        question=P1.text, parts=(P1,), ledger=ledger, elsewhere={"p1": 0.0}, params=CriticParams()
    )


def writing(*ledger: Evidence) -> WriteAnswer:
    return WriteAnswer(question=P1.text, parts=(P1,), ledger=ledger, params=AnswererParams())


async def test_rules_do_what_is_not_asked_of_a_small_model(
    endpoint: Endpoint, asking: Asking
) -> None:
    assert (await asking.ask(Pick(), SMALL)).reason == RULE
    assert not endpoint.requests


async def test_it_names_the_quote_that_answers(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.script = script_replies({"why": "41 metres", "quote": 1})
    judged = await asking.ask(judging(HIGH, BUILT), SMALL)
    assert (judged.covered, judged.quotes) == (["p1"], ["e1"])
    [asked] = endpoint.requests
    assert "reported" not in asked.text
    assert "41 metres high" in asked.text


@pytest.mark.parametrize(
    ("log_odds", "covered", "asked"), [(6, 1, False), (2, 1, True), (-6, 0, False)]
)
def test_it_is_asked_where_the_rule_covers_and_is_not_sure(
    log_odds: float, covered: int, asked: bool
) -> None:
    task = judging(HIGH, BUILT)
    draft = task.offline(FakeEmbedder(rater=FakeRater(log_odds)))
    assert len(draft.covered) == covered
    assert (task.small_task(draft) is not None) is asked


@pytest.mark.parametrize("number", [0, 7, -1])
async def test_a_quote_that_does_not_exist_leaves_it_open(
    endpoint: Endpoint, asking: Asking, number: int
) -> None:
    endpoint.script = script_replies({"why": "none gives the height", "quote": number})
    judged = await asking.ask(judging(BUILT), SMALL)
    assert judged == Judged(quotes=[], covered=[], reason="none gives the height")


async def test_the_same_quotes_are_not_asked_about_twice(
    endpoint: Endpoint, asking: Asking
) -> None:
    endpoint.script = script_replies({"why": "", "quote": 0})
    for _ in range(2):
        await asking.ask(judging(BUILT), SMALL)
    assert len(endpoint.requests) == 1
    await asking.ask(judging(BUILT, HIGH), SMALL)
    assert len(endpoint.requests) == 2


async def test_what_the_rule_leaves_open_is_not_asked_about(
    endpoint: Endpoint, asking: Asking
) -> None:
    weak = entry(1, passage("Holm is an island.", p1=0.1))
    assert not (await asking.ask(judging(weak), SMALL)).covered
    assert not endpoint.requests


async def test_it_writes_the_answer_and_each_sentence_cites(
    endpoint: Endpoint, asking: Asking
) -> None:
    endpoint.script = script_replies(
        {"quotes": [1], "answer": "The lighthouse of Holm is high. It is 41 metres high."}
    )
    written = await asking.ask(writing(HIGH), SMALL)
    assert written.text == "The lighthouse of Holm is high. [e1] It is 41 metres high. [e1]"


@pytest.mark.parametrize(
    "reply",
    [
        {"quotes": [1], "answer": "It is 77 metres high."},
        {"quotes": [9], "answer": "It is 41 metres high."},
        {"quotes": [], "answer": "It is 41 metres high."},
        {"quotes": [1], "answer": ""},
    ],
)
async def test_an_answer_that_its_quotes_do_not_support_is_not_used(
    endpoint: Endpoint, asking: Asking, reply: dict[str, object]
) -> None:
    endpoint.script = script_replies(json.loads(json.dumps(reply)))
    written = await asking.ask(writing(HIGH), SMALL)
    assert written == await asking.ask(writing(HIGH), "offline")


async def test_where_nothing_is_covered_nothing_is_written(
    endpoint: Endpoint, asking: Asking
) -> None:
    task = writing(BUILT).model_copy(update={"open": (P1.text,)})
    assert await asking.ask(task, SMALL) == await asking.ask(task, "offline")
    assert not endpoint.requests


async def test_an_answer_from_other_quotes_than_the_rule_leads_with_is_not_used(
    endpoint: Endpoint, asking: Asking
) -> None:
    rule = await asking.ask(writing(HIGH, BUILT), "offline")
    assert rule.text.index("[e1]") < rule.text.index("[e2]")
    endpoint.script = script_replies(
        {"quotes": [2], "answer": "The lighthouse of Holm was built in 1874."}
    )
    assert await asking.ask(writing(HIGH, BUILT), SMALL) == rule


async def test_without_a_reply_the_rule_stands(endpoint: Endpoint, asking: Asking) -> None:
    endpoint.script = script_replies("I would rather not.")
    judged = await asking.ask(judging(HIGH), SMALL)
    assert judged.covered == ["p1"]
    assert asking.meter.unanswered == 1
    assert asking.warned[-1].endswith("; the built-in rule answered instead")


def test_prompts_stay_below_1200_tokens() -> None:
    long = " ".join(f"The lighthouse number {n} of Holm is high." for n in range(400))
    ledger = tuple(entry(n, passage(long, n * 9, p1=0.9)) for n in range(1, MAX_QUOTES + 3))
    for task in (
        ConfirmQuote(question=P1.text, quotes=ledger[:MAX_QUOTES]),
        WriteShort(question=P1.text, quotes=ledger[:MAX_QUOTES]),
    ):
        prompt = render_prompt(task, draw_tag())
        assert count_tokens(f"{prompt.system}\n{prompt.user}") < 1200


def test_marks_in_an_answer_are_no_citations() -> None:
    task = WriteShort(question=P1.text, quotes=(HIGH,))
    text = task.cited_text(WrittenShort(quotes=[1], answer="It is 41 metres [e2] high."))
    assert text == "It is 41 metres (e2) high. [e1]"
