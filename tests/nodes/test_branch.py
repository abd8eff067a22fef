"""A branch changes nothing, and takes the route of the first condition that holds."""

from dataclasses import replace

import pytest
from pydantic import JsonValue, ValidationError

from forager.domain.state import Draw
from forager.node_type import NodeType, ParamFault
from graphs.spec.registry import REGISTRY
from nodes.branch import BranchParams, branch
from tests.fake_ports import ports
from tests.nodes.states import entry, passage, state


def kind_with(*cases: str, otherwise: str = "else") -> NodeType:
    return REGISTRY["branch"].for_params({"cases": list(cases), "otherwise": otherwise})


def faults(*cases: str, otherwise: str = "else") -> list[ParamFault]:
    return list(REGISTRY["branch"].faults(BranchParams(cases=cases, otherwise=otherwise)))


async def test_it_changes_nothing() -> None:
    assert await branch(state(), ports(), BranchParams()) == {}


def test_the_first_condition_that_holds_decides() -> None:
    kind = kind_with("quotes >= 2 -> much", "rounds > 3 -> late", "quotes == 1 -> little")
    assert kind.routes == ("much", "late", "little", "else")
    empty, late = state(), replace(state(), draw=Draw(round=4))
    one = (entry(1, passage("a")),)
    two = (*one, entry(2, passage("b")))
    for given, route in (
        (empty, "else"),
        (late, "late"),
        (replace(empty, evidence=one), "little"),
        (replace(late, evidence=one), "late"),
        (replace(late, evidence=two), "much"),
    ):
        assert kind.route(given) == route


def test_it_looks_at_what_its_figures_are_read_from() -> None:
    assert kind_with("rounds > 3 -> late").looks == {"draw"}
    assert kind_with("quotes > 3 or spent_usd > 1 -> a").looks == {"evidence", "spend"}
    assert not kind_with("rounds > 3 -> late").reads


def test_cases_may_share_a_route() -> None:
    assert kind_with("open == 0 -> a", "rounds > 3 -> a", otherwise="b").routes == ("a", "b")
    assert faults("open == 0 -> a", "rounds > 3 -> a", otherwise="b") == []


@pytest.mark.parametrize("params", [{"cases": []}, {"cases": [3]}, {"otherwise": "No way"}])
def test_parameters_of_wrong_types_are_refused(params: dict[str, JsonValue]) -> None:
    with pytest.raises(ValidationError):
        BranchParams.model_validate(params)
    assert REGISTRY["branch"].for_params(params) == REGISTRY["branch"]


def only(*cases: str, otherwise: str = "else") -> ParamFault:
    (fault,) = faults(*cases, otherwise=otherwise)
    return fault


def test_a_wrong_condition_is_shown_with_its_place_and_mended() -> None:
    fault = only(" covred > 0 and opn == 0 -> done")
    assert fault.message == (
        "'covred > 0 and opn == 0 -> done' is not a condition (character 1). "
        "There is no figure 'covred'."
    )
    assert (fault.mend, fault.value) == ("Did you mean 'covered'?", None)
    fault = only("rounds > 2 -> late", "opn == 0 -> done")
    assert "character 1" in fault.message
    assert fault.value == ["rounds > 2 -> late", "open == 0 -> done"]


def test_a_case_without_a_route_is_explained() -> None:
    assert only("open == 0").message == "'open == 0' does not say which route it takes."
    assert "`open == 0 -> done`" in only("open == 0").mend
    assert only("open == 0 -> Done it").message == "'Done it' cannot be the name of a route."


def test_a_branch_has_two_routes() -> None:
    assert only("open == 0 -> else").message == "All cases lead to the route 'else'."


def test_a_route_that_is_never_taken_is_an_error() -> None:
    fault = only("open < 0 -> done")
    assert fault.severity == "error"
    assert fault.message == "'open < 0' cannot hold. The route 'done' is never taken."
    fault = only("open >= 0 -> done")
    assert fault.param == "otherwise"
    assert "the route 'else' is never taken" in fault.message


def test_a_case_that_never_decides_is_a_warning_while_its_route_is_taken() -> None:
    fault = only("open < 4 -> few", "open < 2 -> few")
    assert (fault.severity, fault.value) == ("warning", ["open < 4 -> few"])
    assert fault.message == "'open < 2' holds only where an earlier one does."
