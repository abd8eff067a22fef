"""Where links end, the navigator goes into a browser: when, where to, and how far."""

from dataclasses import replace

from forager.domain.actions import Action
from forager.domain.browser import Snapshot, View
from forager.domain.documents import Document
from forager.domain.experience import Recipe
from forager.domain.spend import Budget
from forager.domain.state import Draw, Reading, Recall, State, Step, Survey, Turn
from forager.domain.survey import Form
from nodes.navigator import NavigatorParams
from tests.fakes import MemoryBlobs
from tests.nodes.navigator_states import proposed
from tests.nodes.states import document, part, state, step, url

PARAMS = NavigatorParams(browser=True, least=0.6)
SEARCH = Form(kind="search", says="Search q Go")
FILTER = Form(kind="filter", says="column name founder value Apply")
TREE = """
- search [ref=e1]:
  - textbox "Search" [ref=e2]
  - button "Go" [ref=e3]
"""


def asking(path: str, *forms: Form) -> Document:
    """A page with these forms."""
    return document(path, "Text.").model_copy(update={"forms": forms})


def after(blobs: MemoryBlobs, *pages: Document, round: int = 1) -> State:
    """All arms were opened and read, the last in this round."""
    steps = [
        step(blobs, page, 1, number).model_copy(update={"round": round, "id": f"{round}.{number}"})
        for number, page in enumerate(pages, start=1)
    ]
    start = state(urls=[page.url for page in pages])
    return replace(
        start,
        steps=tuple(steps),
        reading=Reading(step=steps[-1].id),
        draw=Draw(round=round, urls=(pages[0].url,)),
    )


def seen(blobs: MemoryBlobs, number: int, tree: str, action: Action) -> Step:
    """A step after which a browser showed a tree."""
    snapshot = Snapshot(url=url("a"), tree=tree)
    blob = blobs.put(snapshot.model_dump_json().encode())
    page = step(blobs, document("a", f"Text {number}."), 1, number)
    view = View(url=url("a"), blob=blob)
    return page.model_copy(update={"action": action, "view": view})


async def test_a_page_with_a_form_is_gone_to_once_links_and_arms_are_used_up() -> None:
    blobs = MemoryBlobs()
    action = await proposed(after(blobs, asking("a", SEARCH)), blobs, params=PARAMS)
    assert (action.kind, action.target) == ("goto", url("a"))


async def test_a_form_that_speaks_of_what_is_asked_comes_first() -> None:
    blobs = MemoryBlobs()
    start = after(blobs, asking("a", SEARCH), asking("b", FILTER), asking("c", SEARCH))
    assert (await proposed(start, blobs, params=PARAMS)).target == url("b")


async def test_forms_that_the_survey_found_count_too() -> None:
    blobs = MemoryBlobs()
    there = FILTER.model_copy(update={"url": url("table")})
    start = replace(
        after(blobs, document("a", "Text.")), survey=Survey(parts=(part(),), forms=(there,))
    )
    assert (await proposed(start, blobs, params=PARAMS)).target == url("table")


async def test_forms_of_pages_read_before_count_too() -> None:
    blobs = MemoryBlobs()
    before = step(blobs, asking("table", FILTER)).page
    assert before is not None
    start = after(blobs, document("a", "Text."))
    past = Turn(number=1, question=start.question, pages=(before,))
    start = replace(start, past=(past,), recall=Recall(round=0, pages=(before,)))
    assert (await proposed(start, blobs, params=PARAMS)).target == url("table")


async def test_without_the_parameter_without_a_form_or_elsewhere_it_stops() -> None:
    blobs = MemoryBlobs()
    start = after(blobs, asking("a", SEARCH))
    assert (await proposed(start, blobs, params=NavigatorParams(least=0.6))).kind == "stop"
    bare = after(blobs, document("a", "Text."))
    assert (await proposed(bare, blobs, params=PARAMS)).kind == "stop"
    other = SEARCH.model_copy(update={"url": "http://other/"})
    away = replace(bare, survey=Survey(parts=(part(),), forms=(other,)))
    assert (await proposed(away, blobs, params=PARAMS)).kind == "stop"


async def test_ranked_pages_that_are_left_come_first_for_two_rounds() -> None:
    blobs = MemoryBlobs()
    start = after(blobs, asking("a", SEARCH))
    more = replace(start, arms=(*start.arms, start.arms[0].model_copy(update={"url": url("z")})))
    assert (await proposed(more, blobs, params=PARAMS)).kind == "stop"
    third = after(blobs, asking("a", SEARCH), round=3)
    third = replace(third, arms=more.arms)
    assert (await proposed(third, blobs, params=PARAMS)).kind == "goto"
    last = replace(more, question=more.question.model_copy(update={"budget": Budget(rounds=1)}))
    assert (await proposed(last, blobs, params=PARAMS)).kind == "goto"


async def test_a_search_of_a_site_that_is_wholly_known_waits_for_the_ranked_pages() -> None:
    blobs = MemoryBlobs()
    start = after(blobs, asking("a", SEARCH), round=3)
    start = replace(start, survey=start.survey.model_copy(update={"whole": (url("a"),)}))
    left = start.arms[0].model_copy(update={"url": url("z")})
    more = replace(start, arms=(*start.arms, left))
    assert (await proposed(more, blobs, params=PARAMS)).kind == "stop"
    assert (await proposed(start, blobs, params=PARAMS)).kind == "goto"
    filtered = after(blobs, asking("a", FILTER), round=3)
    filtered = replace(filtered, survey=more.survey, arms=more.arms)
    assert (await proposed(filtered, blobs, params=PARAMS)).kind == "goto"


async def test_a_link_worth_a_visit_is_followed_and_no_browser_started() -> None:
    blobs = MemoryBlobs()
    page = asking("a", SEARCH)
    links = document("a", "", [f"{url('b')} Who found it"]).links
    start = after(blobs, page.model_copy(update={"links": links}))
    assert (await proposed(start, blobs, params=PARAMS)).kind == "visit"


async def test_in_the_browser_the_search_is_used_for_a_limited_number_of_steps() -> None:
    blobs = MemoryBlobs()
    start = after(blobs, asking("a", SEARCH))
    entered = seen(blobs, 2, TREE, Action(kind="goto", target=url("a")))
    inside = replace(start, steps=(*start.steps, entered), reading=Reading(step=entered.id))
    action = await proposed(inside, blobs, params=PARAMS)
    assert (action.kind, action.target, action.at) == ("type", "e2", entered.id)
    hovers = [
        seen(blobs, number, TREE, Action(kind="hover", target="e3")) for number in range(3, 10)
    ]
    long = replace(inside, steps=(*inside.steps, *hovers), reading=Reading(step=hovers[-1].id))
    assert (await proposed(long, blobs, params=PARAMS)).kind == "stop"


async def test_the_same_page_is_not_gone_to_again() -> None:
    blobs = MemoryBlobs()
    start = after(blobs, asking("a", SEARCH), round=2)
    failed = Step(
        id="1.9",
        round=1,
        number=9,
        action=Action(kind="goto", target=url("a")),
        outcome="failed",
        reason="There is no browser.",
    )
    again = replace(start, steps=(failed, *start.steps))
    assert (await proposed(again, blobs, params=PARAMS)).kind == "stop"


async def test_a_recipe_is_followed_first() -> None:
    blobs = MemoryBlobs()
    goto = Action(kind="goto", target=url("a"))
    way = Recipe(question="Who founded it?", site=url(), actions=(goto,))
    start = replace(state(urls=[url("x")]), recall=Recall(round=1, recipe=way))
    action = await proposed(start, blobs, params=PARAMS)
    assert (action.kind, action.target) == ("goto", url("a"))
    assert (await proposed(start, blobs, params=NavigatorParams())).kind == "visit"
