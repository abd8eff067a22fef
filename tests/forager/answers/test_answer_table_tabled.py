"""A table holds what the quotes say that its cells cite, and nothing else."""

import pytest

from forager.answers.answer_table import WrittenCell, WrittenTable, check_table, table_faults
from tests.nodes.states import entry, passage

LEDGER = (
    entry(1, passage("Ona | 24 m | lit in 1838", 0)),
    entry(2, passage("Holm | 31 m", 100)),
)


def said(*cells: tuple[str, str]) -> WrittenTable:
    row = [WrittenCell(text=text, cites=ids.split()) for text, ids in cells]
    return WrittenTable(columns=["Light", "Height"], rows=[row])


def test_cells_that_the_quotes_say_stay() -> None:
    found = check_table(said(("Ona", "e1"), ("24 m", "e1 e2")), LEDGER, "q")
    assert found.doubts == ()
    assert found.table
    assert [(cell.text, cell.cites) for cell in found.table.rows[0]] == [
        ("Ona", ("e1",)),
        ("24 m", ("e1", "e2")),
    ]
    assert found.cited == ("e1", "e2")


@pytest.mark.parametrize(
    ("text", "ids", "why"),
    [
        ("25 m", "e1", "25"),
        ("24 m", "e2", "24"),
        ("24 m", "", "cites no quote"),
        ("24 m", "e9", "cites no quote"),
        ("built by Ottilie Brandt", "e1", "Ottilie Brandt"),
        ("unlit", "e1", "unlit"),
    ],
)
def test_a_cell_that_they_do_not_say_is_emptied_and_told(text: str, ids: str, why: str) -> None:
    found = check_table(said(("Ona", "e1"), (text, ids)), LEDGER, "q")
    assert found.table
    assert [cell.text for cell in found.table.rows[0]] == ["Ona", ""]
    [doubt] = found.doubts
    assert doubt.sentence == text
    assert why in doubt.why


def test_rows_get_as_many_cells_as_there_are_columns() -> None:
    found = check_table(said(("Ona", "e1")), LEDGER, "q")
    assert found.table
    assert [cell.text for cell in found.table.rows[0]] == ["Ona", ""]
    longer = check_table(said(("Ona", "e1"), ("24 m", "e1"), ("Holm", "e2")), LEDGER, "q")
    assert longer.table
    assert len(longer.table.rows[0]) == 2
    assert check_table(said(("Skarn", "e9")), LEDGER, "q").table is None
    assert check_table(WrittenTable(), LEDGER, "q") == (None, ())


def test_gross_faults_are_told() -> None:
    assert table_faults(said(("Ona", "e1"), ("24 m", "e1")), LEDGER, "q") == []
    assert table_faults(said(("Ona", "e1")), LEDGER, "q") == [
        "Row 1 of the table has 1 cells, but there are 2 columns."
    ]
    [first, second] = table_faults(said(("Skarn", "e1"), ("99 m", "e2")), LEDGER, "q")
    assert "Skarn" in first
    assert "99" in second
