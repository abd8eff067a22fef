"""What tool and request nodes share: names to fill in, calls still to make, and their steps."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, JsonValue

from forager.browsing.action_text import describe_action
from forager.budget import current_meter
from forager.domain.actions import BY_TOOL, Action
from forager.domain.approvals import ApprovalRequest
from forager.domain.documents import OpenedPage
from forager.domain.state import Page, State, Step, Update
from forager.errors import ToolError, WebError
from forager.node_type import NodeType, ParamFault, state_keys
from forager.ports import Ports
from forager.questions.subquestions import parts_to_pursue
from forager.util.suggest import did_you_mean

AskFor = Literal["question", "parts"]
Values = Mapping[str, str]
NOT_APPROVED: Final = "It was not approved."
PLACEHOLDER: Final = re.compile(r"(?<!\{)\{([A-Za-z_]\w*)\}(?!\})")
NAMES: Final[Mapping[str, str]] = {
    "{question}": "the question, in words that stand alone",
    "{part}": "the part that is looked up, or the question",
    "{site}": "the first site of the question",
}
"""The names that stand for something of the run, and what that is."""


def values_to_fill_in(state: State, ask_for: AskFor) -> list[Values]:
    """The values of the names: once, or for each part that is open."""
    parts = [part.text for part in parts_to_pursue(state)] if ask_for == "parts" else []
    asked = parts or [state.asked]
    same = {"question": state.asked, "site": next(iter(state.question.sites), "")}
    return [{**same, "part": text} for text in dict.fromkeys(asked)]


def fill_in(
    value: JsonValue, values: Values, written: Callable[[str], str] = lambda text: text
) -> JsonValue:
    """The value with names in its texts replaced; `written` says how, in an address."""
    match value:
        case str():
            return PLACEHOLDER.sub(lambda found: written(values.get(found[1], found[0])), value)
        case list():
            return [fill_in(each, values, written) for each in value]
        case dict():
            return {name: fill_in(each, values, written) for name, each in value.items()}
        case _:
            return value


def unknown_names(param: str, value: JsonValue) -> Iterator[ParamFault]:
    """A fault for each name that stands for nothing."""
    known = [name.strip("{}") for name in NAMES]
    for name in dict.fromkeys(_names_in(value)):
        if name not in known:
            yield ParamFault(
                param=param,
                message=f"{{{name}}} stands for nothing.",
                mend=did_you_mean(name, known) or f"Use {', '.join(NAMES)}.",
            )


def not_made_before(state: State, actions: Iterable[Action]) -> list[Action]:
    """The calls that this run has not made yet, each once."""
    made = [(step.action.kind, step.action.target, step.action.value) for step in state.steps]
    new = {(each.kind, each.target, each.value): each for each in actions}
    return [action for key, action in new.items() if key not in made]


async def make_calls(
    state: State,
    actions: Sequence[Action],
    ports: Ports,
    why: Callable[[Action], str],
    perform: Callable[[Action], Awaitable[OpenedPage]],
) -> tuple[Step, ...]:
    """A step for each call, failed ones first. One for which there is a reason `why` is asked for.

    A reason for a failure that was not told before becomes a warning.
    """
    refused = [
        bool(reason := why(each)) and not await ports.person.ask(_request_for(each, reason))
        for each in actions
    ]
    outcomes = [
        (action, NOT_APPROVED if no else await _try_call(action, perform))
        for action, no in zip(actions, refused, strict=True)
    ]
    before = sum(step.round == state.draw.round for step in state.steps)
    told = {step.reason for step in state.steps}
    steps: list[Step] = []
    for number, (action, outcome) in enumerate(sorted(outcomes, key=_has_page), start=before + 1):
        step = Step(
            id=f"{state.draw.round}.{number}",
            round=state.draw.round,
            number=number,
            action=action,
            outcome="failed",
        )
        if isinstance(outcome, OpenedPage):
            moved = {"outcome": "moved", "page": _page_of(outcome), "cached": outcome.cached}
            steps.append(step.model_copy(update=moved))
            continue
        if outcome not in told:
            told.add(outcome)
            await current_meter().warn(outcome)
        steps.append(step.model_copy(update={"reason": outcome}))
    return tuple(steps)


def called_just_now(state: State) -> list[tuple[Step, Page]]:
    """The pages that the last calls gave and nobody has read; none if something else came after."""
    found: list[tuple[Step, Page]] = []
    for step in reversed(state.steps):
        if step.action.kind not in BY_TOOL or (state.reading and state.reading.step == step.id):
            break
        if step.page:
            found.append((step, step.page))
    return found[::-1]


def _call_route(state: State) -> str:
    """Did the last call give a page?"""
    return "found" if called_just_now(state) else "nothing"


def call_type(
    name: str,
    summary: str,
    function: Callable[..., Awaitable[Update]],
    params: type[BaseModel],
    faults: Callable[[Any], Iterable[ParamFault]],
) -> NodeType:
    """The node type of a role whose calls become steps."""
    return NodeType(
        name=name,
        family="walk",
        summary=summary,
        function=function,
        params=params,
        routes=("found", "nothing"),
        route=_call_route,
        reads=state_keys("question"),
        looks=state_keys("meaning survey draw steps reading feedback verdict"),
        writes=state_keys("steps"),
        faults=faults,
    )


def _request_for(action: Action, why: str) -> ApprovalRequest:
    url = action.target.partition(" ")[2] if action.kind == "request" else ""
    return ApprovalRequest(kind="approve", what=describe_action(action), why=why, url=url)


async def _try_call(
    action: Action, perform: Callable[[Action], Awaitable[OpenedPage]]
) -> OpenedPage | str:
    current_meter().actions += 1
    try:
        return await perform(action)
    except (ToolError, WebError) as error:
        return str(error)


def _has_page(call: tuple[Action, OpenedPage | str]) -> bool:
    return isinstance(call[1], OpenedPage)


def _page_of(opened: OpenedPage) -> Page:
    document = opened.document
    return Page(
        url=document.url,
        title=document.title,
        blob=opened.blob,
        links=len(document.links),
        note=document.note,
        dated=document.dated,
        fetched=opened.fetched,
    )


def _names_in(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield from PLACEHOLDER.findall(value)
        case list():
            for each in value:
                yield from _names_in(each)
        case dict():
            for each in value.values():
                yield from _names_in(each)
