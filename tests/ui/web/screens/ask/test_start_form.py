import pytest
from streamlit.testing.v1 import AppTest

from forager.adapters.models.endpoint_trials import note_trial
from forager.adapters.models.model_lines import OPENAI_URL
from graphs.spec.library import open_library
from graphs.spec.plugins import load_registry
from graphs.spec.resolved_graph import most_offline_rounds, most_read_whole, most_rounds
from graphs.spec.spec import graph_of
from ui.server.examples.example_sites import QUESTIONS
from ui.server.handbook.handbook_site import HOST
from ui.server.space_backend import Backend
from ui.web.markdown import escape_markdown
from ui.web.screens.ask.ask_state import AskState


def shown() -> None:
    from ui.web.screens.ask import ask_page  # noqa: PLC0415  # the script runs by itself

    ask_page.page()


def form(at: AppTest) -> AskState:
    """What the tab remembers of the form."""
    found = at.session_state["tab-ui.web.screens.ask.ask_state.AskState"]
    assert isinstance(found, AskState)
    return found


def page(**address: str) -> AppTest:
    """The page at an address, drawn once."""
    at = AppTest.from_function(shown, default_timeout=60)
    for name, value in address.items():
        at.query_params[name] = value
    return at.run()


def named(at: AppTest) -> str:
    """The session that the address names."""
    value = at.query_params["session"]
    return value if isinstance(value, str) else value[0]


def started(at: AppTest, question: str, sites: str) -> AppTest:
    """The form filled in and sent."""
    at.text_area(key="question").set_value(question)
    form(at).fill_sites(tuple(sites.split()))
    return at.button(key="begin").click().run()


@pytest.mark.parametrize(
    ("question", "sites", "said"),
    [
        ("", "http://127.0.0.1:1/", "The question is empty. Write what you want to know."),
        ("Who?", "ftp://127.0.0.1/", "ftp"),
        ("Who?", " ".join(f"a{number}.example" for number in range(30)), "names 30 sites"),
    ],
)
def test_what_is_wrong_stands_below_the_card_and_nothing_typed_is_lost(
    office: Backend, question: str, sites: str, said: str
) -> None:
    at = started(page(), question, sites)
    assert not at.exception
    assert [said.replace(".", r"\.") in each.value or said in each.value for each in at.error] == [
        True
    ]
    assert at.text_area(key="question").value == question
    assert form(at).sites == tuple(sites.split())
    assert "session" not in at.query_params


def test_a_private_host_is_allowed_by_one_click_which_starts_the_run(office: Backend) -> None:
    at = started(page(), "Who?", "http://127.0.0.2:1/")
    assert "is a private address" in at.error[0].value
    assert "--allow-private" not in at.error[0].value
    at.button(key="allow").click().run()
    assert not at.exception
    id = named(at)
    session = office.sessions.call(lambda sessions: sessions.get(id))
    assert session.question.sites == ("http://127.0.0.2:1/",)
    assert office.settings.allow_private == (HOST, "127.0.0.2")


def test_all_private_hosts_are_allowed_by_one_click_which_starts_the_run(office: Backend) -> None:
    sites = "http://127.0.0.2:1/", "http://127.0.0.3:1/"
    at = started(page(), "Who?", " ".join(sites))
    told = at.error[0].value.replace("\\", "")
    assert told.startswith("127.0.0.2 and 127.0.0.3 are private addresses")
    button = at.button(key="allow")
    assert button.label.replace("\\", "") == "Allow 127.0.0.2 and 127.0.0.3 and start"
    at = button.click().run()
    assert not at.exception
    id = named(at)
    assert office.sessions.call(lambda sessions: sessions.get(id)).question.sites == sites
    assert office.settings.allow_private == (HOST, "127.0.0.2", "127.0.0.3")
    assert "stay allowed" in at.toast[0].value


def test_a_private_host_is_not_allowed_here_if_the_environment_says_which_are(
    office: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORAGER_ALLOW_PRIVATE", HOST)
    at = started(page(), "Who?", "http://127.0.0.2:1/")
    assert "allow it with" in at.error[0].value
    assert "allow" not in {button.key for button in at.button}


def test_a_model_without_its_key_is_said_beside_it(unkeyed: Backend) -> None:
    at = started(page(), "Who?", "")
    assert "needs a key" in at.error[0].value
    assert at.selectbox(key="model").value == "openai:gpt-5"
    assert at.text_area(key="question").value == "Who?"


def test_a_run_begins_and_the_address_names_it(office: Backend) -> None:
    at = started(page(), "Who lit the lamp?", "127.0.0.1:1 127.0.0.1:2")
    assert not at.exception
    id = named(at)
    session = office.sessions.call(lambda sessions: sessions.get(id))
    assert session.question.sites == ("http://127.0.0.1:1/", "http://127.0.0.1:2/")
    assert session.question.budget.pages == 2000
    assert session.question.budget.tokens == 180_000  # for a model that takes the session over
    assert session.model == "offline"
    assert id in office.running() or office.fault(id) == ""


def test_the_budget_and_what_it_costs_are_said(office: Backend) -> None:
    at = page()
    said = " ".join(each.value for each in at.markdown)
    assert r"**\$0.00**: at most 5 minutes; no model is called." in said
    spec = open_library(office.settings).resolve_named("forager")
    registry = load_registry(office.settings)
    usual, whole = most_offline_rounds(spec, registry), most_read_whole(spec, registry)
    assert f"called. {usual} rounds, and one more for each further sub-question" in said
    assert f"a site of at most {whole} pages is read whole." in said
    at.button_group(key="measure").set_value("Quick").run()
    assert "called. At most 3 rounds." in " ".join(each.value for each in at.markdown)
    assert at.number_input(key="limit-pages-Quick").value == 200
    assert {field.label for field in at.number_input}.isdisjoint({"Model calls", "Tokens"})


def test_method_model_and_limits_are_folded_until_used_or_unusual(office: Backend) -> None:
    at = page()
    line = r"**Best pages first · Built\-in rules · Standard**"
    assert line in [each.value for each in at.markdown]
    assert not at.session_state["choices-fold"]
    at.button_group(key="measure").set_value("Quick").run()
    assert at.session_state["choices-fold"]
    assert form(page(graph="mango")).choices_open
    form(at).choices_open = False
    assert not at.run().session_state["choices-fold"]


def test_no_more_rounds_can_be_asked_for_than_the_method_takes(office: Backend) -> None:
    at = page()
    rounds = next(field for field in at.number_input if field.label == "Rounds")
    spec = open_library(office.settings).resolve_named("forager")
    most = most_rounds(spec, load_registry(office.settings))
    assert rounds.max == most == 10
    said = next(each.value for each in at.caption if "rounds are the most" in each.value)
    assert said.startswith("10 rounds are the most that the method takes, since later ones seldom")
    assert said.endswith("it takes 6, and one more for each further sub-question.")
    other = page(graph="webwalker")
    one = [each.value for each in other.caption if "all that the method takes" in each.value]
    assert one == ["1 round is all that the method takes: it follows links in one go."]
    at.button_group(key="measure").set_value("Quick").run()
    assert next(field for field in at.number_input if field.label == "Rounds").value == 3


def test_the_most_that_a_model_costs_is_said(keyed: Backend) -> None:
    at = page()
    at.selectbox(key="model").set_value("openai:gpt-4.1-mini").run()
    said = " ".join(each.value for each in at.markdown)
    assert (
        r"**at most \$0.29**: at most 5 minutes, 90 model calls, 180,000 tokens. At most 10 rounds."
        in said
    )
    assert {"Model calls", "Tokens"} < {field.label for field in at.number_input}


def test_an_endpoint_that_failed_is_said_and_may_still_be_chosen(keyed: Backend) -> None:
    key, fault = keyed.settings.openai_api_key, "api.openai.com did not accept the key."
    note_trial(OPENAI_URL, key, keyed.settings, fault)
    at = page()
    assert at.selectbox(key="model").value == "offline"
    said = " ".join(each.value for each in at.markdown)
    assert f"Your endpoint is not used unless you choose it: {escape_markdown(fault)}" in said
    assert "openai:gpt-5-mini" in at.selectbox(key="model").options
    note_trial(OPENAI_URL, key, keyed.settings, "")
    said = " ".join(each.value for each in page().markdown)
    assert "is not used unless" not in said


def test_an_example_is_asked_of_its_site_at_one_click(office: Backend) -> None:
    at = page()
    at.button(key="ask-1").click().run()
    id = named(at)
    session = office.sessions.call(lambda sessions: sessions.get(id))
    assert session.question.sites == (office.examples[QUESTIONS[1].site],)
    assert session.model == "offline"


def test_an_example_has_the_limits_that_the_form_shows(office: Backend) -> None:
    at = page()
    at.button_group(key="measure").set_value("Quick").run()
    at.number_input(key="limit-pages-Quick").set_value(70).run()
    at.button(key="ask-1").click().run()
    id = named(at)
    budget = office.sessions.call(lambda sessions: sessions.get(id)).question.budget
    assert (budget.pages, budget.seconds) == (70, 120)


def test_a_site_that_ships_with_it_is_taken_and_left_by_a_click(office: Backend) -> None:
    at = page()
    root = next(iter(office.own_sites))
    icons = [at.button(key="own-site-0").icon]
    at.button(key="own-site-0").click().run()
    assert form(at).sites == (root,)
    icons.append(at.button(key="own-site-0").icon)
    at.button(key="own-site-0").click().run()
    assert form(at).sites == ()
    assert icons == [":material/add:", ":material/check:"]


def test_a_session_that_is_not_there_is_said(office: Backend) -> None:
    at = page(session="onna")
    assert not at.exception
    assert "Run not found" in at.title[0].value
    assert "onna" in at.markdown[-1].value


def test_saved_graphs_are_offered_and_may_be_named_by_the_address(office: Backend) -> None:
    library = open_library(office.settings)
    library.copy("mango", "offered")
    at = page(graph="offered@1")
    assert not at.exception
    assert at.radio(key="graph").value == "offered@1"
    assert {"Site map first", "offered"} <= set(at.radio(key="graph").options)
    assert any("the pages that rank best" in each.value for each in at.caption)
    assert any("the pages that rank best" in each.value for each in page(graph="mango").caption)
    library.delete("offered")


PARAMETRISED = """\
name: mine
parameters:
  mapped: {type: integer, default: 0, help: pages to map}
  broad: {type: boolean, default: false}
nodes:
  survey: {type: surveyor, params: {pages: $mapped}}
  wide: {type: branch, params: {cases: [$broad -> wide], otherwise: narrow}}
  answer: {type: answerer}
edges:
  - start -> survey
  - survey.found -> wide
  - survey.none -> answer
  - wide.wide -> answer
  - wide.narrow -> answer
  - answer.end -> end
"""


def test_the_parameters_of_a_graph_are_asked_for_and_kept_with_the_run(office: Backend) -> None:
    open_library(office.settings).save("mine", PARAMETRISED)
    at = page()
    assert not [each for each in at.number_input if "value-" in str(each.key)]
    at = page(graph="mine")
    assert not at.exception
    [mapped] = [each for each in at.number_input if each.label == "Mapped"]
    assert (mapped.value, mapped.help) == (0, "pages to map")
    mapped.set_value(3)
    [broad] = [each for each in at.checkbox if each.label == "Broad"]
    broad.set_value(True)
    at = started(at, "Who?", f"http://{HOST}:1/")
    assert not at.exception
    id = named(at)
    session = office.sessions.call(lambda sessions: sessions.get(id))
    pinned = {name: own.default for name, own in graph_of(session).parameters.items()}
    assert pinned == {"mapped": 3, "broad": True}
    again = page()
    form(again).edited = session
    again.run()
    [mapped] = [each for each in again.number_input if each.label == "Mapped"]
    assert mapped.value == 3


def test_a_value_that_a_node_refuses_is_said_beside_the_graph(office: Backend) -> None:
    open_library(office.settings).save("mine", PARAMETRISED)
    at = page(graph="mine")
    [mapped] = [each for each in at.number_input if each.label == "Mapped"]
    mapped.set_value(-1)
    at = started(at, "Who?", f"http://{HOST}:1/")
    assert "is not valid" in at.error[0].value
    assert "session" not in at.query_params


def test_a_fault_of_the_question_goes_once_it_is_changed(office: Backend) -> None:
    at = started(page(), "", "http://127.0.0.1:1/")
    assert "The question is empty" in at.error[0].value
    at.text_area(key="question").set_value("Who lit it?").run()
    assert not at.error
    assert not at.exception
