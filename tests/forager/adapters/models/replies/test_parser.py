import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from forager.adapters.models.replies.parser import (
    TURNED,
    MisfitError,
    holds_object,
    parse_reply,
    remove_thinking,
)
from forager.ports import RoleReply


class Quote(BaseModel):
    """A part of a reply."""

    part: str
    quote: str
    confidence: float = 1.0


class Found(RoleReply):
    """A reply with a list, a number and a text."""

    quotes: list[Quote]
    choice: int = 0
    reason: str = ""


SHOWN = st.characters(codec="utf-8").filter(lambda mark: not TURNED.match(mark))
TEXT = st.text(SHOWN, max_size=40)
REPLIES = st.builds(
    Found,
    quotes=st.lists(
        st.builds(Quote, part=TEXT, quote=TEXT, confidence=st.floats(0, 1)), max_size=4
    ),
    choice=st.integers(-2, 50),
    reason=TEXT,
)
PROSE = st.text(st.characters(codec="utf-8", exclude_characters="{}<>`"), max_size=60)
ONE = Found(quotes=[Quote(part="p1", quote="It is 7.")], choice=3)
JSON = ONE.model_dump_json()


def read(text: str) -> BaseModel:
    """Parse a text as Found."""
    return parse_reply(text, Found).reply


@given(REPLIES, st.booleans())
def test_json_is_read_as_it_is(reply: Found, ascii: bool) -> None:
    text = json.dumps(reply.model_dump(), ensure_ascii=ascii)
    assert parse_reply(text, Found) == (reply, True)


@given(REPLIES, PROSE, PROSE)
def test_json_amid_prose(reply: Found, before: str, behind: str) -> None:
    assert parse_reply(f"{before}\n{reply.model_dump_json()}\n{behind}", Found) == (reply, True)


@given(REPLIES, PROSE, st.sampled_from(["```json", "```", "```JSON"]))
def test_json_in_a_code_fence(reply: Found, before: str, fence: str) -> None:
    text = f"{before}\n{fence}\n{reply.model_dump_json(indent=2)}\n```\nI hope this helps!"
    assert read(text) == reply


@given(REPLIES, PROSE, st.sampled_from(["think", "thinking", "THINK"]))
def test_json_behind_thinking(reply: Found, thought: str, tag: str) -> None:
    draft = '{"quotes": [], "choice": 49, "reason": "no, wait"}'
    text = f"<{tag}>{thought} {draft}</{tag}>\n{reply.model_dump_json()}"
    assert read(text) == reply


@given(REPLIES, st.sampled_from(["reply", "arguments", "output", "properties"]))
def test_json_in_a_wrapper(reply: Found, key: str) -> None:
    said = reply.model_dump()
    assert read(json.dumps({key: said})) == reply
    assert read(json.dumps({"name": "reply", key: said})) == reply
    assert read(json.dumps({"name": "reply", key: json.dumps(said)})) == reply
    assert read(json.dumps([said])) == reply


@given(REPLIES, st.data())
def test_json_that_is_cut_off_is_never_taken_for_whole(reply: Found, data: st.DataObject) -> None:
    text = reply.model_dump_json()
    end = data.draw(st.integers(0, len(text) - 1))
    try:
        parsed = parse_reply(text[:end], Found)
    except MisfitError:
        return
    assert not parsed.whole
    assert isinstance(parsed.reply, Found)
    assert len(parsed.reply.quotes) <= len(reply.quotes)


@given(st.text(max_size=80))
def test_any_text_is_a_reply_or_a_misfit(text: str) -> None:
    with suppress(MisfitError):
        assert isinstance(read(text), Found)


@pytest.mark.parametrize(
    "text",
    [
        JSON.replace("]", ",]"),
        JSON[:-1] + ",}",
        JSON.replace('"', "'"),
        JSON.replace('"quotes"', "quotes").replace('"choice"', "choice"),
        JSON.replace("3", '"3"'),
        JSON.replace("3", "3.0"),
        JSON.replace('"reason":""', '"reason":null'),
        f"Sure! {{as you asked}}, here it is: {JSON}",
        f"All right, I have thought about it.</think>{JSON}",
        f"<think>{JSON}",
        f"{JSON}\n{JSON}",
        f'{{"quotes": []}}\nOr rather: {JSON}',
        f"\ufeff{JSON}",
        f"{JSON[:-1]},\n  // the number of the link\n}}",
    ],
)
def test_replies_of_small_models_are_parsed(text: str) -> None:
    assert read(text) == ONE


def test_thinking_within_a_reply_is_part_of_it() -> None:
    one = ONE.model_copy(update={"reason": "the page says <think> aloud"})
    assert read(one.model_dump_json()) == one
    assert remove_thinking("<think>a</think> b <think>c</think>") == "b <think>c</think>"
    assert remove_thinking("<think>only this") == "<think>only this"


def test_the_complete_part_of_a_truncated_reply_is_kept() -> None:
    two = Found(quotes=[Quote(part=f"p{n}", quote=f"It is {n}.") for n in range(3)])
    text = two.model_dump_json()
    parsed = parse_reply(text[: text.index('"p2"') + 3], Found)
    assert parsed.reply == Found(quotes=two.quotes[:2])


@pytest.mark.parametrize("text", ["", "nothing", "[1, 2]", "3", "null", "{", '"{"'])
def test_no_object_is_a_misfit(text: str) -> None:
    with pytest.raises(MisfitError, match=r"no JSON object|quotes: Field required"):
        read(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", "quotes: Field required"),
        ('{"quotes": "none"}', "quotes: Input should be a valid list"),
        ('{"quotes": [{"part": "p1"}]}', "quotes.0.quote: Field required"),
        ('{"quotes": [], "choice": "first"}', "choice: Input should be a valid integer"),
        ('{"quotes": null}', "quotes: Field required"),
        ('{"other": {"a": 1}, "quotes": 1}', "quotes: Input should be a valid list"),
        ('{"quotes": [], "choice": ' + "1" * 5000 + "}", "choice: "),
    ],
)
def test_the_model_is_told_what_is_wrong(text: str, told: str) -> None:
    with pytest.raises(MisfitError) as raised:
        read(text)
    assert told in str(raised.value)


def test_only_the_first_faults_are_told() -> None:
    with pytest.raises(MisfitError) as raised:
        read(json.dumps({"quotes": [{}] * 50}))
    assert str(raised.value).count("Field required") == 5


def test_unpaired_surrogates_are_replaced() -> None:
    reply = read('{"quotes": [{"part": "p1", "quote": "\\ud83d it"}], "reason": "\ud83d"}')
    assert reply == Found(quotes=[Quote(part="p1", quote="? it")], reason="?")


@pytest.mark.parametrize("text", ["{" * 500, "[" * 1500 + "{" * 1500, '{"a":' * 1500])
def test_deep_nesting_does_no_harm(text: str) -> None:
    with pytest.raises(MisfitError):
        read(text)


def test_complete_objects_are_recognized() -> None:
    assert holds_object('Here: {"a": 1}.')
    assert not holds_object('Here: {"a": 1')
    assert not holds_object("Here.")


@pytest.mark.parametrize("sign", ["\u202e", "\\u202E", "\u2068", "\\u2069"])
def test_a_reply_cannot_turn_text_around(sign: str) -> None:
    class Said(BaseModel):
        text: str

    reply = parse_reply(f'{{"text": "a{sign}b"}}', Said).reply
    assert reply == Said(text="ab")
