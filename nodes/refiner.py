"""Explains the last step in one sentence, for use as an example later."""

from forager.domain.base import Frozen
from forager.domain.experience import Rationale
from forager.domain.state import State, Update
from forager.experience.facets import describe_step
from forager.node_type import NodeType, next_route, state_keys
from forager.offline.refiner import explain_step
from forager.ports import Embedder, Ports, RoleReply, Task
from forager.prompts.sections import Section, list_items, text_section

PROMPT = """\
You see what somebody wants, what they have done so far on a web site, and what they did next. Say
in one sentence why that was the step to take: which element or page it used, and how that serves
what is wanted. Speak of this step alone; do not say whether it worked, and promise nothing."""


class RefinerParams(Frozen):
    """No parameters."""


class Refined(RoleReply):
    """Why a step was taken."""

    rationale: str


class Refine(Task[Refined]):
    """Explain a step; `reason` was given when it was proposed."""

    ROLE = "refiner"
    PROMPT = PROMPT
    REPLY = Refined

    question: str
    before: tuple[str, ...]
    action: str
    reason: str = ""

    def sections(self) -> tuple[Section, ...]:
        """The question, the steps before, and the step."""
        return (
            text_section("Wanted", self.question),
            Section(title="Done so far", items=list_items(self.before, newest=True), tokens=400),
            Section(title="Done next", items=list_items([self.action]), tokens=100),
        )

    def offline(self, embedder: Embedder) -> Refined:
        """What the step shares with the question, or else the reason given for it."""
        return Refined(rationale=explain_step(self.question, self.action, self.reason))


async def refine(state: State, ports: Ports, params: RefinerParams) -> Update:
    """Explain the last step, unless that was done before."""
    step = next(reversed(state.steps), None)
    if step is None or any(known.id == step.id for known in state.rationales):
        return {}
    found = await ports.model.ask(
        Refine(
            question=state.asked,
            before=tuple(describe_step(each) for each in state.steps[:-1]),
            action=describe_step(step),
            reason=step.action.reason,
        )
    )
    return {"rationales": (Rationale(id=step.id, text=found.rationale),)}


NODE_TYPE = NodeType(
    name="refiner",
    family="memory",
    summary="Explains the last step, for use as an example later.",
    function=refine,
    params=RefinerParams,
    routes=("next",),
    route=next_route,
    reads=state_keys("question steps"),
    looks=state_keys("meaning rationales"),
    writes=state_keys("rationales"),
    tasks=(Refine,),
)
