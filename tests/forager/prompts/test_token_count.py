import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.prompts.token_count import count_tokens, estimate_tokens, fitting_length

TEXTS = st.text(max_size=200)


def test_nothing_takes_no_token() -> None:
    assert count_tokens("") == 0


@given(TEXTS.filter(bool))
def test_anything_takes_at_least_one(text: str) -> None:
    assert count_tokens(text) >= 1


@given(TEXTS, TEXTS)
def test_more_text_takes_no_fewer_tokens(one: str, other: str) -> None:
    assert count_tokens(one + other) >= count_tokens(one) - 2


@given(TEXTS, TEXTS)
def test_the_estimate_of_lines_is_the_sum_of_each(one: str, other: str) -> None:
    joined = estimate_tokens(f"{one}\n{other}")
    assert joined <= estimate_tokens(one) + estimate_tokens(other) + estimate_tokens("\n") + 1e-9


@pytest.mark.parametrize(
    ("text", "least", "most"),  # a token for each word or mark, and for each ideograph or two
    [
        ("The quick brown fox jumps over the lazy dog.", 9, 12),
        ("def weigh(text: str) -> float:\n    return sum(map(weight, text))\n", 14, 26),
        ("巴黎奥运会于二〇二四年七月二十六日开幕。", 10, 20),
        ("Geschwindigkeitsbegrenzung", 3, 8),
        ("1998", 1, 3),
    ],
)
def test_the_estimate_is_plausible(text: str, least: int, most: int) -> None:
    assert least <= count_tokens(text) <= most


def test_scripts_are_distinguished_within_a_word() -> None:
    assert count_tokens("Pythonの変数は文字列を保持する") >= count_tokens(
        "の変数は文字列を保持する"
    )
    assert count_tokens("Pythonの変数は文字列を保持する") >= 9


@given(TEXTS, st.floats(0, 60))
def test_the_fitting_part_takes_no_more_tokens(text: str, tokens: float) -> None:
    assert estimate_tokens(text[: fitting_length(text, tokens)]) <= tokens + 1e-9


@given(st.sampled_from(["x", "漢", "7", "я", "!"]), st.integers(400, 2000))
def test_an_endless_piece_is_cut(character: str, length: int) -> None:
    assert 0 < fitting_length(character * length, 20) < length


def test_a_short_text_fits_completely() -> None:
    assert fitting_length("a b c", 100) == 5
