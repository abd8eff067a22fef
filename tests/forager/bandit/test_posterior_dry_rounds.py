"""Dry rounds end a run, earlier where a word that is asked for is on no page."""

from dataclasses import replace

import pytest

from forager.bandit.posterior import dry_reason
from forager.domain.state import Draw, State, SubQuestion, Survey, Verdict
from nodes.selector import SelectorParams, select
from tests.fake_ports import ports
from tests.nodes.states import SITE, entry, part, passage, state, url

QUESTION = "Who founded Zwiebelturm?"
FAR_OFF = entry(1, passage("The tower is old.", p1=0.1))
OPEN = Verdict(sufficient=False, open=("p1",))


def after(rounds: int, *, unknown: bool = True, whole: bool = True) -> State:
    """A run that had these rounds, all dry; `unknown` if the site never names what is asked for."""
    asked: SubQuestion = part("p1", QUESTION)
    if unknown:
        asked = asked.model_copy(update={"unknown": ("zwiebelturm",)})
    survey = Survey(parts=(asked,), pages={SITE: 3}, whole=(SITE,) if whole else ())
    start = state(asked, urls=[url("a"), url("b")])
    return replace(start, survey=survey, verdict=OPEN, draw=Draw(round=rounds))


@pytest.mark.parametrize(
    ("start", "ends"),
    [
        (after(1), False),
        (after(2), True),
        (after(2, unknown=False), False),
        (after(2, whole=False), False),
        (after(3, unknown=False), True),
        (replace(after(2), verdict=None), True),
        (replace(after(2), verdict=None, evidence=(FAR_OFF,)), False),
    ],
)
async def test_dry_rounds_end_a_run(start: State, ends: bool) -> None:
    draw = (await select(start, ports(), SelectorParams(dry=2)))["draw"]
    assert (draw.urls == ()) is ends
    assert (await select(start, ports(), SelectorParams()))["draw"].urls


def test_rules_go_on_unless_a_word_is_absent() -> None:
    assert not dry_reason(after(9, unknown=False), 2, absent_only=True)
    assert dry_reason(after(2), 2, absent_only=True)


@pytest.mark.parametrize(
    ("question", "term", "word"),
    [
        (QUESTION, "zwiebelturm", "Zwiebelturm"),
        ("What does error code E9 mean?", "9", "E9"),
        ("Who founded it?", "zwiebelturm", "zwiebelturm"),
    ],
)
def test_the_reason_names_the_word_as_it_was_asked(question: str, term: str, word: str) -> None:
    start = after(2)
    [asked] = start.survey.parts
    asked = asked.model_copy(update={"text": question, "unknown": (term,)})
    survey = start.survey.model_copy(update={"parts": (asked,)})
    told = dry_reason(replace(start, survey=survey), 2)
    assert f"no page has {word}, and 2 rounds" in told


@pytest.mark.parametrize(
    ("text", "score", "ends"),
    [
        ("The Zwiebelturm is old.", 0.6, False),
        ("The tower is old.", 0.6, True),
        ("The Zwiebelturm is old.", 0.2, True),
    ],
)
def test_a_round_is_dry_without_an_entry_that_bears_on_what_is_open(
    text: str, score: float, ends: bool
) -> None:
    found = replace(after(2), evidence=(entry(1, passage(text, p1=score), round=2),))
    assert bool(dry_reason(found, 2)) is ends
