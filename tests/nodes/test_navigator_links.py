"""The navigator goes where the question leads, within the site, the steps and the budget."""

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.actions import Action
from forager.domain.documents import Document
from forager.domain.state import Draw, Feedback, Reading, Recall, Turn, Verdict
from nodes.navigator import NavigatorParams, navigate
from nodes.navigator.links import NO_ARM, Choice, ChooseLink
from nodes.navigator.params import NOTHING_OPEN
from tests.fake_ports import ports
from tests.fakes import FakeEmbedder, MemoryBlobs, ScriptedModel
from tests.nodes.navigator_states import PARAMS, proposed, walked
from tests.nodes.states import document, entry, failed, lesson, part, passage, state, step, url

READ = Choice(choice=-1)
STOP = Choice(choice=-2)


async def test_a_round_opens_its_arm() -> None:
    action = await proposed(state(urls=[url("a"), url("b")]), MemoryBlobs())
    assert action == Action(kind="visit", target=url("a"), reason="the page drawn for this round")


async def test_where_no_arm_was_drawn_there_is_nowhere_to_go() -> None:
    nowhere = replace(state(), draw=Draw(round=1))
    assert await proposed(nowhere, MemoryBlobs()) == Action(kind="stop", reason=NO_ARM)


async def test_the_page_just_opened_is_read_first() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "Text.", [url("b")]), read=False)
    assert (await proposed(start, blobs)).kind == "aggregate"
    assert (await proposed(start, blobs, READ)).kind == "aggregate"


async def test_a_link_is_followed_by_its_number() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [url("b"), url("c")]))
    action = await proposed(start, blobs, Choice(choice=1, reason="c it is"))
    assert action == Action(kind="visit", target=url("c"), reason="c it is")


async def test_the_built_in_rule_takes_the_link_that_says_most_of_what_is_asked() -> None:
    blobs = MemoryBlobs()
    links = [f"{url('x')} Opening hours", f"{url('y')} Who founded it", f"{url('z')} Contact"]
    start = walked(blobs, document("a", "", links))
    assert (await proposed(start, blobs)).target == url("y")
    choosy = NavigatorParams(least=1.1)
    assert (await proposed(start, blobs, params=choosy)).kind == "stop"


@pytest.mark.parametrize("mode", ["links", "site"])
async def test_the_built_in_rule_takes_a_link_that_changes_something_last(
    mode: Literal["links", "site"],
) -> None:
    blobs = MemoryBlobs()
    links = [f"{url('2/delete')} Delete who founded it", f"{url('y')} Who founded it"]
    params = NavigatorParams(mode=mode, least=0.1)
    for left, target in ((links, "y"), (links[:1], "2/delete")):
        start = walked(blobs, document("a", "", left))
        assert (await proposed(start, blobs, params=params)).target == url(target)


async def test_embeddings_decide_between_links_that_words_do_not_tell_apart() -> None:
    task = _task(document("a", "", [f"{url('x')} ant", f"{url('y')} bee"]))
    task = task.model_copy(update={"open": ("bee",)})
    assert task.offline(FakeEmbedder(available=True)).choice == 1
    assert task.offline(FakeEmbedder(available=False)).choice == 0


def _task(page: Document) -> ChooseLink:
    return ChooseLink(
        question="Who?",
        open=("Who?",),
        lessons=(),
        trail=(),
        page=page.title,
        unread=False,
        links=page.links,
        terms={"found": 1.0},
        least=0.0,
    )


# ---- where it may not go

ADDRESSES = [
    url("a"),
    url("b"),
    url("c"),
    "http://other/",
    "http://host:8080/",
    "http://www.host/d",
]
LINKS = st.lists(st.sampled_from(ADDRESSES), max_size=6)


@given(st.lists(LINKS, min_size=1, max_size=3), st.integers(-3, 7), st.booleans())
async def test_no_page_is_opened_twice_and_the_site_is_not_left(
    pages: list[list[str]], choice: int, offline: bool
) -> None:
    blobs = MemoryBlobs()
    documents = [document(name, "", links) for name, links in zip("abc", pages, strict=False)]
    start = walked(blobs, *documents)
    replies = () if offline else (Choice(choice=choice),) * 3
    action = await proposed(start, blobs, *replies)
    if action.kind == "visit":
        assert action.target in {url("a"), url("b"), url("c"), "http://www.host/d"}
        assert action.target not in {page.url for page in documents}
    else:
        assert action.kind == "stop"


async def test_an_address_that_failed_is_not_tried_again() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [url("gone")]))
    start = replace(start, steps=(*start.steps, failed(url("gone"), number=2)))
    assert (await proposed(start, blobs, Choice(choice=0))).kind == "stop"


async def test_another_address_of_an_opened_page_is_no_way_on() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("", "", [url("index.html"), url("x?a=1&b=2"), url("x?b=2&a=1")]))
    start = replace(start, steps=(*start.steps, failed(url("x?b=2&a=1"), number=2)))
    assert (await proposed(start, blobs)).kind == "stop"


async def test_a_number_that_is_no_link_is_ignored() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [url("b")]))
    update = await navigate(start, ports(Choice(choice=7), blobs=blobs), PARAMS)
    assert update["proposal"].action.kind == "stop"
    assert update["proposal"].nothing_left


async def test_a_number_that_is_no_link_does_not_keep_a_page_from_being_read() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "Text.", [url("b")]), read=False)
    assert (await proposed(start, blobs, Choice(choice=99))).kind == "aggregate"
    assert (await proposed(start, blobs, STOP)).kind == "stop"


async def test_a_link_that_stands_twice_is_shown_once() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [f"{url('b')} first", url("c"), f"{url('b')} again"]))
    model = ScriptedModel()
    await navigate(start, replace(ports(blobs=blobs), model=model), PARAMS)
    [task] = model.asked
    assert isinstance(task, ChooseLink)
    assert [link.id for link in task.links] == [0, 1]


# ---- going back, and from where


async def test_without_a_way_on_it_goes_back_the_way_it_came() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [url("b"), url("c")]), document("b", "", [url("a")]))
    assert (await proposed(start, blobs)).target == url("c")


async def test_a_model_that_stops_on_a_page_is_asked_about_those_before() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [url("b"), url("c")]), document("b", "", [url("d")]))
    assert (await proposed(start, blobs, STOP, Choice(choice=1))).target == url("c")
    assert (await proposed(start, blobs, STOP, STOP)).kind == "stop"


async def test_after_a_failed_step_it_goes_on_from_the_page_before() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [url("gone"), url("c")]))
    start = replace(start, steps=(*start.steps, failed(url("gone"), number=2)))
    assert (await proposed(start, blobs)).target == url("c")


async def test_an_arm_that_cannot_be_had_ends_its_round() -> None:
    start = replace(state(urls=[url("a")]), steps=(failed(url("a")),))
    update = await navigate(start, ports(), PARAMS)
    assert update["proposal"].action.kind == "stop"
    assert update["proposal"].nothing_left


async def test_an_arm_drawn_again_is_gone_on_from_where_its_walk_ended() -> None:
    blobs = MemoryBlobs()
    first = (
        step(blobs, document("a", "", [url("b"), url("c")]), 1, 1),
        step(blobs, document("b"), 1, 2),
    )
    second = step(blobs, document("x", "", [url("y")]), 2, 1)
    start = replace(
        state(urls=[url("a"), url("x")]),
        steps=(*first, second),
        reading=Reading(step=second.id),
        lessons=(lesson(1, url("a")), lesson(2, url("x"))),
        draw=Draw(round=3, urls=(url("a"),)),
    )
    assert (await proposed(start, blobs)).target == url("c")


async def test_an_arm_that_another_walk_came_upon_is_not_opened_again() -> None:
    blobs = MemoryBlobs()
    steps = (
        step(blobs, document("a", "", [url("b"), url("z")]), 1, 1),
        step(blobs, document("b", "", [url("c")]), 1, 2),
    )
    start = replace(
        state(urls=[url("a"), url("b")]),
        steps=steps,
        reading=Reading(step="1.2"),
        lessons=(lesson(1, url("a")),),
        draw=Draw(round=2, urls=(url("b"),)),
    )
    assert (await proposed(start, blobs)).target == url("c")


async def test_a_page_of_an_earlier_round_is_not_read_again() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [url("b")]), read=False)  # branches keep no reading
    start = replace(start, lessons=(lesson(1, url("a")),), draw=Draw(round=2, urls=(url("a"),)))
    assert (await proposed(start, blobs)).target == url("b")


@pytest.mark.parametrize("known", [True, False])
async def test_a_page_at_hand_is_not_opened_for_a_look_up_that_is_new(known: bool) -> None:
    blobs = MemoryBlobs()
    page = step(blobs, document("a", "", [url("b")])).page
    start = state(part().model_copy(update={"since": 1}), urls=[url("a")])
    assert page is not None
    past = Turn(number=1, question=start.question, pages=(page,))
    if known:
        start = replace(start, past=(past,), recall=Recall(round=0, pages=(page,)))
    assert (await proposed(start, blobs)).target == (url("b") if known else url("a"))


# ---- what the model is told


async def test_the_model_is_told_what_is_open_and_what_was_learnt() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [url("b")]))
    start = replace(
        start,
        survey=start.survey.model_copy(
            update={"parts": (part("p1", "Who?", ant=1.0), part("p2", "When?", bee=2.0))}
        ),
        verdict=Verdict(sufficient=False, covered=("p1",), open=("p2",)),
        recall=Recall(round=1, lessons=("a leads nowhere",)),
        feedback=Feedback(open=("In which year?",)),
    )
    model = ScriptedModel()
    await navigate(start, replace(ports(blobs=blobs), model=model), PARAMS)
    [task] = model.asked
    assert isinstance(task, ChooseLink)
    assert task.open == ("In which year?",)
    assert task.terms == {"bee": 2.0}
    assert task.lessons == ("a leads nowhere",)
    assert task.trail == ("a",)


@pytest.mark.parametrize(("open", "fenced"), [((), False), (("Who founded it?",), False)])
async def test_what_a_model_noted_of_pages_is_material(open: tuple[str, ...], fenced: bool) -> None:
    blobs = MemoryBlobs()
    for noted, material in ((open, fenced), ((*open, "the year"), True)):
        model = ScriptedModel()
        start = walked(blobs, document("a", "Text.", [url("b")]))
        start = replace(start, feedback=Feedback(open=noted))
        await navigate(start, replace(ports(blobs=blobs), model=model), PARAMS)
        sections = model.asked[0].sections()
        assert [each.material for each in sections if each.title == "Still open"] == [material]


async def test_no_model_is_asked_once_the_aggregator_has_closed_everything() -> None:
    """Also after a page on which nothing was found."""
    blobs = MemoryBlobs()
    start = walked(blobs, document("a", "", [url("b")]))
    closed = replace(
        start, evidence=(entry(1, passage("By Ann.")),), reading=Reading(step="1.2", passages=())
    )
    for feedback, unasked in (
        (Feedback(), Choice(choice=-2, reason=NOTHING_OPEN)),
        (Feedback(open=("When?",)), None),
    ):
        model = ScriptedModel(STOP)
        doors = replace(ports(blobs=blobs), model=model)
        await navigate(replace(closed, feedback=feedback), doors, PARAMS)
        [task] = model.asked
        assert isinstance(task, ChooseLink)
        assert task.open == feedback.open
        assert task.unasked() == unasked
