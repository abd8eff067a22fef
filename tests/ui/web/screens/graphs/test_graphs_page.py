import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from forager.domain.state import Question
from graphs.spec.drafts import open_drafts
from graphs.spec.edit import without_nodes
from graphs.spec.library import Library, open_library
from graphs.spec.spec import PRESETS, load_graph, preset_names
from ui.server.space_backend import Backend
from ui.web.graph_names import GOOD_FOR, describe_graph_title, describe_graph_use
from ui.web.markdown import escape_markdown
from ui.web.screens.graphs.graph_list import describe_age

MANGO = (PRESETS / "mango.yaml").read_text(encoding="utf-8")
MANGO_OWN = MANGO.replace("name: mango", "name: my-mango")


def shown() -> None:
    from ui.web.screens.graphs import graphs_page  # noqa: PLC0415  # the script runs by itself

    graphs_page.page()


def page(**address: str) -> AppTest:
    at = AppTest.from_function(shown, default_timeout=30)
    for name, value in address.items():
        at.query_params[name] = value
    return at.run()


def at_place(fields: Iterable[Any], place: str) -> Any:
    """The field that is there; its number tells how often it was drawn anew."""
    [found] = [field for field in fields if re.fullmatch(rf"{place}-\d+", str(field.key))]
    return found


@pytest.fixture
def library(office: Backend) -> Library:
    return open_library(office.settings)


def test_the_list_is_drawn(office: Backend, library: Library) -> None:
    library.save("own", MANGO)
    at = page()
    assert not at.exception
    assert [each.value for each in at.header] == ["Your methods", "Shipped with Forager"]


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_drawn(office: Backend, name: str) -> None:
    at = page(graph=name)
    assert not at.exception
    assert describe_graph_title(name) in at.title[0].value.replace("\\", "")


@pytest.mark.parametrize("view", ["Tables", "YAML"])
def test_a_graph_with_a_graph_inside_is_drawn_in_every_view(office: Backend, view: str) -> None:
    at = page(graph="abreast")
    at.session_state["graph-view"] = view
    assert not at.run().exception


def test_a_graph_that_is_not_there_is_said(office: Backend) -> None:
    for address in ({"graph": "none"}, {"graph": "own", "draft": "none"}):
        at = page(**address)
        assert not at.exception
        assert at.title[0].value == "Method not found"


def test_a_preset_is_copied_as_soon_as_it_is_changed(office: Backend, library: Library) -> None:
    at = page(graph="mango")
    at_place(at.selectbox, "graph-node").set_value("navigate").run()
    at_place(at.text_input, "param-navigate-steps").set_value("12").run()
    assert not at.exception
    [draft] = open_drafts(office.settings, library).list()
    assert (draft.name, draft.origin) == ("my-mango", "mango")
    assert draft.spec.nodes["navigate"].params["steps"] == 12
    assert at.query_params["draft"] == draft.id
    assert at_place(at.text_input, "param-navigate-steps").value == "12"
    at.button(key="graph-undo").click().run()
    assert at_place(at.text_input, "param-navigate-steps").value == "10"
    at_place(at.selectbox, "route-navigate-stop").set_value("answer").run()
    assert not at.exception


def listed(at: AppTest) -> list[str]:
    """The headings of the list."""
    return [each.value for each in at.header]


def test_a_draft_that_is_its_preset_again_leaves_no_trace(
    office: Backend, library: Library
) -> None:
    drafts = open_drafts(office.settings, library)
    for _ in range(3):
        at = page(graph="mango")
        at_place(at.selectbox, "graph-node").set_value("navigate").run()
        at_place(at.text_input, "param-navigate-steps").set_value("12").run()
        assert drafts.get(at.query_params["draft"]).name == "my-mango"
        assert at.title[0].value == r"my\-mango"
        at.button(key="graph-undo").click().run()
        assert at.title[0].value == "Site map first"
        assert listed(page()) == ["Shipped with Forager"]
        assert drafts.get(at.query_params["draft"]).redo  # this tab may still redo it
    with closing(sqlite3.connect(office.settings.data / "drafts.sqlite")) as file, file:
        file.execute("UPDATE drafts SET time = time - 7200")
    page()
    assert drafts.list() == ()


def test_a_copy_that_was_asked_for_stays_when_its_only_change_is_undone(
    office: Backend, library: Library
) -> None:
    drafts = open_drafts(office.settings, library)
    at = page(graph="mango")
    next(each for each in at.button if each.label == "Make a copy").click().run()
    id = at.query_params["draft"]
    at_place(at.selectbox, "graph-node").set_value("navigate").run()
    at_place(at.text_input, "param-navigate-steps").set_value("12").run()
    at.button(key="graph-undo").click().run()
    assert not drafts.get(id).undo
    assert [each.name for each in drafts.list()] == ["site-map-first-copy"]
    assert [title.value for title in at.title] == [escape_markdown("Site map first, copy")]
    assert listed(page()) == ["Not saved yet", "Shipped with Forager"]


def test_a_draft_that_a_session_ran_stays_though_it_is_its_preset_again(
    office: Backend, library: Library
) -> None:
    drafts = open_drafts(office.settings, library)
    draft = drafts.begin("my-mango", MANGO, origin="mango")
    drafts.apply_spec(draft.id, draft.spec.model_copy(update={"description": "Mine"}))
    office.sessions.call(
        lambda to: to.start(
            Question(text="Who?", sites=("https://a.example/",)), draft.spec, "offline"
        )
    )
    drafts.undo(draft.id)
    assert drafts.get(draft.id).restored
    assert listed(page()) == ["Not saved yet", "Shipped with Forager"]
    at = page(graph="mango")
    at_place(at.selectbox, "graph-node").set_value("navigate").run()
    at_place(at.text_input, "param-navigate-steps").set_value("12").run()
    assert drafts.get(at.query_params["draft"]).name == "my-mango-2"


def test_a_preset_tells_of_its_changed_copies_to_open_or_drop(
    office: Backend, library: Library
) -> None:
    drafts = open_drafts(office.settings, library)
    draft = drafts.begin("my-mango", MANGO, origin="mango")
    drafts.apply_text(draft.id, draft.text.replace("steps: 10", "steps: 12"))
    at = page(graph="mango")
    told = "A draft of this method, changed just now: navigate: steps 10 → 12"
    assert told in [each.value for each in at.text]
    at.button(key=f"drop-draft-{draft.id}").click().run()
    assert drafts.list() == ()
    at.button(key="undo-drop").click().run()
    assert [each.id for each in drafts.list()] == [draft.id]
    at.button(key=f"open-draft-{draft.id}").click().run()
    assert at.query_params["draft"] == draft.id or at.query_params["draft"] == [draft.id]


def test_drafts_are_deleted_together_and_come_back(office: Backend, library: Library) -> None:
    drafts = open_drafts(office.settings, library)
    one = drafts.begin("one", MANGO)
    assert not [each for each in page().button if each.key == "delete-drafts"]
    other = drafts.begin("other", MANGO)
    at = page()
    assert at.button(key="delete-drafts").label == "Delete 2 drafts"
    at.button(key="delete-drafts").click().run()
    assert drafts.list() == ()
    assert listed(at) == ["Shipped with Forager"]
    at.button(key="undo-delete").click().run()
    assert {each.id for each in drafts.list()} == {one.id, other.id}
    assert listed(at) == ["Not saved yet", "Shipped with Forager"]
    assert not [each for each in at.button if each.key == "undo-delete"]


@pytest.mark.parametrize(
    ("seconds", "age"),
    [(5, "just now"), (60, "1 minute ago"), (7300, "2 hours ago"), (90_000, "1 day ago")],
)
def test_the_age_of_a_draft_is_told_in_its_largest_unit(seconds: float, age: str) -> None:
    assert describe_age(seconds) == age


def test_mend_all_tells_what_it_did_and_is_undone_at_once(
    office: Backend, library: Library
) -> None:
    slips = {
        "survey.none -> answer": "survey.none -> answr",
        "extract.found -> aggregate": "extract.fond -> aggregate",
        "act.moved -> navigate": "act.moved -> act",
    }
    text = MANGO
    for right, wrong in slips.items():
        text = text.replace(right, wrong)
    library.save("slips", text.replace("name: mango", "name: slips"))
    at = page(graph="slips")
    next(each for each in at.button if each.label == "Mend all 2").click().run()
    told = " ".join(each.value for each in at.markdown).replace("\\", "")
    assert "Write survey.none -> answer; Write extract.found -> aggregate." in told
    offered = [each.label.replace("\\", "") for each in at.button if "-mend" in str(each.key)]
    assert "Lead act.moved to navigate" in offered
    assert "or: Lead act.moved to extract" in offered
    at.button(key="undo-mended").click().run()
    assert "Mend all 2" in [each.label for each in at.button]


def test_mend_all_promises_no_more_than_it_does(office: Backend, library: Library) -> None:
    """Of three clear fixes the first makes the others a guess, so each has its own button."""
    text = """
name: begun
nodes:
  interpreter: {type: interpreter}
  navigator: {type: navigator}
  surveyor: {type: surveyor}
edges:
  - interpreter.next -> navigator
  - navigator.act -> surveyor
"""
    library.save("begun", text)
    at = page(graph="begun")
    labels = [each.label for each in at.button]
    assert "Begin at interpreter" in labels
    assert not [label for label in labels if label.startswith("Mend all")]


def test_a_removed_node_leaves_one_fix_that_leads_on_to_where_it_led(
    office: Backend, library: Library
) -> None:
    drafts = open_drafts(office.settings, library)
    text = (PRESETS / "webwalker.yaml").read_text(encoding="utf-8")
    draft = drafts.begin("my-walker", text, origin="webwalker")
    drafts.apply_spec(draft.id, without_nodes(draft.spec, "select"))
    at = page(graph=draft.name, draft=draft.id)
    [fix] = [each for each in at.button if "-mend" in str(each.key) and "bar-" not in str(each.key)]
    assert fix.label.replace("\\", "") == "Connect survey.found to navigate"
    fix.click().run()
    assert not at.exception
    assert "survey.found -> navigate" in map(str, drafts.get(draft.id).spec.edges)


BARE = """name: bare
nodes:
  walk: {type: graph}
edges: [start -> walk, walk.end -> end]
"""


def test_the_graph_inside_a_node_is_chosen_and_then_opened(
    office: Backend, library: Library
) -> None:
    library.save("bare", BARE)
    at = page(graph="bare")
    at_place(at.selectbox, "graph-node").set_value("walk").run()
    [opens] = [button for button in at.button if button.label == "Open it"]
    assert opens.disabled
    at_place(at.selectbox, "inner-walk").set_value("mango").run()
    assert at_place(at.selectbox, "inner-walk").value == "mango"
    [draft] = open_drafts(office.settings, library).list()
    assert draft.spec.inner("walk").hash == load_graph("mango").hash
    [opens] = [button for button in at.button if button.label == "Open it"]
    opens.click().run()
    assert not at.exception
    assert at.query_params["inside"] == "walk"
    assert any("Inside **walk**" in each.value for each in at.markdown)


def test_a_graph_inside_that_is_not_there_leaves_the_editor_open(
    office: Backend, library: Library
) -> None:
    library.save("bare", BARE)
    at = page(graph="bare", inside="walk")
    assert at.title[0].value == "bare"
    assert "holds no graph" in at.error[0].value


def test_a_version_saved_elsewhere_is_told_and_not_overwritten(
    office: Backend, library: Library
) -> None:
    """What a tab changes is the version that it shows."""
    first = library.save("own", MANGO)
    at = page(graph="own")
    at_place(at.selectbox, "graph-node").set_value("navigate").run()
    library.save("own", MANGO.replace("steps: 10", "steps: 12"), "theirs", first.number)
    at_place(at.text_input, "param-navigate-steps").set_value("13").run()
    [draft] = open_drafts(office.settings, library).list()
    assert (draft.base, draft.spec.nodes["navigate"].params["steps"]) == (1, 13)
    assert "Version 2 of own was saved in another tab (“theirs”)." in {t.value for t in at.text}
    at.button(key="graph-elsewhere-show").click().run()
    assert any("Another version was saved in the meantime" in each.value for each in at.markdown)
    at.button(key="graph-undo").click().run()
    assert not at.exception


def test_a_newer_version_is_drawn_with_the_next_click(office: Backend, library: Library) -> None:
    first = library.save("own", MANGO)
    at = page(graph="own")
    at_place(at.selectbox, "graph-node").set_value("navigate").run()
    library.save("own", MANGO.replace("steps: 10", "steps: 12"), "theirs", first.number)
    at.run()
    assert at_place(at.text_input, "param-navigate-steps").value == "12"


def test_a_node_cannot_have_the_name_of_another(office: Backend, library: Library) -> None:
    at = page(graph="mango")
    at_place(at.selectbox, "graph-node").set_value("act").run()
    at_place(at.text_input, "name-act").set_value("navigate").run()
    assert "There is already a node 'navigate'" in at.error[0].value.replace("\\", "")
    at_place(at.text_input, "name-act").set_value("perform").run()
    assert not at.error
    assert at_place(at.selectbox, "graph-node").value == "perform"


def test_a_faulty_parameter_is_shown_as_it_is_written(office: Backend, library: Library) -> None:
    library.save("own", MANGO.replace("steps: 10", "steps: many"))
    at = page(graph="own")
    at_place(at.selectbox, "graph-node").set_value("navigate").run()
    assert not at.exception
    at_place(at.text_input, "param-navigate-steps-json").set_value("14").run()
    assert at_place(at.text_input, "param-navigate-steps").value == "14"


def test_the_cases_of_a_branch_are_lines_and_its_routes_follow_them(
    office: Backend, library: Library
) -> None:
    text = MANGO_OWN.replace("  answer: ", "  decide: {type: branch}\n  answer: ").replace(
        "reflect.continue -> select",
        "reflect.continue -> decide\n  - decide.done -> answer\n  - decide.else -> select",
    )
    library.save("my-mango", text)
    at = page(graph="my-mango")
    at_place(at.selectbox, "graph-node").set_value("decide").run()
    assert not at.exception
    cases = at_place(at.text_area, "param-decide-cases")
    assert cases.value == "open == 0 -> done"
    at = cases.set_value("open == 0 -> done\n\n rounds > 3 -> late ").run()
    assert at_place(at.text_area, "param-decide-cases").value == (
        "open == 0 -> done\nrounds > 3 -> late"
    )
    routes = {str(each.label) for each in at.selectbox}
    assert {"done", "late", "else"} <= routes
    shown = " ".join(str(each.value) for each in at.markdown)
    assert "`spent_calls` model calls so far" in shown
    assert "The route decide\\.late has" in shown  # no edge yet
    assert ":gray[Reads] `draw` `evidence`" in shown


@pytest.mark.parametrize("view", ["Canvas", "Tables", "YAML"])
def test_parameters_are_added_changed_and_removed_beside_every_view(
    office: Backend, library: Library, view: str
) -> None:
    library.save("my-mango", MANGO_OWN)
    at = page(graph="my-mango")
    at.session_state["graph-view"] = view
    at.run()
    at.text_input(key="new-graph-parameter-name").set_value("No")
    at.button(key="add-graph-parameter").click().run()
    assert any("cannot be the name of a parameter" in each.value for each in at.error)
    at.text_input(key="new-graph-parameter-name").set_value("deep")
    at.button(key="add-graph-parameter").click().run()
    at_place(at.number_input, "parameter-default-deep").set_value(7).run()
    at_place(at.text_input, "parameter-help-deep").set_value("clicks").run()
    places = at_place(at.multiselect, "parameter-places-deep")
    assert "survey.pages" in places.options
    assert "select.strategy" not in places.options
    places.set_value(["navigate.steps"]).run()
    [draft] = open_drafts(office.settings, library).list()
    assert draft.spec.parameters["deep"].model_dump() == {
        "type": "integer",
        "default": 7,
        "help": "clicks",
    }
    assert draft.spec.nodes["navigate"].params["steps"] == "$deep"
    assert "  deep: {type: integer, default: 7, help: clicks}\n" in draft.text
    at_place(at.selectbox, "graph-node").set_value("navigate").run()
    refers = at_place(at.selectbox, "param-navigate-steps-refers")
    assert refers.value == "$deep"
    at_place(at.text_input, "parameter-name-deep").set_value("steps at most").run()
    assert any("cannot be the name of a parameter" in each.value for each in at.error)
    at_place(at.text_input, "parameter-name-deep").set_value("most").run()
    [draft] = open_drafts(office.settings, library).list()
    assert draft.spec.nodes["navigate"].params["steps"] == "$most"
    at.button(key="remove-graph-parameter-most").click().run()
    assert not at.exception
    [draft] = open_drafts(office.settings, library).list()
    assert draft.spec.parameters == {}
    assert draft.spec.nodes["navigate"].params["steps"] == 7


def test_a_field_takes_a_parameter_of_the_graph_that_is_typed_and_refuses_what_does_not_fit(
    office: Backend, library: Library
) -> None:
    drafts = open_drafts(office.settings, library)
    text = MANGO_OWN.replace(
        "name: my-mango",
        "name: my-mango\nparameters:\n  deep: {type: integer, default: 7}\n"
        "  way: {type: text, default: greedy}\n  all: {type: boolean, default: true}",
    )
    library.save("my-mango", text)
    at = page(graph="my-mango")
    at_place(at.selectbox, "graph-node").set_value("navigate").run()
    for typed, why in {
        "many": "Steps cannot be 'many'. It has to be a whole number",
        "2.5": "Steps cannot be '2.5'. It has to be a whole number",
        "0": "Steps cannot be '0'. It has to be a whole number (1 ",
        "$dep": "The method has no parameter 'dep'. Did you mean 'deep'?",
        "$way": "$way is of another type.",
    }.items():
        at_place(at.text_input, "param-navigate-steps").set_value(typed).run()
        shown = " ".join(str(each.value) for each in at.markdown).replace("\\", "")
        assert why in shown
        assert at_place(at.text_input, "param-navigate-steps").value == typed
        assert drafts.list() == ()
    at_place(at.text_input, "param-navigate-steps").set_value("$deep").run()
    assert not at.exception
    [draft] = drafts.list()
    assert draft.spec.nodes["navigate"].params["steps"] == "$deep"
    assert "steps: $deep" in draft.text
    assert at_place(at.selectbox, "param-navigate-steps-refers").value == "$deep"
    at.button(key="graph-undo").click().run()
    at_place(at.text_input, "param-navigate-steps").set_value("$deep").run()
    refers = at_place(at.selectbox, "param-navigate-steps-refers")
    refers.set_value("a value of its own").run()
    assert at_place(at.text_input, "param-navigate-steps").value == "7"


def test_a_node_and_the_graph_are_described(office: Backend, library: Library) -> None:
    at = page(graph="mango")
    before = load_graph("mango")
    at_place(at.text_area, "about-graph").set_value("For large manuals. ").run()
    at_place(at.selectbox, "graph-node").set_value("survey").run()
    at_place(at.text_area, "about-survey").set_value("Maps the manual.").run()
    assert not at.exception
    [draft] = open_drafts(office.settings, library).list()
    assert draft.spec.description == "For large manuals."
    assert draft.spec.nodes["survey"].description == "Maps the manual."
    assert "Maps the manual." in draft.text
    same = {"name": "mango", "description": before.description}
    assert draft.spec.model_copy(update=same).hash == before.hash


def test_a_preset_and_its_copy_say_what_they_are_good_for(
    office: Backend, library: Library
) -> None:
    library.copy("forager", "mine")
    for name in ("forager", "mine"):
        described = at_place(page(graph=name).text_area, "about-graph").value
        assert described == GOOD_FOR["forager"] == describe_graph_use(name)
