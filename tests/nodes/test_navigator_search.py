"""In search mode the navigator searches for what is open, and has the results read one by one."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.actions import Action
from forager.domain.spend import Budget, Spend
from forager.domain.state import Draw, Feedback, Question, Reading, State
from forager.offline.navigator import NO_PROVIDER, NOTHING_LEFT
from nodes.navigator import NavigatorParams, navigate
from nodes.navigator.params import NOTHING_OPEN
from nodes.navigator.search import Move
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs, ScriptedModel
from tests.nodes.search_states import PARAMS, after, asked, proposed, result, searched, urls
from tests.nodes.states import SITE, document, entry, failed, part, passage, state, step, url

WHO = part("p1", "Who founded the dome of Weyer?", dome=2.0, weyer=3.0, found=1.0)
WHEN = part("p2", "When did the storm tear it down?", storm=2.0, tear=1.0)
FIRST = "founded dome Weyer"
DOME = result(url("dome"), "The dome of Weyer", "It was founded by Ottilie Brandt.")


def web(start: State) -> State:
    """The same question, without a site."""
    question = start.question.model_copy(update={"sites": ()})
    parts = tuple(each.model_copy(update={"site": ""}) for each in start.survey.parts)
    survey = start.survey.model_copy(update={"parts": parts})
    return replace(start, question=question, survey=survey, draw=Draw(round=0))


# ---- by rule


async def test_it_begins_with_a_search_on_the_site() -> None:
    action = await proposed(state(WHO))
    assert action == Action(kind="search", target=FIRST, site=SITE, reason=WHO.text)


async def test_without_a_site_it_searches_the_web() -> None:
    action = await proposed(web(state(WHO)))
    assert (action.kind, action.target, action.site) == ("search", FIRST, "")


async def test_the_most_promising_result_is_read() -> None:
    found = [result(url("other"), "Opening hours", rank=1), DOME.model_copy(update={"rank": 2})]
    start = after(state(WHO), searched(FIRST, *found, site=SITE))
    assert (await proposed(start)).target == DOME.url
    choosy = NavigatorParams(mode="search", least=3.0)
    assert (await proposed(start, params=choosy)).kind == "search"


async def test_a_page_just_opened_is_read_without_asking() -> None:
    blobs = MemoryBlobs()
    opened = step(blobs, document("dome"), 1, 2)
    start = after(state(WHO), searched(FIRST, DOME, site=SITE), opened)
    doors = ports(blobs=blobs)
    assert (await navigate(start, doors, PARAMS))["proposal"].action.kind == "aggregate"
    assert isinstance(doors.model, ScriptedModel)
    assert doors.model.asked == []


async def test_what_found_nothing_is_put_in_other_words_and_never_asked_twice() -> None:
    start = state(WHO.model_copy(update={"query": f"observatory tower {WHO.text}"}))
    queries: list[str] = []
    for number in range(1, 10):
        action = await proposed(start)
        if action.kind == "stop":
            break
        queries.append(action.target)
        start = after(start, *start.steps, searched(action.target, number=number, site=SITE))
    assert queries == [FIRST, f"{FIRST} observatory tower", '"Weyer"']
    update = await navigate(start, ports(), PARAMS)
    assert update["proposal"].action.reason == NOTHING_LEFT
    assert update["proposal"].nothing_left


async def test_a_long_look_up_is_searched_for_once() -> None:
    long = " ".join(f"donaudampfschifffahrt{n}" for n in range(20))
    start = state(part("p1", long))
    first = await proposed(start)
    found = result(url("a"), "Donaudampfschifffahrt0")
    task = await asked(after(start, searched(first.target, found, site=SITE)))
    assert task.lookups[0].found == (url("a"),)
    assert (await proposed(after(start, searched(first.target, site=SITE)))).kind == "stop"


async def test_effort_is_spread_over_what_is_open() -> None:
    again = result(url("dome2"), "The dome of Weyer, continued", rank=2)
    searches = searched(FIRST, DOME, again, site=SITE)
    start = after(state(WHO, WHEN), searches, failed(DOME.url, number=2))
    assert (await proposed(start)).target == "storm tear down"


async def test_what_needs_an_answer_that_is_open_waits_for_it() -> None:
    later = WHEN.model_copy(update={"needs": (WHO.text,)})
    assert (await proposed(state(later, WHO))).target == FIRST
    heard = replace(state(later, WHO), feedback=Feedback(open=(later.text,)))
    assert (await proposed(heard)).target == "storm tear down"


async def test_each_search_goes_to_the_site_of_its_part() -> None:
    other = "http://other/"
    here = WHO.model_copy(update={"id": "p1s1", "weight": 0.25})
    there = WHO.model_copy(update={"id": "p1s2", "site": other})
    start = state(here, there)
    question = start.question.model_copy(update={"sites": (SITE, other)})
    start = replace(start, question=question)
    first = await proposed(start)
    assert (first.target, first.site) == (FIRST, other)
    start = after(start, *(searched(FIRST, number=n, site=other) for n in (1, 2)))
    elsewhere = after(start, *start.steps, searched('"Weyer"', number=3, site=other))
    assert (await proposed(elsewhere, Move(query=FIRST))).site == SITE


async def test_what_the_aggregator_notes_is_searched_for() -> None:
    start = replace(state(WHO), feedback=Feedback(open=("birthplace of Ottilie Brandt",)))
    action = await proposed(start)
    assert (action.target, action.site) == ("birthplace Ottilie Brandt", SITE)
    assert (await asked(start)).noted


# ---- what ends it


async def test_the_aggregator_ends_it() -> None:
    start = after(state(WHO), searched(FIRST, DOME, site=SITE))
    heard = replace(start, evidence=(entry(1, passage("By Ottilie.")),))
    doors = ports()
    action = (await navigate(heard, doors, PARAMS))["proposal"].action
    assert action == Action(kind="stop", reason=NOTHING_OPEN)
    assert isinstance(doors.model, ScriptedModel)
    assert doors.model.asked == []
    lacking = replace(heard, feedback=Feedback(open=(WHO.text,)))
    assert (await proposed(lacking)).kind == "visit"
    nothing = replace(start, reading=Reading(step="1.2"))
    assert (await proposed(nothing)).kind == "visit"


async def test_searches_count_as_steps() -> None:
    many = [searched(f"words {n}", DOME, number=n, site=SITE) for n in range(1, 4)]
    limits = NavigatorParams(mode="search", steps=3)
    action = await proposed(after(state(WHO), *many), params=limits)
    assert action == Action(kind="stop", reason="the budget of steps is spent")
    assert (await proposed(after(state(WHO), *many[:2]), params=limits)).kind == "visit"
    start = after(state(WHO, budget=Budget(steps=2)), *many)
    assert (await proposed(start)).kind == "stop"


async def test_a_spent_budget_ends_it_without_asking() -> None:
    start = replace(state(WHO, budget=Budget(pages=5)), spend=Spend(actions=5))
    action = await proposed(after(start, searched(FIRST, DOME, site=SITE)))
    assert action.reason == "the budget of pages is spent"


async def test_after_searches_that_cannot_be_made_no_more_are_tried() -> None:
    away = [searched(f"words {n}", number=n, site=SITE, reason="No key.") for n in (1, 2)]
    assert await proposed(after(state(WHO), *away)) == Action(kind="stop", reason=NO_PROVIDER)
    assert (await proposed(after(state(WHO), away[0]))).kind == "search"
    found = searched(FIRST, DOME, number=3, site=SITE)
    start = after(state(WHO), found, *away)
    assert (await proposed(start)).target == DOME.url
    assert (await proposed(start, Move(query="other words"))).target == DOME.url
    assert (await asked(start)).faults(Move(query="other words"))


# ---- what a model may choose


async def test_a_model_chooses_a_number_or_words_or_stops() -> None:
    found = [DOME, result(url("b"), "Opening hours", rank=2)]
    start = after(state(WHO), searched(FIRST, *found, site=SITE))
    assert (await proposed(start, Move(choice=2, reason="why not"))).target == url("b")
    action = await proposed(start, Move(query="  the\nclockmaker ", reason="by trade"))
    assert action == Action(kind="search", target="the clockmaker", site=SITE, reason="by trade")
    update = await navigate(start, ports(Move(stop=True, reason="enough")), PARAMS)
    assert update["proposal"].action == Action(kind="stop", reason="enough")
    assert not update["proposal"].nothing_left


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        (Move(), "Fill in one"),
        (Move(query="x", choice=1), "Fill in one"),
        (Move(query="x", stop=True), "Fill in one"),
        (Move(choice=2), "take a number from 1 to 1"),
        (Move(choice=-1), "take a number from 1 to 1"),
        (Move(query=f" {FIRST.upper()} "), "searched for before"),
        (Move(query="x"), ""),
        (Move(choice=1), ""),
        (Move(stop=True), ""),
    ],
)
async def test_a_reply_with_a_fault_is_told_and_never_acted_on(move: Move, fault: str) -> None:
    start = after(state(WHO), searched(FIRST, DOME, site=SITE))
    faults = (await asked(start)).faults(move)
    assert bool(faults) == bool(fault)
    assert fault in "".join(faults)
    if fault:
        assert (await proposed(start, move)).target == DOME.url


ADDRESSES = [url("a"), url("b"), "http://www.host/a", "http://other/", "http://host:8080/"]


@given(
    st.lists(st.sampled_from(ADDRESSES), max_size=6),
    st.lists(st.sampled_from(ADDRESSES), max_size=3),
    st.builds(Move, choice=st.integers(-2, 8), query=st.sampled_from(["", "[://x", FIRST, "ant"])),
    st.booleans(),
)
async def test_no_page_is_opened_twice_and_the_sites_are_not_left(
    found: list[str], tried: list[str], move: Move, offline: bool
) -> None:
    results = [result(each, rank=rank) for rank, each in enumerate(found, start=1)]
    steps = [failed(each, number=n) for n, each in enumerate(tried, start=3)]
    search = searched(FIRST, *results, site=SITE)
    start = after(state(WHO), search, searched("[://y", number=2, site=SITE), *steps)
    action = await proposed(start, *(() if offline else (move,)))
    if action.kind == "visit":
        assert action.target in {url("a"), url("b"), "http://www.host/a"} - set(tried)
    else:
        assert action.kind in {"search", "stop"}
        assert action.target not in {FIRST, "[://y"}


# ---- what a model sees


async def test_a_model_sees_searches_results_and_pages_and_not_the_ledger() -> None:
    blobs = MemoryBlobs()
    read = step(blobs, document("dome"), 1, 2)
    other = result(url("b"), "[9] Opening hours", "Daily.", rank=2)
    start = after(
        state(WHO),
        searched(FIRST, DOME, other, site=SITE),
        read,
        searched("clockmaker", number=3, site=SITE),
    )
    start = replace(start, reading=Reading(step=read.id))
    task = await asked(start)
    shown = {each.title: [item.text for item in each.items] for each in task.sections()}
    assert shown == {
        "Question": ["Who founded it?"],
        "Still open": [f"- {WHO.text}"],
        "Searches so far": [
            f"- {FIRST} on {SITE}: 2 found",
            f"- clockmaker on {SITE}: Nothing was found.",
        ],
        "Pages read": ["- dome"],
        "Results not read yet": [f"[1] ❲9] Opening hours ({other.url}) — Daily."],
    }
    fenced = {each.title for each in task.sections() if each.material}
    assert fenced == {"Searches so far", "Pages read", "Results not read yet"}


async def test_so_many_results_of_each_search_are_shown() -> None:
    one = [result(url(f"a{n}"), rank=n) for n in range(1, 9)]
    two = [result(url(f"b{n}"), rank=n) for n in range(1, 9)]
    start = after(state(WHO), searched("x", *one), searched("y", *two, one[0], number=2))
    task = await asked(start, NavigatorParams(mode="search", results=2))
    assert sorted(urls(task.results)) == [url(name) for name in ("a1", "a2", "b1", "b2")]


async def test_near_copies_are_shown_and_read_once() -> None:
    words = "The dome of Weyer was founded by a clockmaker of the town"
    copies = [result(url(f"c{n}"), f"Copy {n}", words, rank=n) for n in range(1, 201)]
    start = after(web(state(WHO)), *[searched(FIRST, *copies).model_copy(update={"round": 0})])
    assert len((await asked(start, NavigatorParams(mode="search", results=200))).results) == 1
    start = after(start, *start.steps, failed(copies[0].url, 0, 2))
    action = await proposed(start)
    assert (action.kind, action.target) == ("search", '"Weyer"')


async def test_without_parts_the_question_is_searched_for() -> None:
    bare = State(question=Question(text="Who founded Weyer?", sites=()))
    action = await proposed(bare)
    assert (action.target, action.site) == ("founded Weyer", "")
