"""Which sub-questions of an answer have a lead that may not answer them."""

from forager.answers.likelihood import doubtful_parts, is_uncertain
from forager.domain.answers import Doubt
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
