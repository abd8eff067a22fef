"""The picture of a site: no two pages in one place, and each farther out than the one above it."""

import math

from hypothesis import given
from hypothesis import strategies as st

from ui.server.api.radial_layout import FIRST_RADIUS, lay_out_radially


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    count = draw(st.integers(1, 120))
    return [-1, *(draw(st.integers(0, page - 1)) for page in range(1, count))]


@given(trees())
def test_no_two_pages_stand_in_one_place(parents: list[int]) -> None:
    assert len(set(lay_out_radially(parents))) == len(parents)


@given(trees())
def test_pages_stand_outside_those_above_them(parents: list[int]) -> None:
    away = [math.hypot(*place) for place in lay_out_radially(parents)]
    assert away[0] == 0
    assert all(away[page] > away[parent] + 1 for page, parent in enumerate(parents) if parent >= 0)


def test_a_crowded_ring_becomes_a_band() -> None:
    places = lay_out_radially([-1, *[0] * 1999])
    assert len(set(places)) == 2000
    away = sorted(math.hypot(*place) for place in places[1:])
    assert away[0] >= FIRST_RADIUS - 0.1
    assert away[-1] < 4 * FIRST_RADIUS


def test_nothing_is_drawn_of_nothing() -> None:
    assert lay_out_radially([]) == ()
