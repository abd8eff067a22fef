"""Without a site the web is searched; later, what waited for a result is written anew."""

from dataclasses import replace

import pytest

from forager.budget import start_meter
from forager.domain.documents import Document
from forager.domain.state import (
    Arm,
    Draw,
    Evidence,
    Passage,
    Question,
    Reading,
    RewrittenPart,
    State,
    Survey,
    Verdict,
)
from forager.domain.survey import (
    NOT_THE_WEB,
    PARTLY_THE_WEB,
    Hit,
    SearchResults,
    TermStatistics,
)
from forager.errors import ConnectError, SearchError
from forager.questions.subquestions import PlannedLookup
from nodes.surveyor import Plan, PlanSearch, SurveyorParams, survey
from tests.fake_ports import ports
from tests.fakes import FakeSearch, FakeWeb, MemoryBlobs, ScriptedModel
from tests.nodes.states import lesson, part

ONE, TWO, THREE = "http://one/", "http://two/", "http://three/"
FOUND, BUILT = "who founded the house", "when was the dome built"
TEXT = f"{FOUND}, and {BUILT}?"
PLAN = Plan(
    asks=[PlannedLookup(ask=FOUND, search="founder"), PlannedLookup(ask=BUILT, search="dome")]
)
PARAMS = SurveyorParams(sites=2, light=5)
AWAY = SearchError("fake is away.", "Try later.")
DOWN = ConnectError("The host does not answer.", "Try again.")
BY_QUERY = {"founder": [f"{ONE}a", f"{TWO}b"], "dome": [f"{TWO}b", f"{THREE}c", f"{ONE}a"]}


def hit(url: str, part: str, score: float) -> Hit:
    return Hit(url=url, title=url, depth=1, part=part, score=score)


def web(*hits: Hit, down: tuple[str, ...] = ()) -> FakeWeb:
    pages = [Document(url=f"{site}{path}") for site in (ONE, TWO) for path in ("", "a", "b")]
    return FakeWeb(MemoryBlobs(), pages, hits=hits, down=dict.fromkeys(down, DOWN))


def asked(*sites: str, text: str = TEXT) -> State:
    return State(question=Question(text=text, sites=sites))


async def on_the_web(
    there: FakeWeb, search: FakeSearch, params: SurveyorParams = PARAMS
) -> tuple[Survey, tuple[Arm, ...]]:
    update = await survey(asked(), ports(PLAN, web=there, search=search), params)
    return update["survey"], update.get("arms", ())


async def test_the_best_sites_are_surveyed_lightly_with_the_pages_found() -> None:
    there, search = web(hit(f"{ONE}a", "p1s1", 1.0)), FakeSearch(by_query=BY_QUERY)
    known, _ = await on_the_web(there, search)
    assert [words for words, _, _ in search.asked] == ["founder", "dome"]
    assert there.surveyed == [(ONE, 5), (TWO, 5)]
    assert there.seeded == [f"{ONE}a", f"{TWO}b"]
    assert known.pages == {ONE: 3, TWO: 3}


async def test_each_ask_is_meant_for_the_site_that_leads_for_it() -> None:
    known, _ = await on_the_web(web(), FakeSearch(by_query=BY_QUERY))
    assert {(part.text, part.site) for part in known.parts if part.weight >= 1} == {
        (FOUND, ONE),
        (BUILT, TWO),
    }


async def test_a_result_s_prior_comes_from_its_rank_and_its_page() -> None:
    there = web(hit(f"{ONE}a", "p1s1", 1.0), hit(f"{ONE}b", "p1s1", 1.0))
    _, arms = await on_the_web(there, FakeSearch(by_query=BY_QUERY))
    score = {arm.url: arm.score for arm in arms}
    assert score[f"{ONE}a"] > score[f"{ONE}b"] > 0  # found, and as good a page as the other
    assert score[f"{TWO}b"] > score[f"{THREE}c"] > 0  # never read: their ranks alone
    assert score[f"{ONE}b"] > score[f"{THREE}c"]
    assert all(arm.alpha + arm.beta == 2 + PARAMS.kappa for arm in arms)


async def test_results_stay_where_no_site_can_be_surveyed() -> None:
    known, arms = await on_the_web(web(down=(ONE, TWO)), FakeSearch(by_query=BY_QUERY))
    assert known.notes == (str(DOWN), str(DOWN))
    assert known.faults == (str(DOWN),)
    assert {arm.url for arm in arms} == {f"{ONE}a", f"{TWO}b", f"{THREE}c"}
    assert [part.site for part in known.parts] == ["", ""]


async def test_what_searches_said_and_sites_that_are_down_are_told_once() -> None:
    told: list[str] = []

    async def tell(message: str) -> None:
        told.append(message)

    search = FakeSearch(by_query=BY_QUERY, notes=("brave is out of quota.",))
    with start_meter(warn=tell):
        known, _ = await on_the_web(web(down=(TWO,)), search)
    assert told == ["brave is out of quota.", str(DOWN)]
    assert known.faults == tuple(told)


async def test_a_search_that_failed_is_told_before_a_site_is_mapped() -> None:
    there, mapped = web(), list[int]()

    async def tell(message: str) -> None:
        mapped.append(len(there.surveyed))

    with start_meter(warn=tell):
        await on_the_web(there, FakeSearch(by_query=BY_QUERY, notes=("brave is away.",)))
    assert mapped == [0]
    assert there.surveyed


async def test_searches_of_which_one_found_nothing_on_the_web_say_so() -> None:
    class Halved(FakeSearch):
        async def search(self, query: str, count: int, site: str = "") -> SearchResults:
            found = await super().search(query, count, site)
            notes = (NOT_THE_WEB,) if "dome" in query else ()
            return found.model_copy(update={"notes": notes})

    known, _ = await on_the_web(web(), Halved(by_query=BY_QUERY))
    assert known.notes == (PARTLY_THE_WEB,)


async def test_nothing_found_leaves_the_question_open() -> None:
    known, arms = await on_the_web(web(), FakeSearch())
    assert ([part.text for part in known.parts], arms) == ([FOUND, BUILT], ())


async def test_a_web_that_cannot_be_searched_ends_the_run() -> None:
    with pytest.raises(SearchError, match="fake is away"):
        await on_the_web(web(), FakeSearch(away=AWAY))


async def test_one_search_of_two_is_enough() -> None:
    class Once(FakeSearch):
        async def search(self, query: str, count: int, site: str = "") -> SearchResults:
            if "dome" in query:
                raise AWAY
            return await super().search(query, count, site)

    known, arms = await on_the_web(web(), Once(by_query=BY_QUERY))
    assert {arm.url for arm in arms} == {f"{ONE}a", f"{TWO}b"}
    assert known.notes == (str(AWAY),)


async def test_a_graph_that_searches_itself_wants_the_parts_alone() -> None:
    search = FakeSearch(by_query=BY_QUERY)
    known, arms = await on_the_web(web(), search, SurveyorParams(sites=0))
    assert (search.asked, arms) == ([], ())
    assert [(part.id, part.text, part.site) for part in known.parts] == [
        ("p1", FOUND, ""),
        ("p2", BUILT, ""),
    ]


# ---- a site's own search


async def test_results_of_a_site_join_its_arms() -> None:
    there = web(hit(f"{ONE}a", "p1", 1.0))
    search = FakeSearch(f"{ONE}b", f"{TWO}b")
    doors = ports(PLAN, web=there, search=search)
    update = await survey(asked(ONE), doors, SurveyorParams(search=3))
    assert ("founder", 3, ONE) in search.asked
    assert {arm.url for arm in update["arms"]} == {f"{ONE}a", f"{ONE}b"}
    quiet = FakeSearch(f"{ONE}b")
    await survey(asked(ONE), ports(PLAN, web=there, search=quiet), SurveyorParams(search=0))
    assert quiet.asked == []


async def test_each_look_up_is_searched_for_on_each_site() -> None:
    search = FakeSearch(f"{ONE}b", f"{TWO}b")
    doors = ports(PLAN, web=web(), search=search)
    await survey(asked(ONE, TWO), doors, SurveyorParams(search=3))
    assert sorted((words, site) for words, _, site in search.asked) == [
        ("dome", ONE),
        ("dome", TWO),
        ("founder", ONE),
        ("founder", TWO),
    ]


async def test_a_look_up_is_searched_for_on_its_planned_site_alone() -> None:
    asks = [PlannedLookup(ask=FOUND, search="founder", site=2)]
    search = FakeSearch(f"{TWO}b")
    doors = ports(Plan(asks=asks), web=web(), search=search)
    await survey(asked(ONE, TWO), doors, SurveyorParams(search=3))
    assert [(words, site) for words, _, site in search.asked] == [("founder", TWO)]


async def test_a_site_that_cannot_be_searched_keeps_its_arms() -> None:
    doors = ports(PLAN, web=web(hit(f"{ONE}a", "p1", 1.0)), search=FakeSearch(away=AWAY))
    update = await survey(asked(ONE), doors, SurveyorParams(search=3))
    assert [arm.url for arm in update["arms"]] == [f"{ONE}a"]
    assert update["survey"].notes == (str(AWAY),)


# ---- sub-questions that wait

RELEASE, DAY = "Which release does the viewer need", "on which day was that release published?"
NEEDS = "The viewer needs release 3.7.15 or newer."


def later(*evidence: Evidence, parts: Survey) -> State:
    text = f"{RELEASE}, and {DAY}"
    state = asked(ONE, text=text)
    now = tuple(item.model_copy(update={"round": 2}) for item in evidence)
    return replace(state, survey=parts, evidence=now, draw=Draw(round=2))


def entry(part: str, score: float = 1.0) -> Evidence:
    passage = Passage(
        url=f"{ONE}a", title="A", blob="b", start=0, end=len(NEEDS), text=NEEDS, part=part,
        scores={part: score},
    )  # fmt: skip
    return Evidence(id="e1", passage=passage, round=1, step="1.1")


async def planned() -> Survey:
    state = asked(ONE, text=f"{RELEASE}, and {DAY}")
    update = await survey(state, ports(web=web()), SurveyorParams())
    return update["survey"]


async def test_a_look_up_written_again_stays_on_its_site() -> None:
    asks = [PlannedLookup(ask=RELEASE, site=1), PlannedLookup(ask=DAY, site=2, needs=1)]
    start = asked(ONE, TWO, text=f"{RELEASE}, and {DAY}")
    first = await survey(start, ports(Plan(asks=asks), web=web()), SurveyorParams())
    again = Plan(asks=[PlannedLookup(ask="on which day was 3.7.15 published?")])
    model = ScriptedModel(again)
    doors = replace(ports(web=web()), model=model)
    update = await survey(later(entry("p1s1"), parts=first["survey"]), doors, SurveyorParams())
    assert [(part.id, part.site) for part in update["survey"].parts] == [
        ("p1s1", ONE),
        ("p3s2", TWO),
    ]


async def test_a_look_up_that_the_reader_wrote_again_is_not_asked_about() -> None:
    start = later(entry("p1"), parts=await planned())
    ask = "on which day was release 3.7.15 published?"
    told = RewrittenPart(part="p2", ask=ask, search="release notes 3.7.15")
    start = replace(start, reading=Reading(step="2.1", rewritten=(told,)))
    model = ScriptedModel()
    update = await survey(start, replace(ports(web=web()), model=model), SurveyorParams())
    assert model.asked == []
    new = update["survey"].parts[-1]
    assert (new.id, new.text, new.since) == ("p3", ask, 2)
    assert "release notes" in new.query


async def test_the_rule_sees_which_look_up_needs_which() -> None:
    assert [part.needs for part in (await planned()).parts] == [(), (RELEASE,)]


async def test_nothing_is_asked_while_nothing_is_known() -> None:
    class Untouched(FakeWeb):
        async def term_statistics(self, site: str, text: str) -> TermStatistics:
            raise AssertionError(site)

    doors = ports(web=Untouched(MemoryBlobs()))
    assert await survey(later(parts=await planned()), doors, SurveyorParams()) == {}


async def test_what_is_open_is_ranked_again_alone_and_adds_arms() -> None:
    first, second = part("p1", FOUND, ONE), part("p2", BUILT, ONE)
    there = web(hit(f"{ONE}a", "p2", 0.7), hit(f"{ONE}b", "p2", 0.8))
    start = replace(
        asked(ONE),
        survey=Survey(parts=(first, second)),
        arms=(Arm(url=f"{ONE}a", site=ONE, part="p1", scores={"p1": 0.9}, alpha=9.0),),
        draw=Draw(round=1),
        verdict=Verdict(sufficient=False, covered=("p1",), open=("p2",)),
    )
    update = await survey(start, ports(web=there), SurveyorParams())
    assert there.ranked == [second]
    assert set(update) == {"arms"}
    again = replace(start, arms=update["arms"])
    assert await survey(again, ports(web=there), SurveyorParams()) == {}, "an arm for it is unread"
    known, new = update["arms"]
    assert (known.url, known.part, known.alpha) == (f"{ONE}a", "p2", 9.0)
    assert (new.url, new.part) == (f"{ONE}b", "p2")


@pytest.mark.parametrize(("round", "arms"), [(1, 2), (2, 3)])
async def test_each_round_more_pages_become_arms(round: int, arms: int) -> None:
    there = web(*(hit(f"{ONE}{n}", "p1", 1 - n / 10) for n in range(6)))
    one = part("p1", FOUND, ONE)
    start = replace(asked(ONE), survey=Survey(parts=(one,)), draw=Draw(round=round))
    update = await survey(start, ports(web=there), SurveyorParams(top=1))
    assert len(update["arms"]) == arms


async def test_plain_bm25_ranks_once() -> None:
    start = replace(asked(ONE), survey=Survey(parts=(part("p1", FOUND, ONE),)))
    there = web(hit(f"{ONE}a", "p1", 1.0))
    assert await survey(start, ports(web=there), SurveyorParams(ranking="bm25")) == {}


async def test_a_look_up_that_waited_is_rewritten_with_the_result_and_ranked() -> None:
    there = web(hit(f"{ONE}b", "p3", 1.0))
    start = later(entry("p1"), parts=await planned())
    start = replace(start, arms=(Arm(url=f"{ONE}a", site=ONE),))
    update = await survey(start, ports(web=there), SurveyorParams())
    first, second = update["survey"].parts
    assert (first.id, first.text) == ("p1", RELEASE)
    assert (second.id, second.since, second.needs) == ("p3", 2, ())
    assert "3.7.15" in second.text
    assert "published" in second.text
    assert there.ranked == [second]
    assert [arm.url for arm in update["arms"]] == [f"{ONE}a", f"{ONE}b"]


async def test_a_model_may_write_one_ask_for_each_result() -> None:
    again = Plan(
        asks=[PlannedLookup(ask=f"On which day was {n} published?") for n in ("3.7.15", "9.9.9")]
    )
    model = ScriptedModel(again)
    doors = replace(ports(web=web()), model=model)
    update = await survey(later(entry("p1"), parts=await planned()), doors, SurveyorParams())
    # 9.9.9 stands in no quote, but "published" stands in the question
    assert [part.id for part in update["survey"].parts] == ["p1", "p3", "p4"]
    [task] = model.asked
    assert isinstance(task, PlanSearch)
    text = " ".join(item.text for section in task.sections() for item in section.items)
    assert NEEDS in text
    assert "waits for" in text


async def test_the_planner_sees_the_lessons_of_the_run_when_it_writes_a_look_up_again() -> None:
    first, second = lesson(1, f"{ONE}a"), lesson(1, f"{TWO}b", "infeasible")
    start = replace(later(entry("p1"), parts=await planned()), lessons=(first, second))
    model = ScriptedModel(Plan(asks=[]))
    await survey(start, replace(ports(web=web()), model=model), SurveyorParams())
    [section] = [each for each in model.asked[0].sections() if each.title == "Lessons"]
    assert [item.text for item in section.items] == [f"- {first.line}", f"- {second.line}"]
    assert section.material, "a lesson may hold words of a page"
    assert f"{ONE}a" in first.line


async def test_a_model_that_knows_no_result_leaves_all_as_it_is() -> None:
    doors = replace(ports(web=web()), model=ScriptedModel(Plan(asks=[])))
    start = later(entry("p1"), parts=await planned())
    assert await survey(start, doors, SurveyorParams()) == {}
    doors = replace(ports(web=web()), model=ScriptedModel(Plan(asks=[PlannedLookup(ask=DAY)])))
    assert await survey(start, doors, SurveyorParams()) == {}


async def test_ids_are_never_given_out_twice() -> None:
    parts = (
        *(await planned()).parts,
        part("p3", "who was there?", ONE).model_copy(update={"needs": (DAY,)}),
    )
    first = later(entry("p1"), parts=Survey(parts=parts))
    update = await survey(first, ports(web=web()), SurveyorParams())
    again = update["survey"].parts
    assert [one.id for one in again] == ["p1", "p3", "p4"]
    ready = replace(later(entry("p1"), parts=update["survey"]), draw=Draw(round=3))
    found = entry("p4").model_copy(update={"id": "e2", "round": 3})
    ready = replace(ready, evidence=(*ready.evidence, found))
    model = ScriptedModel(
        Plan(asks=[PlannedLookup(ask="who was there when 3.7.15 was published?")])
    )
    update = await survey(ready, replace(ports(web=web()), model=model), SurveyorParams())
    assert [one.id for one in update["survey"].parts] == ["p1", "p4", "p5"]


async def test_of_two_look_ups_that_waited_one_may_be_rewritten_alone() -> None:
    other = part("p3", "what does that release cost?", ONE).model_copy(update={"needs": (RELEASE,)})
    parts = Survey(parts=(*(await planned()).parts, other))
    model = ScriptedModel(
        Plan(asks=[]), Plan(asks=[PlannedLookup(ask="what does release 3.7.15 cost?")])
    )
    doors = replace(ports(web=web()), model=model)
    update = await survey(later(entry("p1"), parts=parts), doors, SurveyorParams())
    texts = [part.text for part in update["survey"].parts]
    assert texts == [RELEASE, DAY, "what does release 3.7.15 cost?"]


async def test_a_repeated_look_up_in_a_plan_does_not_shift_which_needs_which() -> None:
    asks = [
        PlannedLookup(ask=RELEASE),
        PlannedLookup(ask="on which day was 3.7.15 published?", needs=1),
        PlannedLookup(ask="on which day was the release before 3.7.15 published?", needs=2),
    ]
    doors = replace(ports(web=web()), model=ScriptedModel(Plan(asks=asks)))
    update = await survey(later(entry("p1"), parts=await planned()), doors, SurveyorParams())
    assert [part.needs for part in update["survey"].parts] == [(), (), (asks[1].ask,)]


async def test_the_look_ups_of_a_comparison_know_their_cells() -> None:
    text = "Compare the tower and the dome in height and age."
    update = await survey(asked(ONE, text=text), ports(web=web()), SurveyorParams())
    cells = [(part.row, part.column) for part in update["survey"].parts]
    assert cells == [
        ("tower", "height"),
        ("tower", "age"),
        ("dome", "height"),
        ("dome", "age"),
    ]


async def test_a_site_is_searched_once_by_the_plan_of_the_model() -> None:
    search = FakeSearch(f"{ONE}b")
    await survey(asked(ONE), ports(PLAN, web=web(), search=search), SurveyorParams(search=3))
    assert [words for words, _, _ in search.asked] == ["founder", "dome"]
