"""Texts keep the meaning they had for PyYAML; anything but plain data is rejected."""

import pytest

from forager.errors import GraphError, UsageError
from forager.util.yaml_reader import read_yaml


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("yes", True),
        ("Off", False),
        ("on", True),
        ("y", "y"),
        ("N", "N"),
        ("010", 8),
        ("0o10", "0o10"),
        ("08", "08"),
        ("0x1F", 31),
        ("0b11", 3),
        ("1_000", 1000),
        ("+12", 12),
        ("1:30", 90),
        ("1.5", 1.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("-.5", "-.5"),
        ("1e5", "1e5"),
        ("1.0e5", "1.0e5"),
        ("1.0e+5", 100000.0),
        ("._", "._"),
        (".inf", float("inf")),
        ("~", None),
        ("Null", None),
        ("", None),
        ("'on'", "on"),
        ("!!str 5", "5"),
        ("a?b", "a?b"),
        ("a#b", "a#b"),
        ("[a, b: 1]", ["a", {"b": 1}]),
        ("{a: , b}", {"a": None, "b": None}),
        ('{"a":1}', {"a": 1}),
        (">-\n  a\n  b\n\n  c", "a b\nc"),
        ("|+\n  a\n\n", "a\n\n"),
        ('"\\x41\\a"', "A\a"),
    ],
)
@pytest.mark.parametrize("head", ["", "%YAML 1.2\n---\n"])
def test_values_have_their_yaml_1_1_meaning(written: str, meant: object, head: str) -> None:
    data, _ = read_yaml(f"{head}key: {written}", "it")
    assert repr(data) == repr({"key": meant})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: *x", "it, line 2: aliases (*name) are not allowed."),
        ("a: &x [*x]", "it, line 1: aliases"),
        ("b:\n  c: !!python/object:os.system x", "it, line 2: the tag tag:yaml.org,2002:python/"),
        ("a: !own x", "it, line 1: the tag !own is not allowed."),
        ("a: !!set {b}", "it, line 1: the tag"),
        ("a: 1\nb: {a: 1,\n  a: 2}", "it, line 3: 'a' is defined twice."),
        ("a: 1\non: 1", "it, line 2: 'on' is not a name."),
        ("1: 1", "it, line 1: '1' is not a name."),
        ("<<: {a: 1}", "it, line 1: '<<' is not a name."),
        ("? [a]\n: b", "it, line 1: "),
        ("a: 1\nb: 2026-01-31", "it, line 2: 2026-01-31 is a date."),
        ("a: 2026-99-99", "it, line 1: 2026-99-99 is a date."),
        ("a: {b:}", "it, line 1: 'b:' ends with a colon."),
        ("a: =", "it, line 1: "),
        ("a: 1\nb: [", "it, line 2: "),
        ("a: 1\n---\nb: 2", "it, line 2: "),
        ("a: \x00", "it: "),
        ("\n" + "[" * 200, "it, line 2: nested too deeply."),
        ("a: " + "9" * 5000, "it: "),
    ],
)
def test_anything_but_plain_data_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(GraphError) as caught:
        read_yaml(text, "it")
    assert caught.value.what.startswith(said)
    assert caught.value.mend
    with pytest.raises(UsageError) as other:
        read_yaml(text, "it", UsageError)
    assert not isinstance(other.value, GraphError)


def test_an_unused_anchor_is_allowed() -> None:
    assert read_yaml("a: &x 1\nb: &x [2]\n", "it")[0] == {"a": 1, "b": [2]}


def test_each_value_has_its_line() -> None:
    _, lines = read_yaml("a: 1\nb:\n  - c\n  - d:\n      e\n", "it")
    assert lines == {(): 1, ("a",): 1, ("b",): 2, ("b", 0): 3, ("b", 1): 4, ("b", 1, "d"): 4}
    assert read_yaml("", "it") == (None, {})
    assert read_yaml('{\n\t"a": [\n\t\t1]}', "it")[1] == {(): 1, ("a",): 2, ("a", 0): 3}
