import asyncio

from streamlit.testing.v1 import AppTest

from tests.ui.web.screens.learned_sites import learn_attempts
from ui.server.backend import Backend


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
    assert at.dataframe[0].value["what"].tolist() == ["*Ona*: <b>answered</b> here."]
    assert [button.label for button in at.button].count("Forget this site…") == 1


def test_a_search_finds_what_was_learned_from_like_questions(office: Backend) -> None:
    asyncio.run(learn_attempts(office.settings, "*Ona*: <b>answered</b> here."))
    at = page()
    at.text_input(key="words").set_value("lamp").run()
    assert not at.exception
    assert len(at.dataframe[0].value) == 2
