"""When is a look-up covered without a model?"""

from collections.abc import Sequence

from forager.domain.state import Evidence, SubQuestion
from forager.offline.critic import CoverageRule
from tests.nodes.states import entry, part, passage

P1 = part("p1", "Who founded it?")
ELSEWHERE = part("p2", "Who founded it?").model_copy(update={"weight": 0.25})
STRONG = entry(1, passage("Brandt founded it.", p1=0.9))


def covering(
    *parts: SubQuestion,
    ledger: Sequence[Evidence] = (STRONG,),
    whole: bool | None = None,
    **left: float,
) -> dict[str, str]:
    rule = CoverageRule(
        parts=parts,
        ledger=ledger,
        before=("p0",),
        elsewhere=left,
        whole=whole,
        least=0.65,
        most_elsewhere=0.1,
    )
    return rule.covering()


def test_a_strong_quote_covers_a_part_if_little_is_left_elsewhere() -> None:
    assert covering(P1) == {"p1": "e1"}
    assert covering(P1, p1=0.1) == {"p1": "e1"}
    assert covering(P1, p1=0.2) == {}
    assert covering(P1, ledger=[entry(1, passage("Brandt founded it.", p1=0.6))]) == {}


def test_a_list_is_covered_when_it_is_whole_whatever_is_left_elsewhere() -> None:
    assert covering(P1, whole=True, p1=0.9) == {"p1": "e1"}
    assert covering(P1, whole=False) == {}


def test_a_site_that_is_not_named_is_covered_along_with_another() -> None:
    assert covering(P1, ELSEWHERE) == {"p1": "e1", "p2": "e1"}
    assert covering(ELSEWHERE) == {}


def test_what_needs_another_look_up_is_covered_once_its_page_answers_that() -> None:
    waiting = P1.model_copy(update={"needs": ("Which tower?",)})
    assert covering(waiting) == {}
    known = entry(2, passage("It is the old tower.", start=40, p0=0.8))
    assert covering(waiting, ledger=[STRONG, known]) == {"p1": "e1"}


def test_who_did_something_is_not_covered_by_a_quote_that_names_nobody() -> None:
    nameless = entry(2, passage("It was founded by fishermen.", p1=1.2))
    assert covering(P1, ledger=[nameless]) == {}
    assert covering(P1, ledger=[nameless, STRONG]) == {"p1": "e1"}
