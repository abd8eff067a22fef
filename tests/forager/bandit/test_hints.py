"""What the user adds, as a rule counts it."""

from forager.bandit.hints import hinted, leaning, pull
from forager.domain.state import Arm

HINTS = ("look at the tide tables", "the engineers")


def test_a_hint_pulls_towards_its_words() -> None:
    assert pull(HINTS, {"engin"}) == 1.0
    assert pull(HINTS, set(), {"engin"}) == 0.5
    assert pull(HINTS, {"harbour"}) == 0.0
    assert pull((), {"engin"}) == 0.0
    assert 0 < pull(HINTS, {"tide"}) < 1


def test_arms_that_a_hint_speaks_for_are_believed_more() -> None:
    arms = (Arm(url="http://a/engineers.html"), Arm(url="http://a/boats.html", title="Boats"))
    leaned = leaning(arms, HINTS, kappa=3.0)
    assert [arm.alpha for arm in leaned] == [4.0, 1.0]
    assert leaning(arms, ()) == arms


def test_a_model_is_told_in_the_users_words() -> None:
    (section,) = hinted(HINTS)
    assert not section.material
    assert [item.text for item in section.items] == [f"- {hint}" for hint in HINTS]
    assert hinted(()) == ()
