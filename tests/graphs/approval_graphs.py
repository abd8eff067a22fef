"""Scripted nodes of which the actor asks the person before it opens a page."""

from dataclasses import replace

from forager.domain.approvals import ApprovalRequest
from forager.domain.state import State, Update
from forager.ports import Ports
from graphs.spec.spec import GraphSpec, parse_graph
from tests.graphs.scripted import REGISTRY
from tests.graphs.scripted_nodes import Look, NoParams, act
from tests.graphs.scripted_ports import ScriptedWeb

WHY = "It changes something."


async def ask(state: State, ports: Ports, params: NoParams) -> Update:
    """Open the page, a failed step if that was not approved."""
    assert state.proposal
    assert isinstance(ports.web, ScriptedWeb)
    target = state.proposal.action.target
    await ports.model.ask(Look(page=target))
    ports.web.note(f"begin {target}")
    approved = await ports.person.ask(
        ApprovalRequest(kind="approve", what=f"open {target}", why=WHY)
    )
    update = await act(state, ports, params)
    [step] = update["steps"]
    if not approved:
        step = step.model_copy(update={"outcome": "failed", "reason": "It was not approved."})
    return {"steps": (step,)}


async def pass_a_gate(state: State, ports: Ports, params: NoParams) -> Update:
    """Have the first page's gate passed; it is gone when the node runs again. Then ask as ever."""
    assert isinstance(ports.web, ScriptedWeb)
    if not ports.web.noted("gate"):
        ports.web.note("gate")
        await ports.person.ask(ApprovalRequest(kind="take over", what="A CAPTCHA."))
    return await ask(state, ports, params)


async def ask_for_one(state: State, ports: Ports, params: NoParams) -> Update:
    """Ask before the page that is opened first, as ever; open the others."""
    assert state.proposal
    assert isinstance(ports.web, ScriptedWeb)
    asks = f"asks for {state.proposal.action.target}"
    if not ports.web.noted("asks"):
        ports.web.note("asks")
        ports.web.note(asks)
    return await (ask if ports.web.noted(asks) else act)(state, ports, params)


ASKING = {**REGISTRY, "actor": replace(REGISTRY["actor"], function=ask)}
ASKING_ONCE = {**REGISTRY, "actor": replace(REGISTRY["actor"], function=ask_for_one)}
GATED = {**REGISTRY, "actor": replace(REGISTRY["actor"], function=pass_a_gate)}
WITHIN: GraphSpec = parse_graph("""
    name: within
    nodes:
      survey: {type: surveyor, params: {pages: 5}}
      select: {type: selector}
      walk:
        type: graph
        params:
          spec:
            name: walk
            nodes:
              navigate: {type: navigator}
              act: {type: actor}
              extract: {type: extractor}
              aggregate: {type: aggregator}
            edges:
              - start -> navigate
              - navigate.act -> act
              - navigate.aggregate -> extract
              - navigate.stop -> end
              - act.moved -> navigate
              - act.failed -> navigate
              - extract.found -> aggregate
              - extract.nothing -> navigate
              - aggregate.next -> navigate
      answer: {type: answerer}
    edges:
      - start -> survey
      - survey.found -> select
      - survey.none -> answer
      - select.arm -> walk
      - select.exhausted -> answer
      - walk.end -> select
      - answer.end -> end
    """)


class Person:
    """Gives the same answer to every request; `asked` keeps the requests."""

    def __init__(self, *, says: bool | None = True) -> None:
        self.says = says
        self.asked: list[ApprovalRequest] = []

    async def __call__(self, request: ApprovalRequest) -> bool | None:
        self.asked.append(request)
        return self.says
