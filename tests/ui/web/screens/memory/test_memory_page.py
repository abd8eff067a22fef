import asyncio
from contextlib import closing

from pydantic import JsonValue
from streamlit.testing.v1 import AppTest

from forager.adapters.store.sessions.session_store import SessionStore
from tests.ui.web.screens.learned_sites import learn_attempts
from ui.server.pending_deletions import Forgetting
from ui.server.space_backend import Backend
from ui.web.screens.memory.memory_items import list_items, list_uses
from ui.web.screens.memory.memory_tables import describe_item


def shown() -> None:
    from ui.web.screens.memory import memory_page  # noqa: PLC0415  # the script runs by itself

    memory_page.page()


def page(**address: str) -> AppTest:
    at = AppTest.from_function(shown, default_timeout=30)
    for name, value in address.items():
        at.query_params[name] = value
    return at.run()


def test_an_empty_memory_says_what_fills_it(office: Backend) -> None:
    at = page()
    assert not at.exception
    assert any("Nothing is remembered yet" in text.value for text in at.text)


def test_a_site_has_its_own_things(office: Backend) -> None:
    asyncio.run(learn_attempts(office.settings, "*Ona*: <b>answered</b> here."))
    at = page(site="lights.example")
    assert not at.exception
    assert "1 page tried" in [caption.value for caption in at.caption]
    assert [button.label for button in at.button].count("Forget this site…") == 1


def test_pages_and_the_steps_to_them_are_told_apart(office: Backend) -> None:
    asyncio.run(learn_attempts(office.settings, "*Ona*: <b>answered</b> here."))
    at = page()
    assert [tab.label for tab in at.tabs] == ["Pages tried", "Steps", "Saved paths"]
    assert "2 pages tried" in [caption.value for caption in at.caption]


def test_a_search_finds_what_was_learned_from_like_questions(office: Backend) -> None:
    asyncio.run(learn_attempts(office.settings, "*Ona*: <b>answered</b> here."))
    at = page()
    at.text_input(key="words-episode").set_value("lamp").run()
    assert not at.exception
    assert "2 pages tried" in [caption.value for caption in at.caption]


def test_an_item_says_what_it_taught_where_and_who_used_it(office: Backend) -> None:
    asyncio.run(learn_attempts(office.settings, "*Ona*: <b>answered</b> here."))
    newest = list_items()[0]
    with closing(SessionStore(office.settings.data / "sessions.sqlite")) as store:
        recalled: dict[str, JsonValue] = {"best": {"id": "gone"}, "recalled": [newest.id]}
        store.append_event("holm", "recall", "finished", "", recalled)
        store.append_event("holm", "recall", "finished", "", {"best": {"id": "older"}})
    uses = list_uses()
    assert uses == {newest.id: ("holm",), "older": ("holm",)}
    told = describe_item(newest, {"ona": "Who?", "holm": "Why?"}, uses[newest.id])
    assert (told["sign"], told["outcome"], told["told"]) == ("found", "Answered", newest.told)
    assert told["session"] == {"id": "ona", "name": "Who?"}
    assert told["used"] == [{"id": "holm", "name": "Why?"}]
    assert told["page"] == newest.host


def test_two_visits_of_a_page_can_be_told_apart(office: Backend) -> None:
    asyncio.run(learn_attempts(office.settings, "Ona: answered here."))
    newest = list_items()[0]
    items = (newest.model_copy(update={"id": id}) for id in ("ona:1:1.1", "ona:1:3.1", "old"))
    kinds = [describe_item(each, {}, ())["kind"] for each in items]
    assert kinds == ["Page tried on visit 1", "Page tried on visit 3", "Page tried"]


def test_a_session_that_taught_an_item_is_no_use_of_it(office: Backend) -> None:
    """It recalls the item when it is continued."""
    asyncio.run(learn_attempts(office.settings, "*Ona*: <b>answered</b> here."))
    newest = list_items()[0]
    told = describe_item(newest, {"ona": "Who?", "holm": "Why?"}, ("ona", "holm"))
    assert told["used"] == [{"id": "holm", "name": "Why?"}]


def test_a_page_that_forks_learned_again_is_listed_once_and_forgotten_as_a_whole(
    office: Backend,
) -> None:
    asyncio.run(learn_attempts(office.settings, "Ona: something was found here."))
    asyncio.run(learn_attempts(office.settings, "Ona: something was found here.", "fork"))
    assert [sorted(item.ids) for item in list_items()] == [["fork:2", "ona:2"], ["fork:1", "ona:1"]]
    assert "2 pages tried" in [caption.value for caption in page().caption]
    office.forgets.ask(Forgetting(list_items()[0].ids, "Ona"))
    assert [sorted(item.ids) for item in list_items()] == [["fork:1", "ona:1"]]


def test_a_page_of_a_question_that_was_not_found_did_not_answer_it(office: Backend) -> None:
    asyncio.run(learn_attempts(office.settings, "Ona: something was found here."))
    part = list_items()[0].model_copy(update={"outcome": "partial"})
    quoted = "Quoted, but not shown to answer"
    told = describe_item(part, {}, (), "abstained")
    assert (told["sign"], told["outcome"]) == ("nothing", quoted)
    assert describe_item(part, {}, (), "answered")["outcome"] == quoted
    left = part.model_copy(update={"told": "Ona: 6 passages; open: Who?"})
    assert describe_item(left, {}, (), "partial")["outcome"] == "Quoted, with parts left open"
    lesson = "Ona: a part of the question was answered here."
    part = part.model_copy(update={"told": lesson})
    assert describe_item(part, {}, (), "answered")["outcome"] == "Partly answered"
    assert describe_item(part, {}, (), "abstained")["told"] == "Ona: something was found here."
