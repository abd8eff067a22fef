"""Whether a page says something new."""

from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.crawl.crawl_frontier import SeenLines, line_keys

LINES = st.lists(st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), min_size=1), min_size=1)


def _join_lines(lines: list[list[str]]) -> str:
    return "\n".join(" ".join(words) for words in lines)


@given(LINES, st.integers(0, 99))
def test_what_differs_in_numbers_and_order_is_not_new(lines: list[list[str]], number: int) -> None:
    seen = SeenLines()
    assert seen.add(line_keys(_join_lines([[*words, "7"] for words in lines])))
    turned = [[str(number), *reversed(words)] for words in reversed(lines)]
    assert not seen.add(line_keys(_join_lines(turned)))


@given(LINES)
def test_another_word_is_new(lines: list[list[str]]) -> None:
    seen = SeenLines()
    seen.add(line_keys(_join_lines(lines)))
    assert seen.add(line_keys(_join_lines([*lines, [*lines[0], "unheardof"]])))


def test_a_page_without_text_says_nothing() -> None:
    assert not SeenLines().add(line_keys(" \n"))


def test_lines_of_the_same_words_are_equal_in_any_alphabet_and_case() -> None:
    assert line_keys("Foo, bar_1 2") == line_keys("— BAR_9 · foo: ３") == line_keys("0 foo")
    assert line_keys("Straße\nÉtat") == line_keys("état\n\nSTRASSE!")
    assert line_keys("foo\u2028bar\x85baz") == line_keys("baz bar foo")
    assert len(line_keys("²\n½\n_\nfoo\ud800")) == 4
