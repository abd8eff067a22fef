"""Which sub-questions of an answer have a lead that may not answer them."""

from forager.answers.likelihood import doubt_of, doubtful_parts, is_uncertain
from forager.domain.answers import Doubt
from graphs.reports.answer_layout import format_share
from graphs.reports.report import Report
from tests.nodes.states import whole_lead

LEAD = whole_lead("Who?", "Ada", "e1")
REPORT = Report(
    session="one", graph="forager", graph_hash="", model="offline", status="answered", answer="Ada"
)


def test_a_lead_that_is_not_likely_enough_is_doubtful() -> None:
    leads = [
        LEAD.model_copy(update={"part": f"{likely}", "confidence": likely})
        for likely in (0.9, 0.6, 0.59, 0.2, None)
    ]
    report = REPORT.model_copy(update={"leads": tuple(leads)})
    assert doubtful_parts(report.leads) == {"0.59", "0.2"}
    assert not doubtful_parts(REPORT.leads)


def test_an_answer_with_a_weak_part_is_uncertain_and_only_where_it_counts_as_answered() -> None:
    def uncertain(**change: object) -> bool:
        return is_uncertain(REPORT.model_copy(update=change))

    sure, weak = (LEAD.model_copy(update={"confidence": likely}) for likely in (0.9, 0.2))
    assert not uncertain(leads=(sure,))
    assert uncertain(leads=(sure, weak))
    assert uncertain(open=("When?",))
    assert uncertain(doubts=(Doubt(sentence="Ada.", why="No quote."),))
    assert not uncertain(status="partial", leads=(weak,))


def test_an_answer_that_is_more_likely_wrong_than_right_is_unlikely() -> None:
    """With a likely part beside it, the answer is uncertain."""

    def doubt(*likely: float, **change: object) -> str:
        leads = tuple(
            LEAD.model_copy(update={"part": str(each), "confidence": each}) for each in likely
        )
        return doubt_of(REPORT.model_copy(update={"leads": leads, **change}))

    assert (doubt(0.49), doubt(0.16, 0.3)) == ("unlikely", "unlikely")
    assert (doubt(0.5), doubt(0.9, 0.55)) == ("uncertain", "uncertain")
    assert doubt(0.9, 0.3) == "uncertain"
    assert not doubt(0.9)
    assert not doubt(0.3, status="partial")
    assert not doubt(0.9, 0.3, status="partial")
    assert not doubt(0.3, status="abstained")


def test_half_a_per_cent_is_rounded_up_everywhere() -> None:
    shares = [format_share(share) for share in (0.0, 0.125, 0.725, 0.735, 0.744, 1.0)]
    assert shares == ["0 %", "13 %", "73 %", "74 %", "74 %", "100 %"]
