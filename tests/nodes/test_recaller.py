"""What earlier attempts taught comes back: of the arm that was drawn, or of all."""

from dataclasses import replace

from forager.budget import start_meter
from forager.domain.actions import Action
from forager.domain.experience import Episode, Moment, Recalled, Recipe, Snippet
from forager.domain.state import Arm, Draw, Page, Question, State, Step, Turn
from forager.domain.urls import page_identity, pages_at_hand, tried_or_at_hand
from nodes.recaller import RecallerParams, recall
from tests.fake_browser import FakeRecipes
from tests.fake_memory import FakeMemory
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs
from tests.nodes.states import SITE, document, lesson, state, step, url

START = replace(
    state(urls=[url("a"), url("b")]),
    lessons=(lesson(1, url("a")), lesson(2, url("b")), lesson(3, url("a"))),
    draw=Draw(round=4, urls=(url("a"),)),
)


async def test_the_lessons_of_the_drawn_arm_come_back_in_order() -> None:
    update = await recall(START, ports(), RecallerParams())
    assert set(update) == {"recall"}
    assert update["recall"].round == 4
    assert update["recall"].lessons == (
        f"{url('a')}: partial in round 1",
        f"{url('a')}: partial in round 3",
    )


async def test_lessons_of_the_whole_run_come_back_if_wanted() -> None:
    for params in (RecallerParams(episodes="run"), RecallerParams(lessons="run")):
        update = await recall(START, ports(), params)
        assert len(update["recall"].lessons) == 3


async def test_a_first_attempt_recalls_nothing() -> None:
    update = await recall(state(urls=[url("a")]), ports(), RecallerParams())
    assert update["recall"].lessons == ()


async def test_a_recipe_for_the_site_comes_back_until_it_was_tried() -> None:
    begin = Action(kind="goto", target=url("find"))
    recipe = Recipe(question="Who founded it?", site=url(), actions=(begin,))
    doors = ports(recipes=FakeRecipes(recipe))
    update = await recall(START, doors, RecallerParams())
    assert update["recall"].recipe == recipe
    begun = Step(id="3.1", round=3, number=1, action=begin, outcome="moved")
    update = await recall(replace(START, steps=(begun,)), doors, RecallerParams())
    assert update["recall"].recipe is None


async def test_without_an_arm_the_sites_asked_are_looked_at() -> None:
    begin = Action(kind="goto", target=url("find"))
    recipe = Recipe(question="Who founded it?", site=url(), actions=(begin,))
    doors = ports(recipes=FakeRecipes(recipe))
    update = await recall(replace(START, arms=(), draw=Draw(round=1)), doors, RecallerParams())
    assert update["recall"].recipe == recipe


def before(id: str, path: str, likeness: float) -> Recalled:
    """An attempt of an earlier session."""
    episode = Episode(
        id=id,
        session="earlier",
        time=0.0,
        question="Who built it?",
        url=url(path),
        site=url(),
        outcome="partial",
        lesson=f"lesson of {id}",
    )
    return Recalled(episode=episode, likeness=likeness, why="a similar question")


MEMORY = FakeMemory([before("x", "a", 0.9), before("y", "b", 0.5), before("z", "a", 0.0)])


async def test_at_the_start_attempts_on_like_questions_come_back_the_likest_first() -> None:
    update = await recall(START, ports(memory=MEMORY), RecallerParams(episodes="site"))
    recalled = update["recall"]
    assert [each.episode.id for each in recalled.episodes] == ["x", "y", "z"]
    told = [lesson for lesson in recalled.lessons if "earlier" in lesson]
    assert told == [
        f"{url('b')}: lesson of y (earlier, a similar question)",
        f"{url('a')}: lesson of x (earlier, a similar question)",
    ]
    assert recalled.lessons[-1] == f"{url('a')}: partial in round 3"


async def test_later_those_of_the_drawn_arm_join_them() -> None:
    begun = await recall(replace(START, lessons=()), ports(memory=MEMORY), RecallerParams())
    assert [each.episode.id for each in begun["recall"].episodes] == ["x", "z"]
    known = replace(START, recall=begun["recall"], draw=Draw(round=5, urls=(url("b"),)))
    update = await recall(known, ports(memory=MEMORY), RecallerParams())
    assert [each.episode.id for each in update["recall"].episodes] == ["x", "y", "z"]


async def test_for_the_run_alone_the_memory_is_not_asked() -> None:
    update = await recall(START, ports(memory=MEMORY), RecallerParams(episodes="run"))
    assert update["recall"].episodes == ()


async def test_the_reason_why_nothing_was_recalled_is_warned_of_once() -> None:
    memory, heard = FakeMemory(notes=["The memory is lost."]), list[str]()

    async def hear(note: str) -> None:
        heard.append(note)

    with start_meter(warn=hear):
        update = await recall(START, ports(memory=memory), RecallerParams(episodes="site"))
        again = replace(START, recall=update["recall"])
        update = await recall(again, ports(memory=memory), RecallerParams())
    assert heard == ["The memory is lost."]
    assert update["recall"].notes == ("The memory is lost.",)


async def test_pages_of_earlier_turns_come_back_once_and_stay() -> None:
    blobs = MemoryBlobs()
    texts = {"lamp": "The lamp is old.", "horn": "The fog horn sounds.", "sea": "The sea."}
    pages = [step(blobs, document(name, text)).page for name, text in texts.items()]
    lost = Page(url=url("lost"), site=SITE, blob="0" * 64)
    asked = Question(text="Which fog horn is there?", sites=(SITE,))
    past = Turn(number=1, question=asked, pages=(*filter(None, pages), lost))
    start = State(question=asked, past=(past,))
    update = await recall(start, ports(blobs=blobs), RecallerParams(pages=2))
    assert [page.url for page in update["recall"].pages] == [url("horn"), url("sea")]
    later = replace(start, recall=update["recall"], draw=Draw(round=1))
    again = await recall(later, ports(blobs=blobs), RecallerParams())
    assert again["recall"].pages == update["recall"].pages


SNIPPET = Snippet(
    id="s:1:1",
    session="s",
    time=0.0,
    moment=Moment(instruction="Who built it?"),
    action=Action(kind="visit", target=url("c")),
    told="Open c",
)


async def test_steps_like_the_next_one_come_back_where_they_are_wanted() -> None:
    memory = FakeMemory(snippets=[SNIPPET, SNIPPET])
    update = await recall(START, ports(memory=memory), RecallerParams(snippets=1))
    assert update["recall"].snippets == (SNIPPET,)
    assert [each.instruction for each in memory.moments] == ["Who founded it?"]
    for params in (RecallerParams(), RecallerParams(snippets=1, facets="none")):
        update = await recall(START, ports(memory=memory), params)
        assert update["recall"].snippets == ()
    assert len(memory.moments) == 1


async def test_pages_that_served_the_same_question_are_at_hand_while_they_stay_the_same() -> None:
    blobs = MemoryBlobs()
    known, other = (step(blobs, document(name, f"The {name}.")).page for name in ("lamp", "horn"))
    assert known
    assert other
    episode = Episode(
        id="x",
        session="earlier",
        time=0.0,
        question="Which lamp?",
        url=known.url,
        site=SITE,
        outcome="adequate",
        served=(known.url, other.url),
        blobs={known.url: known.blob, other.url: other.blob},
    )
    start = State(question=Question(text="Which lamp?", sites=(SITE,)))
    params = RecallerParams(episodes="site", pages=4)

    async def recalled(likeness: float) -> State:
        memory = FakeMemory([Recalled(episode=episode, likeness=likeness)])
        update = await recall(start, ports(memory=memory, blobs=blobs), params)
        arms = (Arm(url=known.url, blob=known.blob), Arm(url=other.url, blob="another now"))
        return replace(start, recall=update["recall"], arms=arms)

    assert [page.url for page in pages_at_hand(await recalled(1.0))] == [known.url]
    assert pages_at_hand(await recalled(0.9)) == ()
    assert tried_or_at_hand(await recalled(1.0)) == {page_identity(known.url)}
