"""Chooses one of its routes by conditions on figures of the state. It asks nobody."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from pydantic import Field

from forager.conditions.condition import Condition, read_condition
from forager.conditions.figures import FIGURES
from forager.conditions.reachable import first_holding
from forager.domain.base import Frozen
from forager.domain.state import Question, State, Update
from forager.errors import ConditionError
from forager.node_type import NodeType, ParamFault
from forager.ports import Ports
from forager.util.suggest import nearest_name

CASE = re.compile(r"(.*)->([^>]*)", re.DOTALL)
ROUTE = re.compile(r"[a-z][a-z0-9_]{0,39}")
EXAMPLE = "open == 0 -> done"
OPEN = "open"
_NOTHING_OPEN = State(question=Question(text="?", sites=()))
"""A state in which no part is open: the route of a branch that asks for that is the way out."""


class BranchParams(Frozen):
    """The conditions in order, and the route that is taken if none holds."""

    cases: tuple[str, ...] = Field(
        (EXAMPLE,),
        min_length=1,
        max_length=20,
        description="condition -> route; the first condition that holds decides",
        json_schema_extra={
            "names": {
                name: figure.help
                + (f": {', '.join(filter(None, figure.choices))}" if figure.choices else "")
                for name, figure in FIGURES.items()
            }
        },
    )
    otherwise: str = Field(
        "else", pattern=f"^{ROUTE.pattern}$", description="the route if no condition holds"
    )


class _Case(NamedTuple):
    condition: str
    route: str


async def branch(state: State, ports: Ports, params: BranchParams) -> Update:
    """Change nothing: the route is chosen from the state alone."""
    return {}


def _parse_case(text: str) -> _Case:
    found = CASE.fullmatch(text)
    return _Case(found[1].strip(), found[2].strip()) if found else _Case(text.strip(), "")


def _wire(params: BranchParams) -> Mapping[str, Any]:
    """The routes of a branch with these cases, and the state keys that it looks at."""
    cases = [_parse_case(text) for text in params.cases]
    routes = dict.fromkeys([*(case.route for case in cases if case.route), params.otherwise])
    read = [(_read_or_none(case.condition), case.route) for case in cases]
    figures = chain.from_iterable(each.figures.values() for each, _ in read if each)

    def route(state: State) -> str:
        holding = (route for each, route in read if each and each.holds_in(state))
        return next(holding, params.otherwise)

    keys = frozenset(key for figure in figures for key in figure.keys)
    asked = any(
        OPEN in (figure.name for figure in each.figures.values()) for each, _ in read if each
    )
    enough = route(_NOTHING_OPEN) if asked and len(routes) > 1 else ""
    return {"routes": tuple(routes), "route": route, "looks": keys, "enough": enough}


def _read_or_none(text: str) -> Condition | None:
    """The condition; None for one that is not written correctly, which the checker reports."""
    try:
        return read_condition(text)
    except ConditionError:
        return None


def _find_faults(params: BranchParams) -> Iterator[ParamFault]:
    read = list[Condition]()
    for place, text in enumerate(params.cases):
        case = _parse_case(text)
        if not ROUTE.fullmatch(case.route):
            yield _route_fault(params, place, case)
            continue
        try:
            read.append(read_condition(case.condition))
        except ConditionError as error:
            shown = f"{text.strip()!r} is not a condition (character {error.place})."
            yield ParamFault(
                param="cases",
                message=f"{shown} {error.what}",
                mend=error.mend,
                **_correct(params, place, error),
            )
    if {_parse_case(text).route for text in params.cases} == {params.otherwise}:
        yield ParamFault(
            param="cases",
            message=f"All cases lead to the route {params.otherwise!r}.",
            mend="Give a case another route.",
        )
    elif len(read) == len(params.cases):
        yield from _vain_cases(params, read)


def _route_fault(params: BranchParams, place: int, case: _Case) -> ParamFault:
    text = params.cases[place].strip()
    if not case.route:
        return ParamFault(
            param="cases",
            message=f"{text!r} does not say which route it takes.",
            mend="Write `condition -> route`, for example `open == 0 -> done`.",
        )
    return ParamFault(
        param="cases",
        message=f"{case.route!r} cannot be the name of a route.",
        mend="Use lower-case letters, digits and _, starting with a letter.",
    )


def _correct(params: BranchParams, place: int, error: ConditionError) -> dict[str, Any]:
    """The case with a misspelt figure written correctly, if that leaves no fault in it."""
    condition, route = _parse_case(params.cases[place])
    found = re.compile(r"\w+").match(condition, error.place - 1)
    near = nearest_name(found[0], FIGURES) if found and found[0] not in FIGURES else ""
    if not found or not near:
        return {}
    right = f"{condition[: found.start()]}{near}{condition[found.end() :]}"
    if _read_or_none(right) is None:
        return {}
    cases = [*params.cases[:place], f"{right} -> {route}", *params.cases[place + 1 :]]
    return {"value": cases, "label": f"Write {near!r} for {found[0]!r}"}


def _without(params: BranchParams, place: int) -> dict[str, Any]:
    """The cases without one of them, unless it is the only one."""
    left = [*params.cases[:place], *params.cases[place + 1 :]]
    return {"value": left, "label": f"Remove {params.cases[place]!r}"} if left else {}


def _vain_cases(params: BranchParams, read: Iterable[Condition]) -> Iterator[ParamFault]:
    """Cases that never decide, and routes that are therefore never taken."""
    conditions = list(read)
    first = first_holding(conditions)
    if first is None:
        return
    cases = [_parse_case(text) for text in params.cases]
    taken = {cases[place].route for place in first if place < len(cases)}
    taken |= {params.otherwise} if len(cases) in first else set()
    for place, case in enumerate(cases):
        if place in first:
            continue
        alone = first_holding([conditions[place]])
        why = (
            f"{case.condition!r} cannot hold."
            if alone and 0 not in alone
            else f"{case.condition!r} holds only where an earlier one does."
        )
        vain = "" if case.route in taken else f" The route {case.route!r} is never taken."
        yield ParamFault(
            param="cases",
            by_value=True,
            severity="warning" if case.route in taken else "error",
            message=why + vain,
            mend="Correct it, or remove the case.",
            **_without(params, place),
        )
    if params.otherwise not in taken:
        yield ParamFault(
            param="otherwise",
            by_value=True,
            message=f"One of the cases always holds, so the route {params.otherwise!r} "
            "is never taken.",
            mend="Correct the cases, or let the last of them be `otherwise`.",
        )


_DEFAULT = _wire(BranchParams())

NODE_TYPE = NodeType(
    name="branch",
    family="judge",
    summary="Chooses a route by conditions on figures such as open and rounds.",
    function=branch,
    params=BranchParams,
    routes=_DEFAULT["routes"],
    route=_DEFAULT["route"],
    looks=_DEFAULT["looks"],
    enough=_DEFAULT["enough"],
    by_params=_wire,
    faults=_find_faults,
    conditions=frozenset({"cases"}),
)
