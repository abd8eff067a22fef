"""An answer's table on the screen."""

import io

from rich.console import Console

from forager.domain.answers import Cell, Quote, Table
from tests.ui.cli.printing.test_report_text import made
from ui.cli.printing.report_text import print_report, shorten_citation_runs

TABLE = Table(
    columns=("Light", "Height"),
    rows=(
        (Cell(text="Ona\nfyr", cites=("E4",)), Cell(text="24 \x1b[31mm", cites=("E4", "E2"))),
        (Cell(text="Holm", cites=("E2",)), Cell(text="")),
    ),
)


def printed(width: int, *, terminal: bool) -> str:
    quotes = (
        Quote(id="E4", url="http://h/a", title="A", quote="Ona fyr | 24 [31mm"),
        Quote(id="E2", url="http://h/a", title="A", quote="Holm, unlit"),
    )
    out = io.StringIO()
    report = made("2 rows [E4][E2]", citations=quotes, table=TABLE)
    print_report(report, Console(file=out, force_terminal=terminal, width=width, highlight=False))
    return out.getvalue()


def test_a_table_is_plain_lines_where_there_is_no_terminal() -> None:
    lines = printed(20, terminal=False).splitlines()
    at = lines.index("Light\tHeight")
    assert lines[at + 1 : at + 3] == ["Ona fyr\t24 [31mm\t[1][2]", "Holm\t\t[2]"]


def test_a_terminal_shows_it_drawn_and_not_its_quotes_again() -> None:
    text = printed(80, terminal=True)
    assert "│" in text
    assert "24 [31mm" in text
    assert "“Ona" not in text
    assert "“Holm, unlit”" in text


def test_many_citations_in_a_row_are_told_short() -> None:
    assert shorten_citation_runs("Four [1] [2][3] [4], and [7][8].") == "Four [1]–[4], and [7][8]."
    assert shorten_citation_runs("[1][2][4][5]") == "[1][2][4][5]"
