"""Scorers: gold agrees with itself, and only with what says it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.answers import Citation
from forager.domain.state import Evidence, Passage
from graphs.experiments import scoring

TEXT = "# Skarn\n\nBuilt in 1874. Its lamp burned rape oil; later, paraffin."
GOLD = st.lists(st.text(st.characters(exclude_characters="|[]"), min_size=1).filter(str.strip))


@given(GOLD)
def test_gold_itself_is_a_right_answer(answer: list[str]) -> None:
    assert scoring.missing_gold(" … ".join(answer), answer) == ()
    assert scoring.missing_gold(" \n ".join(answer).lower(), answer) == ()


@given(GOLD, st.text())
def test_more_words_around_it_change_nothing(answer: list[str], around: str) -> None:
    said = " ".join(answer)
    assert scoring.missing_gold(f"{around.replace('[', '')} {said} [e1]", answer) == ()


@given(st.text())
def test_folding_is_done_once(text: str) -> None:
    assert scoring.fold_text(scoring.fold_text(text)) == scoring.fold_text(text)


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("ETHEL  Skarn\nin 45 BC", ()),
        ("Ethel Skarn, 45 B.C.", ("45 bc|45 bce",)),
        ("Ethel, Skarn in 45 bce", ("ethel skarn",)),
        ("", ("ethel skarn", "45 bc|45 bce")),
    ],
)
def test_one_alternative_of_each_gold_string_is_enough(text: str, lacks: tuple[str, ...]) -> None:
    assert scoring.missing_gold(text, ("ethel skarn", "45 bc|45 bce")) == lacks


def test_citation_ids_are_not_answer_text() -> None:
    assert scoring.missing_gold("As it says. [e9][e12]", ["9", "12"]) == ("9", "12")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("It has 9.", True),
        ("It has 9, no more", True),
        ("9", True),
        ("共有9个", True),
        ("In 1997", False),
        ("It is 0.9 high", False),
        ("About 9.5", False),
        ("The a9 road", False),
    ],
)
def test_a_whole_number_is_not_part_of_another(text: str, says: bool) -> None:
    assert (scoring.missing_gold(text, ["9"], whole=True) == ()) is says
    assert scoring.missing_gold(text, ["9"]) == ()


def cited(start: int, end: int, quote: str) -> Citation:
    return Citation(id="e1", url="u", title="", quote=quote, blob="b", start=start, end=end)


def kept(start: int, end: int, text: str) -> Evidence:
    passage = Passage(url="u", title="", blob="b", start=start, end=end, text=text, part="p1")
    return Evidence(id="e1", passage=passage, round=1, step="s1")


def test_a_quote_counts_at_its_offsets_only() -> None:
    reads: list[str] = []

    def read(blob: str) -> str:
        reads.append(blob)
        return TEXT

    start = TEXT.index("Built")
    right, shifted = cited(start, start + 5, "Built"), cited(start + 1, start + 6, "Built")
    changed = kept(start, start + 5, "built")
    found = scoring.check_quotes([right, shifted], [changed, kept(0, 7, "# Skarn")], read)
    assert (found.shown, found.verbatim) == (4, 2)
    assert reads == ["b"]


def test_sentences_are_counted_strictly_and_by_stops() -> None:
    assert scoring.longest_quote([TEXT, "One."]) == 3
    assert scoring.longest_quote_by_stops([TEXT, "One."]) == 2
    assert scoring.longest_quote([]) == scoring.longest_quote_by_stops([]) == 0


@given(st.lists(st.integers(0, 20), unique=True), st.sets(st.integers(0, 20)), st.integers(1, 9))
def test_recall_grows_with_the_list(ranked: list[int], gold: set[int], top: int) -> None:
    names, wanted = [str(each) for each in ranked], {str(each) for each in gold}
    found = scoring.count_recalled(names, wanted, top)
    assert 0 <= found <= min(top, len(wanted))
    assert found <= scoring.count_recalled(names, wanted, top + 1)
