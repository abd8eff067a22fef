"""What earlier steps speak for: the same element or page, for a question with like words."""

import pytest

from forager.domain.actions import Action, Element
from forager.domain.experience import Moment, Snippet
from forager.experience.examples import (
    EXAMPLE_WEIGHT,
    PAGE_LINES,
    clicked_elements,
    example_bonus,
    example_sections,
)

ASKED = "Who built the lamp works?"
LAMPS = Element(role="link", name="Lamp works")


def example(action: Action, question: str = ASKED, **more: object) -> Snippet:
    base = Snippet(
        id="1",
        session="s",
        time=0.0,
        moment=Moment(instruction=question, before=("Open “Home”",)),
        action=action,
        told="Click the link “Lamp works”",
    )
    return base.model_copy(update=more)


CLICK = Action(kind="click", target="e9", element=LAMPS)


def test_the_same_element_is_spoken_for_as_far_as_the_questions_are_alike() -> None:
    here = Action(kind="click", target="e1", element=LAMPS)
    assert example_bonus([example(CLICK)], ASKED, here) == EXAMPLE_WEIGHT
    like = example_bonus([example(CLICK)], "Who owns the lamp works?", here)
    assert 0 < like < EXAMPLE_WEIGHT
    assert example_bonus([example(CLICK)], "When do trains run?", here) == 0
    other = here.model_copy(update={"element": Element(role="button", name="Lamp works")})
    assert example_bonus([example(CLICK)], ASKED, other) == 0


def test_a_link_is_spoken_for_by_the_page_it_led_to() -> None:
    visit = example(Action(kind="visit", target="http://host/lamps#top"))
    link = Action(kind="visit", target="http://host/lamps")
    assert example_bonus([visit], ASKED, link, "http://host/lamps") == EXAMPLE_WEIGHT
    assert example_bonus([visit], ASKED, link, "http://host/ropes") == 0
    named = example(Action(kind="visit", target="http://host/x", element=LAMPS))
    assert (
        example_bonus([named], ASKED, link.model_copy(update={"element": LAMPS})) == EXAMPLE_WEIGHT
    )


def test_the_best_one_speaks_loudest_and_a_failure_for_nothing() -> None:
    other = example(Action(kind="click", target="e", element=Element(role="link", name="Ropes")))
    assert example_bonus([other, example(CLICK)], ASKED, CLICK) == EXAMPLE_WEIGHT / 2
    assert example_bonus([example(CLICK, outcome="failed")], ASKED, CLICK) == 0
    assert example_bonus([example(CLICK, outcome="vain")], ASKED, CLICK) == -EXAMPLE_WEIGHT
    assert example_bonus([], ASKED, CLICK) == 0


def test_what_was_typed_is_not_typed_again() -> None:
    typed = example(Action(kind="type", value="old", element=LAMPS))
    assert clicked_elements([typed, example(CLICK), example(CLICK)]) == (LAMPS,)
    assert clicked_elements([example(CLICK, outcome="vain")]) == ()


@pytest.mark.parametrize("at", [0, 20, 39])
def test_the_best_is_shown_with_the_page_around_its_element(at: int) -> None:
    lines = [f"- link “Other {number}”" for number in range(40)]
    lines[at] = "- link “Lamp works”"
    best = example(CLICK, page="\n".join(lines), rationale="It names them.", outcome="failed")
    [section] = example_sections([best, example(CLICK, told="Later")])
    assert section.material
    first, second = section.items
    assert first.relevance > second.relevance
    said = first.text.splitlines()
    assert said[0] == "- Click the link “Lamp works” (failed)"
    assert said[3] == "  why: It names them."
    assert len(said) == 4 + PAGE_LINES
    assert "  > - link “Lamp works”" in said


def test_without_examples_nothing_is_shown() -> None:
    assert example_sections([]) == ()
