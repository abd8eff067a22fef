"""Steps of earlier questions guide the navigator, as material and by rule."""

from dataclasses import replace

from forager.domain.actions import Action, Element
from forager.domain.experience import Moment, Snippet
from forager.domain.state import Recall, State
from nodes.navigator import NavigatorParams
from nodes.navigator.browser import ActInBrowser, Move
from nodes.navigator.links import Choice, ChooseLink
from tests.fakes import FakeEmbedder, MemoryBlobs
from tests.nodes.browser_states import HOME, opened
from tests.nodes.navigator_states import proposed, walked
from tests.nodes.states import document, url

ASKED = "Who founded it?"
PARAMS = NavigatorParams(mode="browser", least=0.05)


def example(action: Action, question: str = ASKED, number: int = 1) -> Snippet:
    return Snippet(
        id=f"s:1:{number}",
        session="s",
        time=0.0,
        moment=Moment(instruction=question),
        action=action,
        told="Click the link “Opening hours”",
        rationale="It lists the people.",
    )


def link(name: str, target: str = "e99", kind: str = "click") -> Action:
    element = Element(role="link", name=name)
    return Action.model_validate({"kind": kind, "target": target, "element": element})


def recalled(start: State, *snippets: Snippet) -> State:
    return replace(start, recall=Recall(round=1, snippets=snippets))


LINKS = [f"{url('x')} Opening hours", f"{url('y')} Contact"]


async def test_a_link_that_was_followed_for_a_like_question_is_followed_again() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", LINKS))
    careful = NavigatorParams(least=0.4)
    assert (await proposed(start, blobs, params=careful)).kind == "stop"
    for taught in (link("Contact", kind="visit"), Action(kind="visit", target=url("y"))):
        known = recalled(start, example(taught))
        assert (await proposed(known, blobs, params=careful)).target == url("y")
    other = recalled(start, example(link("Contact", kind="visit"), "When do trains run?"))
    assert (await proposed(other, blobs, params=careful)).kind == "stop"


async def test_what_the_page_does_not_have_guides_nobody() -> None:
    blobs = MemoryBlobs()
    start = recalled(
        walked(blobs, document("a", "", LINKS)),
        example(Action(kind="visit", target="http://evil.example/")),
        example(link("Press here", kind="visit")),
    )
    assert (await proposed(start, blobs, params=NavigatorParams(least=0.4))).kind == "stop"


async def browser_task(*snippets: Snippet) -> ActInBrowser:
    """What is asked on the home page."""
    walk = await opened(Move(kind="stop"), params=PARAMS)
    walk.state = recalled(walk.state, *snippets)
    await walk.proposed()
    task = walk.model.asked[-1]
    assert isinstance(task, ActInBrowser)
    return task


async def test_in_a_browser_the_same_link_is_clicked_again() -> None:
    plain = (await browser_task()).offline(FakeEmbedder())
    assert (plain.kind, plain.ref) == ("click", "e5")
    task = await browser_task(example(link("Opening hours")))
    task = task.model_copy(update={"terms": {"stair": 1.0}, "open": ("the stairs",)})
    taught = task.offline(FakeEmbedder())
    assert (taught.kind, taught.ref) == ("click", "e7")


async def test_a_button_is_not_pushed_because_it_was_pushed_before() -> None:
    button = Action(kind="click", target="e4", element=Element(role="button", name="Go"))
    with_it = await browser_task(example(button))
    without = await browser_task()
    blank = {"terms": {"stair": 1.0}, "open": ("the stairs",), "untried": ()}
    choices = [task.model_copy(update=blank).offline(FakeEmbedder()) for task in (with_it, without)]
    assert choices[0] == choices[1]


async def test_a_model_sees_them_as_material_and_only_where_there_are_any() -> None:
    task = await browser_task(example(link("Opening hours")))
    [section] = [each for each in task.sections() if each.title.startswith("Steps like this")]
    assert section.material
    assert "It lists the people." in section.items[0].text
    bare = [each.title for each in (await browser_task()).sections()]
    assert not any(title.startswith("Steps like this") for title in bare)
    assert task.snapshot.url == HOME


async def test_links_show_them_too() -> None:
    blobs = MemoryBlobs()
    start = recalled(walked(blobs, document("a", "", LINKS)), example(link("Contact")))
    action = await proposed(start, blobs, Choice(choice=0))
    assert action.target == url("x")


def test_the_best_is_the_last_to_be_left_out() -> None:
    task = ChooseLink(
        question=ASKED,
        open=(),
        lessons=(),
        trail=(),
        page="Home",
        unread=False,
        links=(),
        terms={},
        least=0.0,
        examples=(example(link("A")), example(link("B"), number=2)),
    )
    [section] = [each for each in task.sections() if each.title.startswith("Steps like this")]
    assert section.items[0].relevance > section.items[1].relevance
