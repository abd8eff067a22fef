"""What the user adds, as a rule counts it."""

from forager.bandit.hints import favour_hinted_arms, hint_bonus, hint_sections
from forager.bandit.posterior import draw_arms
from forager.domain.state import Arm

HINTS = ("look at the tide tables", "the engineers")


def test_a_hint_pulls_towards_its_words() -> None:
    assert hint_bonus(HINTS, {"engin"}) == 1.0
    assert hint_bonus(HINTS, set(), {"engin"}) == 0.5
    assert hint_bonus(HINTS, {"harbour"}) == 0.0
    assert hint_bonus((), {"engin"}) == 0.0
    assert 0 < hint_bonus(HINTS, {"tide"}) < 1


def test_arms_that_a_hint_speaks_for_are_believed_more() -> None:
    arms = (Arm(url="http://a/engineers.html"), Arm(url="http://a/boats.html", title="Boats"))
    leaned = favour_hinted_arms(arms, HINTS, kappa=3.0)
    assert leaned[0].alpha > 10 * leaned[1].alpha
    assert leaned[1] == arms[1]
    assert favour_hinted_arms(arms, ()) == arms


def test_the_arm_that_a_hint_names_is_drawn_before_the_best_ranked_one() -> None:
    best = Arm(url="http://a/boats.html", title="Boats", alpha=21.0, beta=1.0)
    named = Arm(url="http://a/e.html", title="Engineers", alpha=2.5, beta=19.5)
    arms = favour_hinted_arms((best, named), HINTS)
    drawn = [draw_arms("thompson", arms, (), seed=0, round=round).urls for round in range(40)]
    assert drawn.count((named.url,)) > 36


def test_a_model_is_told_in_the_users_words() -> None:
    (section,) = hint_sections(HINTS)
    assert not section.material
    assert [item.text for item in section.items] == [f"- {hint}" for hint in HINTS]
    assert hint_sections(()) == ()
