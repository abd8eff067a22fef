"""A quote found in a comparison is told under the sub-question about the thing that it mentions."""

from forager.domain.state import Evidence, Question, State, Survey
from graphs.reports.report import build_report
from graphs.sessions.service import Session
from tests.nodes.states import SITE, entry, part, passage

ASKED = "Compare Ona and Holm in depth."


def reported_parts(*evidence: Evidence, asked: str = ASKED) -> list[str]:
    question = Question(text=asked, sites=(SITE,))
    parts = (part("p1", "depth of Ona"), part("p2", "depth of Holm"))
    state = State(question=question, survey=Survey(parts=parts), evidence=evidence)
    session = Session(
        id="s", question=question, graph="forager", graph_hash="", graph_body="", model="offline"
    )
    return [item.part_text for item in build_report(session, "answered", state).evidence]


def test_a_quote_about_the_other_thing_is_not_told_to_answer_the_first() -> None:
    ona = entry(1, passage("The depth of Ona is 9 metres.", p1=2.0, p2=2.0))
    holm = entry(2, passage("The depth of Holm is 14 metres.", 100, p1=2.0, p2=2.0))
    neither = entry(3, passage("The depth is told at low tide.", 200, p1=2.0, p2=2.0))
    both = entry(4, passage("Ona has less depth than Holm.", 300, p1=2.0, p2=2.0))
    assert reported_parts(ona, holm, neither, both) == [
        "Depth of Ona",
        "Depth of Holm",
        "Depth of Ona",
        "Depth of Ona",
    ]
    assert reported_parts(holm, asked="Who lit it?") == ["Depth of Ona"]
