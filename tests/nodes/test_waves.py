"""A wave: unread arms are drawn, opened and read together, each page once and in one language."""

from dataclasses import replace

from pydantic import BaseModel

from forager.budget import start_meter
from forager.domain.actions import Action
from forager.domain.documents import Document
from forager.domain.state import Draw, Proposal, Reading, State, Step, Verdict
from forager.ports import OFFLINE, Ports
from nodes.actor import ActorParams, act
from nodes.aggregator import AggregatorParams, aggregate
from nodes.extractor import CopiedAndJudged, ExtractorParams, FoundAndJudged, ReadAndJudge, extract
from nodes.navigator import NavigatorParams, navigate
from nodes.navigator.links import ARMS_FIRST
from nodes.reflector import ReflectorParams, reflect
from nodes.selector import SelectorParams, select
from tests.fake_ports import ports
from tests.fakes import FakeWeb, MemoryBlobs, ScriptedModel
from tests.nodes.states import document, entry, part, passage, state, step, url

P1, P2 = part("p1", "Who founded it?"), part("p2", "When was the storm?")
FOUNDED, STORM = "Ottilie Brandt founded it.", "A storm tore the dome down in 1911."
WAVES = SelectorParams(parallel=4, spread=True, waves=2)
JOINT = ExtractorParams(joint=True)


def leading(start: State, **parts: str) -> State:
    """The state with arms that lead these parts."""
    arms = tuple(
        arm.model_copy(update={"part": parts[arm.url.removeprefix(url())]}) for arm in start.arms
    )
    return replace(start, arms=arms, draw=Draw(round=0))


def listening(blobs: MemoryBlobs | None = None, *replies: BaseModel) -> tuple[Ports, ScriptedModel]:
    """Ports, and their model, which keeps what it was asked."""
    model = ScriptedModel(*replies)
    return replace(ports(blobs=blobs), model=model), model


def wave(blobs: MemoryBlobs, *pages: Document) -> State:
    """The pages of two arms were just opened together."""
    start = state(P1, P2, urls=[page.url for page in pages])
    action, *also = (Action(kind="visit", target=page.url) for page in pages)
    return replace(
        start,
        draw=Draw(round=1, urls=tuple(page.url for page in pages), wave=True),
        proposal=Proposal(round=1, action=action, also=tuple(also)),
        steps=tuple(opened(blobs, page, n) for n, page in enumerate(pages, start=1)),
    )


def opened(blobs: MemoryBlobs, page: Document, number: int) -> Step:
    made = step(blobs, page, number=number)
    assert made.page
    return made.model_copy(update={"page": made.page.model_copy(update={"twins": page.twins})})


async def test_a_wave_draws_unread_arms_of_different_look_ups() -> None:
    blobs = MemoryBlobs()
    start = leading(state(P1, P2, urls=[url(n) for n in "abcd"]), a="p1", b="p1", c="p2", d="p2")
    start = replace(start, steps=(step(blobs, document("a")), step(blobs, document("c"), 1, 2)))
    draw = (await select(start, ports(), WAVES))["draw"]
    assert set(draw.urls) == {url("b"), url("d")}
    assert not draw.wave, "no unread arm is left for a further wave"
    first = (await select(replace(start, steps=()), ports(), WAVES))["draw"]
    assert first.wave
    later = (await select(replace(start, draw=Draw(round=2)), ports(), WAVES))["draw"]
    assert not later.wave


async def test_the_second_wave_draws_two_arms_of_each_look_up() -> None:
    urls = [url(n) for n in "abcdef"]
    leads = dict(zip("abcdef", ["p1", "p1", "p1", "p2", "p2", "p2"], strict=True))
    start = replace(leading(state(P1, P2, urls=urls), **leads), draw=Draw(round=1))
    parts = {arm.url: arm.part for arm in start.arms}
    drawn = (await select(start, ports(), WAVES))["draw"].urls
    assert sorted(parts[each] for each in drawn) == ["p1", "p1", "p2", "p2"]
    assert parts[drawn[0]] != parts[drawn[1]]
    three = WAVES.model_copy(update={"parallel": 3})
    drawn = (await select(start, ports(), three))["draw"].urls
    assert {parts[each] for each in drawn[:2]} == {"p1", "p2"}
    assert len(drawn) == 3
    alone = replace(start, survey=state(P1).survey)
    drawn = (await select(alone, ports(), WAVES))["draw"].urls
    assert [parts[each] for each in drawn] == ["p1", "p1"]
    after = replace(start, draw=Draw(round=2))
    drawn = (await select(after, ports(), WAVES))["draw"].urls
    assert sorted(parts[each] for each in drawn) == ["p1", "p2"]


async def test_rules_read_one_page_after_the_other() -> None:
    blobs = MemoryBlobs()
    start = leading(state(P1, P2, urls=[url("a"), url("b")]), a="p1", b="p2")
    doors, said = listening(blobs)
    assert len((await select(start, doors, WAVES))["draw"].urls) == 2
    said.name = OFFLINE
    draw = (await select(start, doors, WAVES))["draw"]
    assert (len(draw.urls), draw.wave) == (1, False)


async def test_an_arm_is_not_drawn_whose_translation_was_read() -> None:
    blobs = MemoryBlobs()
    urls = [url("index.html"), url("index.de.html"), url("fr/"), url("regeln"), url("other")]
    start = replace(state(urls=urls), draw=Draw(round=0))
    home = document("index.html").model_copy(update={"twins": (url("regeln"),)})
    start = replace(start, steps=(opened(blobs, home, 1),))
    draw = (await select(start, ports(), SelectorParams(parallel=4, waves=2)))["draw"]
    assert draw.urls == (url("other"),)


async def test_drawn_pages_are_opened_together_without_a_model() -> None:
    start = replace(state(urls=[url("a"), url("b")]), draw=Draw(round=1, urls=(url("a"), url("b"))))
    doors, said = listening()
    proposal = (await navigate(start, doors, NavigatorParams()))["proposal"]
    assert [each.target for each in (proposal.action, *proposal.also)] == [url("a"), url("b")]
    assert not said.asked
    blobs = MemoryBlobs()
    web = FakeWeb(blobs, [document("b", STORM)])
    proposed = replace(start, proposal=proposal)
    with start_meter() as used:
        steps = (await act(proposed, ports(web=web, blobs=blobs), ActorParams()))["steps"]
    assert [(each.id, each.outcome, each.action.target) for each in steps] == [
        ("1.1", "failed", url("a")),
        ("1.2", "moved", url("b")),
    ]
    assert steps[1].page
    assert steps[1].page.depth == 0
    assert used.actions == 2


async def test_links_wait_until_the_waves_are_over() -> None:
    blobs = MemoryBlobs()
    pages = document("a", "Text.", [f"{url('c')} founder"]), document("b", "Text.")
    start = replace(wave(blobs, *pages), reading=Reading(step="1.2"))
    doors, said = listening(blobs)
    stop = (await navigate(start, doors, NavigatorParams()))["proposal"]
    assert (stop.action.kind, stop.action.reason) == ("stop", ARMS_FIRST)
    assert not said.asked
    after = replace(start, draw=start.draw.model_copy(update={"wave": False}))
    walk = (await navigate(after, doors, NavigatorParams()))["proposal"]
    assert (walk.action.kind, walk.action.target) == ("visit", url("c"))


async def test_the_pages_of_a_wave_are_read_with_one_call_each() -> None:
    blobs = MemoryBlobs()
    start = wave(blobs, document("a", FOUNDED), document("b", STORM))
    doors, said = listening(
        blobs,
        FoundAndJudged(passages=[CopiedAndJudged(part=["p1"], quote=FOUNDED, answers=["p1"])]),
        FoundAndJudged(passages=[CopiedAndJudged(part=["p2"], quote=STORM, answers=["p2"])]),
    )
    reading = (await extract(start, doors, JOINT))["reading"]
    assert len(said.asked) == 2
    assert [each.text for each in reading.passages] == [FOUNDED, STORM]
    update = await aggregate(replace(start, reading=reading), ports(), AggregatorParams())
    assert set(update["feedback"].grounds) == {"p1", "p2"}
    assert all(update["feedback"].grounds.values())
    assert [item.step for item in update["evidence"]] == ["1.1", "1.2"]


async def test_a_translation_that_was_opened_with_its_page_is_not_read() -> None:
    blobs = MemoryBlobs()
    german = document("regeln", "Ottilie Brandt gründete es.")
    english = document("a", FOUNDED).model_copy(update={"twins": (german.url,)})
    doors, said = listening(blobs)
    reading = (await extract(wave(blobs, english, german), doors, JOINT))["reading"]
    read = [task.document.url for task in said.asked if isinstance(task, ReadAndJudge)]
    assert read == [url("a")]
    assert reading.step == "1.2"


async def test_each_arm_of_a_wave_gets_its_own_lesson() -> None:
    blobs = MemoryBlobs()
    found = passage(FOUNDED, p1=0.9).model_copy(update={"url": url("b")})
    start = wave(blobs, document("a", "Nothing."), document("b", FOUNDED))
    left = Verdict(sufficient=False, covered=("p1",), open=("p2",))
    start = replace(start, evidence=(entry(1, found, step="1.2"),), verdict=left)
    lessons = (await reflect(start, ports(), ReflectorParams(asked=False)))["lessons"]
    assert {lesson.url: lesson.outcome for lesson in lessons} == {
        url("a"): "infeasible",
        url("b"): "partial",
    }
