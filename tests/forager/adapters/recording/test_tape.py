import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue, SecretStr

from forager.adapters.recording.tape import MASK, PlayedTape, Tape
from forager.errors import StoreError, UsageError

KEYS = st.sampled_from(["a", "b", "a key"])
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
ENTRIES = st.lists(st.tuples(KEYS, VALUES, VALUES), min_size=1, max_size=8)


@given(ENTRIES)
@settings(max_examples=40)
def test_replies_are_played_in_order(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, JsonValue, JsonValue]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "tape.jsonl"
    path.write_bytes(b"")
    tape = Tape(path)
    for key, asked, reply in entries:
        tape.add_entry(key, asked, reply)
    played = PlayedTape(path)
    assert [played.next_reply(key) for key, _, _ in entries] == [reply for _, _, reply in entries]
    assert played.asked == {key: asked for key, asked, _ in entries}


def test_the_last_reply_is_given_ever_again(tmp_path: Path) -> None:
    tape = Tape(tmp_path / "deep" / "tape.jsonl")
    for reply in (1, 2):
        tape.add_entry("key", None, reply)
    played = PlayedTape(tmp_path / "deep" / "tape.jsonl")
    assert [played.next_reply("key") for _ in range(4)] == [1, 2, 2, 2]
    assert played.next_reply("other") is None


def test_secrets_in_values_are_masked(tmp_path: Path) -> None:
    secret = 'sk-"quoted"\\-é'
    tape = Tape(tmp_path / "t", [SecretStr(secret), SecretStr("reply"), SecretStr("none"), None])
    tape.add_entry("key", {"asked": [f"my {secret}."]}, {"reply": "none", "text": secret * 2})
    [entry] = map(json.loads, (tmp_path / "t").read_text(encoding="utf-8").splitlines())
    assert entry == {
        "key": "key",
        "asked": {"asked": [f"my {MASK}."]},
        "reply": {"reply": "none", "text": MASK * 2},
    }


def test_cut_off_recording_can_be_continued(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    Tape(path).add_entry("one", None, 1)
    with path.open("a") as file:
        file.write('{"key": "two", "asked": nu')
    assert PlayedTape(path).next_reply("one") == 1
    assert PlayedTape(path).next_reply("two") is None
    Tape(path).add_entry("three", None, 3)
    played = PlayedTape(path)
    assert [played.next_reply(key) for key in ("one", "two", "three")] == [1, None, 3]


@pytest.mark.parametrize("text", ['{"key": "a"}\n', "[1]\n", '{"a": 1}'])
def test_other_file_is_not_a_recording(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match="line 1 is not an entry"):
        PlayedTape(path)


def test_bytes_are_no_recording(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="There is no recording in"):
        PlayedTape(path)


def test_unwritable_file_raises(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be written: ") as raised:
        Tape(tmp_path / "file" / "tape.jsonl").add_entry("key", None, None)
    assert raised.value.mend
