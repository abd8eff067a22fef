"""How is a question split without a model?"""

from forager.questions.dependencies import WaitingSubQuestion
from forager.questions.split import plan_look_ups
from tests.nodes.states import entry, passage

WAITED = "on which day was that release published?"
NEEDED = "Which release does the viewer need"


def waiting(text: str) -> WaitingSubQuestion:
    return WaitingSubQuestion(
        ask=WAITED, needed=NEEDED, quotes=(entry(1, passage(text)),), scores=(0.9,)
    )


def test_each_clause_that_asks_is_a_look_up_and_points_to_the_one_it_needs() -> None:
    look_ups, context = plan_look_ups(f"The tower burned. {NEEDED}, and {WAITED}", "", None)
    assert [each.ask for each in look_ups] == [NEEDED, WAITED]
    assert [each.needs for each in look_ups] == [0, 1]
    assert context == "The tower burned."


def test_the_context_of_a_follow_up_is_kept_and_not_looked_up() -> None:
    [look_up], context = plan_look_ups("And the mill (bakery Linden)?", "bakery Linden", None)
    assert "Linden" not in look_up.ask
    assert context == "bakery Linden"


def test_what_waited_is_rewritten_with_a_clear_result_only() -> None:
    [look_up], _ = plan_look_ups(NEEDED, "", waiting("The viewer needs release 2.4.1."))
    assert look_up.ask == "on which day was that release published (2.4.1)?"
    assert plan_look_ups(NEEDED, "", waiting("The viewer needs a new release.")) == ([], "")
