import asyncio

from streamlit.testing.v1 import AppTest

from forager.episode import Episode
from graphs.memory import Known, open_memory
from ui.server.office import Office


def shown() -> None:
    from ui.screens import memory  # noqa: PLC0415  # the script runs by itself

    memory.page()


def test_what_is_remembered_is_shown_by_site_and_forgotten(office: Office) -> None:
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert not at.exception
    assert any("Nothing is remembered yet" in text.value for text in at.text)
