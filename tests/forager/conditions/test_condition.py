"""Conditions are read, checked and hold as they say; a wrong one says where and how to mend it."""

import operator
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.conditions.condition import fill_references, read_condition, references
from forager.conditions.syntax import MAX_DEPTH, Value, parse_tree, quote_value
from forager.errors import ConditionError

Values = dict[str, Value]
Meaning = Callable[[Values], bool]
SIGNS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
COUNTS = ("open", "covered", "rounds", "quotes")
values = st.fixed_dictionaries(
    {
        **{name: st.integers(0, 5) for name in COUNTS},
        "sufficient": st.booleans(),
        "kind": st.sampled_from(["list", "date", "other"]),
    }
)


def _compared(name: str, sign: str, number: int) -> tuple[str, Meaning]:
    return f"{name} {sign} {number}", lambda values: SIGNS[sign](int(values[name]), number)


def _named(kind: str, quote: str) -> tuple[str, Meaning]:
    return f"kind == {quote}{kind}{quote}", lambda values: values["kind"] == kind


def _joined(word: str, items: list[tuple[str, Meaning]]) -> tuple[str, Meaning]:
    test = all if word == "and" else any
    text = f" {word} ".join(f"({text})" for text, _ in items)
    return text, lambda values: test(means(values) for _, means in items)


def _negated(item: tuple[str, Meaning]) -> tuple[str, Meaning]:
    return f"not ({item[0]})", lambda values: not item[1](values)


leaves = st.one_of(
    st.builds(_compared, st.sampled_from(COUNTS), st.sampled_from(list(SIGNS)), st.integers(0, 5)),
    st.builds(_named, st.sampled_from(["list", "date"]), st.sampled_from("\"'")),
    st.just(("sufficient", lambda values: bool(values["sufficient"]))),
)
conditions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(_joined, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3)),
        st.builds(_negated, inner),
    ),
    max_leaves=8,
)


@given(conditions, values)
def test_a_condition_holds_as_it_says(condition: tuple[str, Meaning], given: Values) -> None:
    text, means = condition
    assert read_condition(text).holds(given) == means(given)


@given(st.text() | st.text(alphabet="open kind<>=!()\"'$and or not 0123.-", max_size=40))
def test_any_text_is_a_condition_or_refused_with_its_place(text: str) -> None:
    fault = None
    try:
        read_condition(text)
    except ConditionError as error:
        fault = error
    assert fault is None or 1 <= fault.place <= len(text) + 1
    assert fault is None or fault.what.endswith(".")


@given(st.text() | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_value_is_written_so_that_it_is_read_as_it_was(value: Value) -> None:
    tree = parse_tree(f"{quote_value(value)} == 1")
    assert tree.left.value == value  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "place", "what", "mend"),
    [
        ("open = 0", 6, "'=' has no meaning here.", "Write == to compare."),
        ("opn == 0", 1, "There is no figure 'opn'.", "Did you mean 'open'?"),
        ("open == 0 AND rounds > 1", 11, "'AND' is not known.", "Write and."),
        ("open == 0 && rounds > 1", 11, "'&' has no meaning here.", "Write `and`."),
        ("kind == date", 9, "There is no figure 'date'.", 'such as kind == "date".'),
        ("kind == 'dat'", 9, "'kind' is never \"dat\".", "Did you mean 'date'?"),
        ("open", 1, "It is a value that is not compared.", "open == 0"),
        ("open > 'a'", 6, "'open' is a number, \"a\" is a text.", "of one type"),
        ("kind < 'date'", 6, "'<' compares numbers, and 'kind' is a text.", "Use == or !=."),
        ("(open == 0", 1, "A bracket is not closed.", "Add the )."),
        ("open == 0)", 10, "A ) has no bracket before it.", "Remove it."),
        ("0 < open < 4", 10, "'<' follows another comparison.", "with `and`"),
        ("open == 3pages", 9, "'3pages' is not a number.", "without a unit"),
        ("open + 1 > 2", 6, "'+' has no meaning here.", "nothing is calculated"),
        ("open ==", 8, "It ends where a figure or a value should be.", "open == 0"),
        ('kind == "date', 9, "'\"' has no meaning here.", "Close the text"),
        ("not open", 1, "'not' joins conditions, and 'open' is a number.", "Compare it"),
    ],
)
def test_a_wrong_condition_says_where_and_how_to_mend_it(
    text: str, place: int, what: str, mend: str
) -> None:
    with pytest.raises(ConditionError) as raised:
        read_condition(text)
    assert (raised.value.place, raised.value.what) == (place, what)
    assert mend in raised.value.mend


def test_brackets_have_a_bound() -> None:
    deep = "(" * (MAX_DEPTH + 1) + "sufficient" + ")" * (MAX_DEPTH + 1)
    with pytest.raises(ConditionError, match=f"more than {MAX_DEPTH}"):
        read_condition(deep)


def test_a_parameter_is_filled_in_as_a_value_but_not_inside_a_text() -> None:
    text = 'open <= $limit and (kind == $kind or kind == "$kind")'
    assert references(text) == {"limit", "kind"}
    filled = fill_references(text, {"limit": 3, "kind": 'a" or true or "'})
    assert filled == 'open <= 3 and (kind == "a\\" or true or \\"" or kind == "$kind")'
    assert fill_references(text, {}) == text
