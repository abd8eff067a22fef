import asyncio
import time

from streamlit.testing.v1 import AppTest

from forager.domain.experience import Episode
from graphs.learning.admin import open_memory
from ui.server.backend import Backend

SITES = "http://lights.example/", "http://ports.example/"


def shown() -> None:
    from ui.web.screens.memory import memory_page  # noqa: PLC0415  # the script runs by itself

    memory_page.page()


def page(**address: str) -> AppTest:
    at = AppTest.from_function(shown, default_timeout=30)
    for name, value in address.items():
        at.query_params[name] = value
    return at.run()


async def teach(office: Backend) -> None:
    """One attempt on each site."""
    async with open_memory(office.settings) as known:
        for number, site in enumerate(SITES, 1):
            attempt = Episode(
                id=f"ona:{number}",
                session="ona",
                time=time.time(),
                question="Who lit the lamp?",
                url=site,
                site=site,
                outcome="adequate",
                lesson="*Ona*: <b>answered</b> here.",
            )
            await known.memory.keep([attempt], [])


def test_an_empty_memory_says_what_fills_it(office: Backend) -> None:
    at = page()
    assert not at.exception
    assert any("Nothing is remembered yet" in text.value for text in at.text)


def test_a_site_has_its_own_things(office: Backend) -> None:
    asyncio.run(teach(office))
    at = page(site="lights.example")
    assert not at.exception
    assert at.dataframe[0].value["what"].tolist() == ["*Ona*: <b>answered</b> here."]
    assert [button.label for button in at.button].count("Forget this site…") == 1


def test_a_search_finds_what_was_learned_from_like_questions(office: Backend) -> None:
    asyncio.run(teach(office))
    at = page()
    at.text_input(key="words").set_value("lamp").run()
    assert not at.exception
    assert len(at.dataframe[0].value) == 2
