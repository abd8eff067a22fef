"""Enumerations of a page; every row and cell is a span of its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.web.read.page_reader import read_page
from forager.text.lists import Enumeration, find_enumerations


def page(html: str) -> str:
    return read_page(f"<html><body>{html}</body></html>".encode(), "text/html", "http://h/").text


def cells(text: str, found: Enumeration) -> list[list[str]]:
    return [[text[start:end] for start, end in row.cells] for row in found.rows]


def only(text: str) -> Enumeration:
    [found] = find_enumerations(text)
    return found


TABLE = "".join(
    f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
    for row in (
        ("Light", "Height", "Note"),
        ("Skarn", "32 m", ""),
        ("", "9 m", "a"),
        ("Ona", "7 m"),
    )
)


def test_a_table_has_its_header_its_cells_and_its_place() -> None:
    text = page(f"<h1>Coast</h1><h2>Lights</h2><p>All of them. In order:</p><table>{TABLE}</table>")
    found = only(text)
    assert (found.kind, found.columns) == ("table", ("Light", "Height", "Note"))
    assert (found.headings, found.caption) == (("Coast", "Lights"), "In order:")
    assert cells(text, found) == [["Skarn", "32 m"], ["", "9 m", "a"], ["Ona", "7 m"]]
    assert [text[row.start : row.end] for row in found.rows] == [
        "Skarn | 32 m", "9 m | a", "Ona | 7 m",
    ]  # fmt: skip


def test_a_table_of_similar_rows_has_no_header() -> None:
    text = "A | Alpha\nB | Bravo\nC | Charlie\nD | Delta"
    assert only(text).columns == ()
    assert len(only(text).rows) == 4


def test_a_table_written_as_markdown() -> None:
    text = "| Light | Seen |\n|---|---|\n| Ona | far |\n| Holm | near |\n| Skarn | far |"
    found = only(text)
    assert found.columns == ("Light", "Seen")
    assert cells(text, found) == [["Ona", "far"], ["Holm", "near"], ["Skarn", "far"]]


def test_links_to_other_pages_end_a_table() -> None:
    text = "Code | Name\n1 | one\n2 | two\n3 | three\nAppendix C\nPrev | Up | Next\nB | Home | D"
    assert cells(text, only(text)) == [["1", "one"], ["2", "two"], ["3", "three"]]


@pytest.mark.parametrize("mark", [":", " —", " -"])
def test_items_are_split_into_name_and_text(mark: str) -> None:
    text = f"Lights\n\n- Ona{mark} in the north\n- Holm{mark} in the south\n- Skarn, unlit"
    found = only(text)
    assert (found.kind, found.caption) == ("items", "Lights")
    assert cells(text, found)[:2] == [["Ona", "in the north"], ["Holm", "in the south"]]
    assert cells(text, found)[2] == ["Skarn, unlit", ""]


def test_levels_of_a_list_are_separate() -> None:
    text = page("<ul><li>A<ul><li>x<li>y<li>z</ul><li>B<li>C</ul>")
    assert [cells(text, found) for found in find_enumerations(text)] == [
        [["A"], ["B"], ["C"]],
        [["x"], ["y"], ["z"]],
    ]


def test_terms_are_read_with_their_meaning() -> None:
    text = page(
        "<h2>Options</h2><dl><dt>-a<dt>--all<dd>Takes all.<p>Even more.</p><dt>-b<dd>Takes some."
        "<dt>-c<dd>Takes none.</dl>"
    )
    found = only(text)
    assert (found.kind, found.headings) == ("terms", ("Options",))
    assert cells(text, found) == [
        ["-a\n--all", "Takes all."],
        ["-b", "Takes some."],
        ["-c", "Takes none."],
    ]


def test_items_with_paragraphs_and_sections_with_text() -> None:
    text = "- One\n\nFirst.\n\n- Two\n\nSecond.\n\n- Three\n\nThird."
    assert cells(text, only(text)) == [["One", "First."], ["Two", "Second."], ["Three", "Third."]]
    text = (
        "# Ports\n\n## Vega\n\nIn the north.\n\n## Senja\n\nIn the south.\n\n## Holm\n\n```\nx\n```"
    )
    found = only(text)
    assert (found.kind, found.headings) == ("sections", ("Ports",))
    assert cells(text, found) == [
        ["Vega", "In the north."],
        ["Senja", "In the south."],
        ["Holm", ""],
    ]


def test_named_paragraphs_form_an_enumeration() -> None:
    text = "All of them.\n\nOna: north.\n\nHolm: south.\n\nSkarn: west.\n\nThat is all."
    found = only(text)
    assert (found.kind, found.caption) == ("paragraphs", "All of them.")
    assert cells(text, found) == [["Ona", "north."], ["Holm", "south."], ["Skarn", "west."]]


def test_code_and_short_lists_are_no_enumerations() -> None:
    assert find_enumerations("```\na | b\nc | d\ne | f\n```\n\n- one\n- two") == []
    assert find_enumerations("") == []


LINES = st.sampled_from(
    [
        "a | b", "| x", "x |", "Name | Value", "1 | 2 | 3", " | ", "- item", "- t: text",
        "  - deep", "# Head", "## Sub", "", "", "term", "Its meaning.", "```", "|---|---|",
        "| p | q |", "－：",
        "Prev | Next", "名称：数值", "\u00a0| \u2003", "x" * 400,
    ]
)  # fmt: skip


@given(st.one_of(st.text(max_size=200), st.lists(LINES, max_size=25).map("\n".join)))
def test_rows_and_cells_are_verbatim_ordered_and_disjoint(text: str) -> None:
    for found in find_enumerations(text):
        assert len(found.rows) >= 3
        for row in found.rows:
            assert 0 <= row.start < row.end <= len(text)
            assert text[row.start : row.end].strip() == text[row.start : row.end]
            filled = [cell for cell in row.cells if cell[0] < cell[1]]
            assert filled
            for start, end in filled:
                assert row.start <= start < end <= row.end
            assert filled == sorted(filled)
