import pytest

from forager.questions.subquestions import label_subquestion

BORN = "In which town was Edwin Mercer born, and who lit the lamp?"


@pytest.mark.parametrize(
    ("text", "question", "label"),
    [
        ("In which town was Edwin Mercer born", BORN, "In which town was Edwin Mercer born?"),
        ("who lit the lamp?", BORN, "Who lit the lamp?"),
        ("the height ;", "Compare the height ; the age.", "The height"),
        ("when did Dr. No die", "when did Dr. No die, in St. Ives?", "When did Dr. No die?"),
        ("List the towns", "List the towns. Which is oldest?", "List the towns"),
        ("谁点亮了灯", "谁点亮了灯，何时？", "谁点亮了灯？"),
        ("the oldest lamp", "Who lit it?", "The oldest lamp"),
        ("", "Who?", ""),
    ],
)
def test_a_subquestion_begins_with_a_capital_and_ends_as_in_the_question(
    text: str, question: str, label: str
) -> None:
    assert label_subquestion(text, question) == label
