import pytest
from streamlit.testing.v1 import AppTest

from forager.settings import read_kept_values
from tests.endpoint import Endpoint
from ui.server.backend import Backend


def shown() -> None:
    from ui.web.screens.settings import settings_page  # noqa: PLC0415  # the script runs by itself

    settings_page.page()


def page(part: str) -> AppTest:
    at = AppTest.from_function(shown, default_timeout=30)
    at.query_params["part"] = part
    return at.run()


def press(at: AppTest, label: str) -> AppTest:
    [button] = [each for each in at.button if each.label == label]
    return button.click().run()


@pytest.mark.parametrize("part", ["models", "search", "storage", "privacy", "machine", "none"])
def test_every_part_is_drawn(office: Backend, part: str) -> None:
    assert not page(part).exception


def test_a_key_is_kept_used_and_never_shown(office: Backend) -> None:
    at = page("models")
    at.text_input(key="set-openai_api_key").set_value("sk-secret-1")
    press(at, "Save")
    assert not at.exception
    assert read_kept_values(office.settings.data) == {"OPENAI_API_KEY": "sk-secret-1"}
    assert office.settings.openai_api_key
    assert "Set, in keys.env." in [each.value for each in at.caption]
    assert at.text_input(key="set-openai_api_key").value == ""
    again = page("models")
    assert "Set, in keys.env." in [each.value for each in again.caption]
    assert again.text_input(key="set-openai_api_key").value == ""


def test_how_long_and_how_much_is_kept_is_set_here(office: Backend) -> None:
    at = page("storage")
    at.text_input(key="set-keep_days").set_value("90")
    at.text_input(key="set-cache_megabytes").set_value("500")
    press(at, "Save")
    assert not at.exception
    assert (office.settings.keep_days, office.settings.cache_megabytes) == (90.0, 500.0)
    at.text_input(key="set-keep_days").set_value("-1")
    press(at, "Save")
    assert "FORAGER\\_KEEP\\_DAYS is not valid" in at.error[0].value
    assert office.settings.keep_days == 90.0


def test_what_the_environment_says_is_not_changed_here(
    office: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORAGER_MODEL", "openai:own")
    at = page("models")
    assert at.text_input(key="set-model").disabled
    assert "Set by the environment as FORAGER_MODEL." in [each.value for each in at.caption]


def test_a_bad_value_is_said_and_not_kept(office: Backend) -> None:
    at = page("search")
    at.text_input(key="set-search").set_value("nobody")
    press(at, "Save")
    assert "FORAGER\\_SEARCH is not valid" in at.error[0].value
    assert read_kept_values(office.settings.data) == {}


def test_models_are_tried(office: Backend, endpoint: Endpoint) -> None:
    at = page("models")
    assert press(at, "Test connection").success[0].value == "Offline model is ready."
    at.text_input(key="set-model").set_value("openai:any")
    at.text_input(key="set-base_url").set_value("http://127.0.0.1:9/v1")
    press(at, "Save")
    assert "All roles:" in press(at, "Test connection").error[0].value
    at.text_input(key="set-base_url").set_value(endpoint.url)
    press(at, "Save")
    told = press(at, "Test connection").success[0].value
    assert "replied in" in told
    assert "profile=small" in told
