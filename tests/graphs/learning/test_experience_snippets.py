"""The steps of a run as snippets: each with all that was done before it, and its page."""

from dataclasses import replace

from forager.browsing.page.aria import node_by_ref, parse_aria, to_element
from forager.domain.actions import Action
from forager.domain.browser import Snapshot, View
from forager.domain.experience import Rationale, Snippet
from forager.domain.state import Meaning, Page, State, Step
from forager.experience.facets import current_moment, host_of
from graphs.learning.experience import learn_snippets
from tests.fakes import FakeEmbedder, MemoryBlobs
from tests.graphs.learning.test_experience_episodes import BLOBS, RUN
from tests.nodes.states import document, state, step, url

STOPPED = replace(RUN, answer=None)
TREE = '- searchbox "Search" [ref=e1]\n- button "Go" [ref=e2]\n'


def learn(start: State, blobs: MemoryBlobs, turn: int = 1) -> tuple[Snippet, ...]:
    return learn_snippets("s1", turn, 5.0, start, blobs, FakeEmbedder())


def walked(blobs: MemoryBlobs) -> State:
    home = document("", links=[f"{url('a')} Of towers", f"{url('b')} Of lamps"])
    there = document("b")
    steps = (step(blobs, home, 1, 1), step(blobs, there, 1, 2))
    return replace(state(urls=[url()]), steps=steps)


def test_a_snippet_has_the_moment_and_the_links_before_it() -> None:
    blobs = MemoryBlobs()
    start = replace(walked(blobs), rationales=(Rationale(id="1.2", text="Lamps are asked for."),))
    first, second = learn(start, blobs)
    assert (first.moment.before, first.page) == ((), "")
    assert second.moment.before == ("Open “Home”",)
    assert second.moment.instruction == "Who founded it?"
    assert second.moment.site == "host"
    assert second.told == "Open “b”"
    assert second.page == "- document “Home”\n  - link “Of towers”\n  - link “Of lamps”"
    assert second.rationale == "Lamps are asked for."
    assert current_moment(start).before == (*second.moment.before, second.told)


def test_snippet_ids_depend_on_session_turn_and_step_only() -> None:
    blobs = MemoryBlobs()
    start = walked(blobs)
    assert [each.id for each in learn(start, blobs)] == [each.id for each in learn(start, blobs)]
    both = {each.id for each in (*learn(start, blobs), *learn(start, blobs, turn=2))}
    assert len(both) == 4


def test_steps_that_led_to_no_verified_quote_were_in_vain() -> None:
    assert [each.outcome for each in learn(RUN, BLOBS)] == ["moved", "moved", "vain", "failed"]
    assert [each.outcome for each in learn(STOPPED, BLOBS)][2] == "moved"


def test_the_instruction_is_the_question_as_understood() -> None:
    blobs = MemoryBlobs()
    start = replace(walked(blobs), meaning=Meaning(text="Who founded the lamp works?"))
    assert learn(start, blobs)[0].moment.instruction == "Who founded the lamp works?"


def test_a_browser_snippet_has_the_page_acted_on() -> None:
    blobs = MemoryBlobs()
    shown = Snapshot(url=url(), tree=TREE)
    view = View(url=url(), blob=blobs.put(shown.model_dump_json().encode()))
    page = Page(url=url(), title="Home")
    node = node_by_ref(parse_aria(TREE), "e2")
    assert node
    click = Action(kind="click", target="e2", element=to_element(node), at="1.1", reason="try it")
    steps = (
        Step(
            id="1.1",
            round=1,
            number=1,
            action=Action(kind="goto", target=url()),
            outcome="moved",
            page=page,
            view=view,
        ),
        Step(id="1.2", round=1, number=2, action=click, outcome="failed", reason="covered"),
    )
    found = learn(replace(state(urls=[url()]), steps=steps), blobs)
    assert found[0].page == ""
    assert found[1].page == "- searchbox “Search”\n- button “Go”"
    assert found[1].told == "Click the button “Go”"
    assert (found[1].outcome, found[1].rationale) == ("failed", "try it")


def test_the_host_of_an_address() -> None:
    assert host_of("https://www.Host.example:8080/a") == "host.example:8080"
    assert host_of("nothing") == ""
