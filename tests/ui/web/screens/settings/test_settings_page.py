import shlex
import socket
import sys

import pytest
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from forager.adapters.models import model_lines
from forager.settings import read_kept_values
from graphs.sessions.model_choice import OFFLINE, find_model, has_no_model, list_offers
from graphs.system.doctor import MODEL, Check
from graphs.system.tool_servers import list_servers
from tests.endpoint import Endpoint
from tests.forager.adapters.tools.servers import PROGRAM
from ui.server.space_backend import Backend
from ui.web.screens.settings.model_roles import ROLES, join_line, split_line


def shown() -> None:
    from ui.web.screens.settings import settings_page  # noqa: PLC0415  # the script runs by itself

    settings_page.page()


def page(part: str) -> AppTest:
    at = AppTest.from_function(shown, default_timeout=30)
    at.query_params["part"] = part
    return at.run()


def press(at: AppTest, label: str, number: int = 0) -> AppTest:
    """The button of this label; of several, that of the number."""
    return [each for each in at.button if each.label == label][number].click().run()


@pytest.mark.parametrize(
    "part", ["models", "search", "storage", "privacy", "general", "machine", "tools"]
)
def test_every_part_is_drawn(office: Backend, part: str) -> None:
    assert not page(part).exception


def test_every_role_is_explained() -> None:
    assert tuple(ROLES) == model_lines.ROLES


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
    press(again, "Remove")
    assert not office.settings.openai_api_key
    assert [each.value for each in again.toast] == ["Removed. New runs do without it."]


def test_an_endpoint_that_is_saved_but_silent_is_told_and_keys_are_still_offered(
    office: Backend,
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
    at = page("models")
    at.text_input(key="set-base_url").set_value(address)
    press(at, "Save", 1)
    assert office.settings.base_url == address
    silent = "Saved, but it does not answer: new runs use Built-in rules until it does."
    assert silent in at.warning[0].value
    assert "Saved, but it does not answer." in [each.value for each in at.toast]
    assert has_no_model(office.settings)


def test_an_address_that_is_refused_is_not_said_to_be_saved(office: Backend) -> None:
    at = page("models")
    at.text_input(key="set-base_url").set_value("nonsense address")
    press(at, "Test connection", 1)
    assert at.error
    press(at, "Save", 1)
    assert len(at.error) == 1
    assert "is not a web address" in at.error[0].value
    assert not [each.value for each in at.warning if "Saved" in each.value]
    assert not office.settings.base_url


def test_a_key_whose_test_failed_is_not_what_new_questions_use(office: Backend) -> None:
    office.settings = office.settings.model_copy(update={"proxy": "http://127.0.0.1:9"})
    at = page("models")
    at.text_input(key="set-openai_api_key").set_value("sk-wrong")
    press(at, "Test connection")
    assert at.error[0].value.startswith("Could not reach api")
    press(at, "Save")
    assert office.settings.openai_api_key
    found = find_model(office.settings)
    assert (found.line, found.passed_over) == (OFFLINE, "Could not reach api.openai.com.")
    assert "openai:gpt-5-mini" in {offer.line for offer in list_offers(office.settings)}


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
    assert at.selectbox[0].disabled
    assert "Set by the environment as FORAGER_MODEL." in [each.value for each in at.caption]


def test_a_bad_value_is_said_and_not_kept(office: Backend) -> None:
    at = page("search")
    at.text_input(key="set-search").set_value("nobody")
    press(at, "Save")
    assert "FORAGER\\_SEARCH is not valid" in at.error[0].value
    assert read_kept_values(office.settings.data) == {}


@pytest.mark.parametrize(
    ("part", "field", "place"), [("models", "base_url", 1), ("search", "searxng_url", 0)]
)
def test_an_address_that_is_none_is_said_and_not_kept(
    office: Backend, part: str, field: str, place: int
) -> None:
    at = page(part)
    at.text_input(key=f"set-{field}").set_value("hello")
    press(at, "Save", place)
    assert "hello\\' is not a web address" in at.error[0].value
    assert at.text_input(key=f"set-{field}").value == "hello"
    assert read_kept_values(office.settings.data) == {}
    at.text_input(key=f"set-{field}").set_value("http://127.0.0.1:9/v1")
    press(at, "Save", place)
    assert getattr(office.settings, field) == "http://127.0.0.1:9/v1"


def test_an_endpoint_is_tried_as_typed_and_lists_its_models(
    office: Backend, endpoint: Endpoint
) -> None:
    endpoint.models = ["small", "large"]
    at = page("models")
    at.text_input(key="set-base_url").set_value("http://127.0.0.1:9/v1")
    press(at, "Test connection", 1)
    assert at.error[0].value.startswith("Could not connect to 127")
    at.text_input(key="set-base_url").set_value(endpoint.url.removesuffix("/v1"))
    press(at, "Test connection", 1)
    assert "has no list of models at " in at.error[0].value
    at.text_input(key="set-base_url").set_value(endpoint.url)
    press(at, "Test connection", 1)
    assert at.success[0].value == "Connected: 2 models. Choose one below."
    assert at.selectbox(key="model-auto").options[-2:] == ["openai:large", "openai:small"]
    assert read_kept_values(office.settings.data) == {}
    press(at, "Save", 1)
    assert office.settings.base_url == endpoint.url


def test_the_result_of_an_endpoint_stays_while_another_is_tested(
    office: Backend, endpoint: Endpoint
) -> None:
    endpoint.models = ["small", "large"]
    connected, refused = "Connected: 2 models. Choose one below.", "Could not connect to 127"
    at = page("models")
    at.text_input(key="set-base_url").set_value(endpoint.url)
    press(at, "Test connection", 1)
    at.text_input(key="set-openai_base_url").set_value("http://127.0.0.1:9/v1")
    press(at, "Test connection", 0)
    assert [each.value for each in at.success] == [connected]
    assert [each.value.startswith(refused) for each in at.error] == [True]
    press(at, "Test connection", 1)
    assert [each.value for each in at.success] == [connected]
    assert [each.value.startswith(refused) for each in at.error] == [True]
    press(at, "Save", 1)
    assert [each.value for each in at.success] == []
    assert [each.value.startswith(refused) for each in at.error] == [True]


def test_a_saved_key_is_sent_to_its_own_address_alone(office: Backend, endpoint: Endpoint) -> None:
    saved = {"base_url": endpoint.url, "api_key": SecretStr("sk-saved")}
    office.renew(office.settings.model_copy(update=saved))
    at = press(page("models"), "Test connection", 1)
    assert endpoint.requests[-1].headers["authorization"] == "Bearer sk-saved"
    at.text_input(key="set-base_url").set_value(f"{endpoint.url}/")
    press(at, "Test connection", 1)
    assert "authorization" not in endpoint.requests[-1].headers
    at.text_input(key="set-api_key").set_value("sk-typed")
    press(at, "Test connection", 1)
    assert endpoint.requests[-1].headers["authorization"] == "Bearer sk-typed"


def test_it_is_told_where_sessions_and_pages_are_kept(office: Backend) -> None:
    """Of a database its host and name, without the password."""
    files = page("privacy").table[0].value.to_string().replace("\\", "")
    assert files.count("Stay in the data folder.") == 2
    elsewhere = {
        "database_url": SecretStr("postgresql://me:secret@db.example/forager"),
        "blobs": "s3://bucket/pages",
    }
    office.settings = office.settings.model_copy(update=elsewhere)
    told = page("privacy").table[0].value.to_string().replace("\\", "")
    assert "Stored at db.example/forager." in told
    assert "bucket/pages." in told
    assert "secret" not in told


def test_models_are_tried_as_chosen(office: Backend, endpoint: Endpoint) -> None:
    at = page("models")
    assert at.selectbox(key="model-auto").options[:2] == [
        "Automatic (takes what is there)",
        "Built-in rules (no key needed; quotes only)",
    ]
    assert press(at, "Test models").success[0].value == "The built-in rules are ready."
    office.renew(office.settings.model_copy(update={"base_url": "http://127.0.0.1:9/v1"}))
    at.session_state["models-of-api_key"] = ["any"]
    at.run().selectbox(key="model-auto").set_value("openai:any")
    assert "did not reply" in press(at, "Test models").error[0].value
    office.renew(office.settings.model_copy(update={"base_url": endpoint.url}))
    told = press(at, "Test models").success[0].value
    assert "replied in" in told
    assert "profile=small" in told
    press(at, "Save", 2)
    assert office.settings.model == "openai:any"


def test_a_line_of_models_is_a_table_of_roles_and_back() -> None:
    words = split_line("openai:a,base_url=http://h/v1 critic=openai:b profile=small")
    assert words == {
        "All roles": "openai:a,base_url=http://h/v1,profile=small",
        "critic": "openai:b",
    }
    shared = words.pop("All roles")
    assert split_line(join_line(shared, words)) == {"All roles": shared, **words}
    assert join_line("offline", {"critic": "offline"}) == "offline"


def test_the_budget_of_the_start_page_is_chosen_here(office: Backend) -> None:
    at = page("general")
    at.button_group(key="set-default_budget").set_value("quick")
    press(at, "Save")
    assert office.settings.default_budget == "quick"
    assert [each.value for each in at.toast] == ["Saved. New runs use it."]
    at.button_group(key="set-theme").set_value("dark")
    press(at, "Save")
    assert [each.value for each in at.toast] == ["Saved."]


def test_a_tool_server_is_added_tested_and_removed(office: Backend) -> None:
    at = page("tools")
    at.text_input(key="server-name").set_value("lights")
    at.text_input(key="server-place").set_value(shlex.join([sys.executable, PROGRAM]))
    at.text_area(key="server-secrets").set_value("KEY = 0815")
    press(at, "Add")
    assert not at.exception
    [entry] = list_servers(office.settings)
    assert (entry.name, entry.secrets) == ("lights", ("KEY",))
    assert "0815" not in repr(at)
    press(at, "Test connection")
    assert [each.value for each in at.success] == ["Connected: 4 tools."]
    assert list(at.dataframe[0].value["tool"])[:2] == ["look_up", "list_all"]
    press(at, "Remove")
    assert list_servers(office.settings) == ()


def test_a_tool_server_that_cannot_be_had_says_why(office: Backend) -> None:
    at = page("tools")
    at.radio(key="server-kind").set_value("An address").run()
    at.text_input(key="server-name").set_value("far")
    at.text_input(key="server-place").set_value("ftp://x")
    press(at, "Add")
    assert "is not an address" in at.error[0].value
    at.text_input(key="server-place").set_value("http://127.0.0.1:9/mcp")
    press(at, "Add")
    press(at, "Test connection")
    assert "The tool server far could not be reached" in at.error[0].value


def test_that_there_is_no_model_leads_to_where_one_is_added(office: Backend) -> None:
    found = Check(name=MODEL, state="off", found="none", mend="Set FORAGER_MODEL.")
    other = Check(name="Browser", state="missing", found="none", mend="Install one.")

    def script() -> None:
        from ui.web.screens.settings.machine_settings import machine_settings  # noqa: PLC0415

        machine_settings()

    at = AppTest.from_function(script, default_timeout=30)
    at.session_state["checks"] = [found, other]
    at.run()
    assert not at.exception
    assert [each.value for each in at.caption] == ["Install one."]
    (link,) = at.get("page_link")
    assert link.proto.label == "Add a model in Settings, Models"
