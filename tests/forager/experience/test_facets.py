"""Moments are compared by what was asked, by what was done, or by both."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.actions import Action, Element
from forager.domain.experience import Facets, Moment, Snippet
from forager.experience.facets import (
    DIMENSIONS,
    HASHED_DIMENSIONS,
    VOTING_CANDIDATES,
    MomentCandidate,
    best_of_clusters,
    moment_vectors,
    query_vector,
    snippet_content,
    uses_similarity,
)
from tests.fakes import FakeEmbedder

WORDLESS = FakeEmbedder()
EMBEDDER = FakeEmbedder(available=True)
WORDS = st.sampled_from("tower lighthouse flight hotel ticket lens shop cart search".split())  # noqa: SIM905
PHRASES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
MOMENTS = st.builds(
    Moment, instruction=PHRASES, before=st.lists(PHRASES, max_size=4).map(tuple), site=st.just("")
)
FACETS = st.sampled_from(("semantic", "trajectory", "both"))

BOOK = Moment(instruction="Book a flight to Oslo", before=("Click the button “Flights”",))
SAME_WISH = Moment(instruction="Book a flight to Oslo", before=("Open the tools shop",))
SAME_WAY = Moment(instruction="Rent a bicycle", before=("Click the button “Flights”",))


def near(
    moment: Moment, asked: Moment, facets: Facets, content: object, id: str
) -> MomentCandidate:
    score = float(moment_vectors([moment], WORDLESS)[0] @ query_vector(asked, facets, WORDLESS))
    return MomentCandidate(id=id, moment=moment, content=str(content), score=score)


def order(asked: Moment, facets: Facets, *moments: Moment) -> list[str]:
    """The moments' places, the best first, each with content of its own."""
    found = [near(each, asked, facets, place, str(place)) for place, each in enumerate(moments)]
    return best_of_clusters(asked, found, facets, len(moments))


@given(st.lists(MOMENTS, min_size=1, max_size=4), st.booleans())
def test_a_vector_is_of_length_one_and_the_same_each_time(
    moments: list[Moment], available: bool
) -> None:
    embedder = FakeEmbedder(available=available)
    found = moment_vectors(moments, embedder)
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-5)
    assert np.array_equal(found, moment_vectors(moments, embedder))


@given(MOMENTS, MOMENTS, FACETS)
def test_a_moment_is_nearest_to_itself(one: Moment, other: Moment, facets: Facets) -> None:
    asked = query_vector(one, facets, WORDLESS)
    own, another = moment_vectors([one, other], WORDLESS) @ asked
    assert own >= another - 1e-5


def test_vectors_without_an_embedder_are_of_words() -> None:
    assert moment_vectors([BOOK], WORDLESS).shape == (1, 2 * DIMENSIONS + HASHED_DIMENSIONS)
    assert moment_vectors([], WORDLESS).shape == (0, 2 * DIMENSIONS + HASHED_DIMENSIONS)
    own = EMBEDDER.embed(["text"]).shape[1]
    assert moment_vectors([BOOK], EMBEDDER).shape == (1, 2 * own + HASHED_DIMENSIONS)


def test_a_question_leaves_a_facet_out() -> None:
    semantic, trajectory = (
        query_vector(BOOK, each, WORDLESS) for each in ("semantic", "trajectory")
    )
    assert not semantic[DIMENSIONS:].any()
    assert not trajectory[:DIMENSIONS].any()
    assert query_vector(BOOK, "both", WORDLESS).all(where=(semantic != 0) | (trajectory != 0))


def test_the_facet_decides_what_comes_first() -> None:
    assert order(BOOK, "semantic", SAME_WAY, SAME_WISH)[0] == "1"
    assert order(BOOK, "trajectory", SAME_WISH, SAME_WAY)[0] == "1"


def test_recent_actions_count_for_more() -> None:
    asked = Moment(instruction="x", before=("Open maps", "Open trains"))
    early, late = (
        Moment(instruction="x", before=(a, b))
        for a, b in (("Open maps", "Open hotels"), ("Open hotels", "Open trains"))
    )
    scores = moment_vectors([early, late], EMBEDDER) @ query_vector(asked, "trajectory", EMBEDDER)
    wordless = moment_vectors([early, late], WORDLESS) @ query_vector(asked, "trajectory", WORDLESS)
    assert wordless[1] > wordless[0]
    assert scores.shape == (2,)


def test_those_of_like_content_stand_up_for_one_another_and_one_of_them_comes_back() -> None:
    alone = near(SAME_WISH, SAME_WISH, "both", "alone", "alone")
    many = [near(SAME_WISH, SAME_WISH, "both", "many", f"many {n}") for n in range(3)]
    assert best_of_clusters(SAME_WISH, [alone, *many], "both", 3) == ["many 0", "alone"]


def test_what_is_of_the_site_comes_first() -> None:
    here, there = (BOOK.model_copy(update={"site": site}) for site in ("a.example", "b.example"))
    found = [near(each, BOOK, "both", each.site, each.site) for each in (there, here)]
    assert best_of_clusters(here, found, "both", 1) == ["a.example"]


def test_nothing_is_found_among_nothing() -> None:
    assert best_of_clusters(BOOK, [], "both", 3) == []


def test_only_three_ways_compare() -> None:
    assert [each for each in get_args(Facets) if uses_similarity(each)] == [
        "semantic",
        "trajectory",
        "both",
    ]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_no_more_come_back_than_were_asked_for(count: int) -> None:
    found = [near(BOOK, BOOK, "both", place, str(place)) for place in range(2 * VOTING_CANDIDATES)]
    assert len(best_of_clusters(BOOK, found, "both", count)) == count


def test_content_is_the_element_on_its_site_or_the_page() -> None:
    click = Action(kind="click", target="e1", element=Element(role="button", name="Go"))
    visit = Action(kind="visit", target="http://a.example/")
    told = [
        snippet_content(Snippet(id="1", session="s", time=0, moment=BOOK, action=each, told="…"))
        for each in (click, visit)
    ]
    assert told == [("", "button", "Go"), ("", "visit", "http://a.example/")]
