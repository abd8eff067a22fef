"""Units follow numbers; currencies may precede them."""

from fractions import Fraction

import pytest

from forager.text.units import UNITS, unit_ahead, unit_behind


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("16 MB", "MB"),
        ("16MB", "MB"),
        ("16-bit", "bit"),
        ("16 Kilometer", "km"),
        ("16 m.", "m"),
        ("16°", "°"),
        ("16 °C", "°C"),
        ("16 per cent", "%"),
        ("16公里", "km"),
        ("16 Seconds", "s"),
    ],
)
def test_the_unit_of_a_number(text: str, symbol: str) -> None:
    found = unit_behind(text, 2)
    assert found is not None
    assert found[0].symbol == symbol


@pytest.mark.parametrize(
    "text", ["16 in Rome", "16 MBs", "16 m/day", "16 men", "16", "16  m", "16 mS"]
)
def test_other_words_are_no_units(text: str) -> None:
    assert unit_behind(text, 2) is None


def test_a_currency_before_its_number() -> None:
    found = unit_ahead("for US$ 45", 8)
    assert found is not None
    assert (found[0].symbol, found[1]) == ("$", 4)
    assert unit_ahead("for 45", 4) is None


def test_units_of_a_quantity_convert() -> None:
    assert UNITS["GiB"].factor / UNITS["MiB"].factor == 1024
    assert UNITS["h"].factor / UNITS["ms"].factor == 3_600_000
    assert UNITS["mile"].factor / UNITS["feet"].factor == 5280
    assert UNITS["yards"].factor / UNITS["feet"].factor == 3
    assert UNITS["inch"].factor / UNITS["cm"].factor == Fraction("2.54")
    assert all(unit.factor > 0 for unit in UNITS.values())
