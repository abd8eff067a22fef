from hypothesis import given
from hypothesis import strategies as st

from graphs.reports.answer_layout import quote_blocks

TEXT = st.text(alphabet="ab A.|-#`\n ", max_size=60)


def test_the_lines_of_a_quote_become_blocks() -> None:
    quote = "## Head\n\ntext\n- item\n  - deep\n```\n# code\n\n  more\n```\na | b\n| c | d"
    assert [(block.kind, block.text) for block in quote_blocks(quote)] == [
        ("heading", "Head"),
        ("text", "text"),
        ("item", "item"),
        ("item", "deep"),
        ("code", "# code"),
        ("code", "  more"),
        ("row", "a | b"),
        ("row", "c | d"),
    ]


def test_a_wrapped_line_continues_its_sentence() -> None:
    assert [block.text for block in quote_blocks("It has\nten rounds.\nThen it ends.")] == [
        "It has ten rounds.",
        "Then it ends.",
    ]


def test_what_answers_is_marked_in_its_cell() -> None:
    quote = "name | 24 hours\nother | 3"
    [row] = quote_blocks(quote, [(7, 15)], (0, 15))
    assert row.cells == ((("name", False),), (("24 hours", True),))


@given(TEXT, st.integers(0, 60), st.integers(0, 60))
def test_marks_change_no_word(quote: str, start: int, end: int) -> None:
    plain = [(block.kind, block.text) for block in quote_blocks(quote)]
    marked = list(quote_blocks(quote, [(start, max(start, end))]))
    assert [(block.kind, block.text) for block in marked] == plain
    said = "".join(piece.text for block in marked for cell in block.cells for piece in cell)
    assert {*said} <= {*quote, " "}


def test_a_quote_that_begins_in_code_ends_it_at_its_first_fence() -> None:
    quote = ">>> getattr(p, 'x')\n11\n```\n\nTo convert it:\n\n```\n>>> d = {}"
    assert [(block.kind, block.text) for block in quote_blocks(quote)] == [
        ("code", ">>> getattr(p, 'x')"),
        ("code", "11"),
        ("text", "To convert it:"),
        ("code", ">>> d = {}"),
    ]
