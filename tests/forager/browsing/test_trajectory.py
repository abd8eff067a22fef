"""What is learned of a run: the ways that led to cited pages, and nothing else."""

from dataclasses import replace

import pytest

from forager.browsing.trajectory import learn_recipes
from forager.domain.actions import Action, Element, Kind
from forager.domain.answers import Answer, Citation, Status
from forager.domain.browser import View
from forager.domain.experience import Recipe
from forager.domain.state import Evidence, Page, Passage, Question, State, Step

SITE = "http://site/"
BOX = Element(role="searchbox", name="Search")
BUTTON = Element(role="button", name="Go")


def step(
    id: str, action: Action, url: str, *, at: str = "", blob: str = "", harm: str = ""
) -> Step:
    """A step of a walk in a browser, to an address below the site."""
    return Step(
        id=id,
        round=int(id.partition(".")[0]),
        number=1,
        action=action.model_copy(update={"at": at, "reason": "why not"}),
        outcome="moved",
        page=Page(url=f"{SITE}{url}", site=SITE, blob=blob or id),
        view=View(url=f"{SITE}{url}"),
        harm=harm,
    )


def goto(path: str = "") -> Action:
    return Action(kind="goto", target=f"{SITE}{path}")


def on(kind: Kind, element: Element, value: str = "", *, submit: bool = False) -> Action:
    return Action(kind=kind, target="e7", value=value, submit=submit, element=element)


def plain(action: Action) -> Action:
    return action.model_copy(update={"target": "" if action.element else action.target})


def run(*steps: Step, cited: tuple[str, ...], status: Status = "answered") -> State:
    """A finished run whose answer cites what was read after some steps."""
    evidence = tuple(
        Evidence(
            id=f"e{id}",
            passage=Passage(url="", title="", blob="", start=0, end=1, text="x", part="p1"),
            round=1,
            step=id,
        )
        for id in [each.id for each in steps]
    )
    citations = tuple(
        Citation(id=f"e{id}", url="", title="", quote="x", blob="", start=0, end=1) for id in cited
    )
    return State(
        question=Question(text="Who?", sites=(SITE,)),
        steps=steps,
        evidence=evidence,
        answer=Answer(text="x", status=status, citations=citations),
    )


def ways(state: State) -> list[tuple[Action, ...]]:
    recipes = learn_recipes(state)
    assert all((each.question, each.site) == ("Who?", SITE) for each in recipes)
    return [each.actions for each in recipes]


SEARCH = on("type", BOX, "lamp", submit=True)
CLICK = on("click", BUTTON)
HOME = step("1.1", goto(), "")
FOUND = step("1.2", SEARCH, "?q=lamp", at="1.1")
READ = step("1.3", CLICK, "lamp", at="1.2")


def test_the_path_to_a_cited_page_is_learned() -> None:
    assert learn_recipes(run(HOME, FOUND, READ, cited=("1.3",))) == (
        Recipe(question="Who?", site=SITE, actions=(goto(), plain(SEARCH), plain(CLICK))),
    )


@pytest.mark.parametrize("status", ["partial", "abstained", "failed"])
def test_nothing_is_learned_without_an_answer(status: Status) -> None:
    assert learn_recipes(run(HOME, FOUND, cited=("1.2",), status=status)) == ()
    assert learn_recipes(replace(run(HOME, cited=("1.1",)), answer=None)) == ()


def test_steps_beside_the_path_are_left_out() -> None:
    aside = step("1.4", CLICK, "aside", at="1.1")
    failed = Step(id="1.5", round=1, number=5, action=CLICK, outcome="failed")
    assert ways(run(HOME, FOUND, READ, aside, failed, cited=("1.3",))) == [
        (goto(), plain(SEARCH), plain(CLICK))
    ]


def test_loops_are_left_out() -> None:
    aside = step("1.2", CLICK, "aside", at="1.1")
    back = step("1.3", Action(kind="back"), "", at="1.2", blob="1.1")
    found = step("1.4", SEARCH, "?q=lamp", at="1.3")
    assert ways(run(HOME, aside, back, found, cited=("1.4",))) == [(goto(), plain(SEARCH))]


def test_filling_a_field_is_no_loop() -> None:
    typed = step("1.2", on("type", BOX, "lamp"), "", at="1.1", blob="1.1")
    sent = step("1.3", CLICK, "?q=lamp", at="1.2")
    assert ways(run(HOME, typed, sent, cited=("1.3",))) == [
        (goto(), plain(on("type", BOX, "lamp")), plain(CLICK))
    ]


def test_a_new_start_shortens_the_path() -> None:
    far = step("1.2", goto("far"), "far", at="1.1")
    assert ways(run(HOME, far, cited=("1.2",))) == [(goto("far"),)]


def test_paths_that_changed_something_are_not_learned() -> None:
    saved = step("1.2", CLICK, "saved", at="1.1", harm="The form was saved.")
    after = step("1.3", CLICK, "after", at="1.2")
    assert ways(run(HOME, saved, after, cited=("1.3",))) == []


def test_a_drag_to_a_ref_is_not_learned() -> None:
    assert (
        ways(run(HOME, step("1.2", on("drag", BUTTON, "e9"), "x", at="1.1"), cited=("1.2",))) == []
    )


def test_paths_to_several_pages_are_joined() -> None:
    other = step("1.4", on("click", Element(role="link", name="More")), "more", at="1.1")
    [way] = ways(run(HOME, FOUND, READ, other, cited=("1.2", "1.3", "1.4")))
    assert [action.kind for action in way] == ["goto", "type", "click", "goto", "click"]


def test_fetched_pages_need_no_path() -> None:
    fetched = READ.model_copy(update={"view": None})
    assert ways(run(fetched, cited=("1.3",))) == []
