"""Rewrites a follow-up so that it can be understood without the conversation."""

from forager.domain.base import Frozen
from forager.domain.state import Meaning, State, Update
from forager.node_type import NodeType, next_route, state_keys
from forager.offline.interpreter import resolve_followup
from forager.ports import Embedder, Ports, RoleReply, Task
from forager.prompts.sections import Section, list_items, text_section
from forager.questions.followups import Exchange

PROMPT = """\
You read the questions of a conversation about what web pages say. You see the questions asked so
far, each with what it was taken to mean and its answer, and the newest question.

Write the newest question so that somebody who has not seen the others understands it: put what
"it", "there", "the other one" or a missing subject or verb stand for, in the words of the
conversation. Keep every name, number, date and quoted word of it, and its language. Change nothing
else: a question that stands alone comes back as it is. Never answer it, and add nothing that the
conversation does not say. `context` names in a few words what it is about, such as the product or
the topic of the conversation that it goes on with; it is empty for a new topic."""


class InterpreterParams(Frozen):
    """No parameters."""


class Interpretation(RoleReply):
    """The newest question as it is meant."""

    question: str
    context: str = ""


class Interpret(Task[Interpretation]):
    """Complete a follow-up from the earlier questions, as they were understood."""

    ROLE = "interpreter"
    PROMPT = PROMPT
    REPLY = Interpretation

    question: str
    earlier: tuple[Exchange, ...]

    def sections(self) -> tuple[Section, ...]:
        """The conversation, the newest last, and the question."""
        told = [f"{each.question} — {each.answer}" for each in self.earlier]
        return (
            Section(title="Conversation", items=list_items(told, newest=True), tokens=1200),
            text_section("Newest question", self.question),
        )

    def faults(self, reply: Interpretation) -> list[str]:
        """An empty question."""
        return [] if reply.question.strip() else ["Write the question."]

    def offline(self, embedder: Embedder) -> Interpretation:
        """The question, with the words it depends on if it cannot be understood alone."""
        found = resolve_followup(self.question, self.earlier)
        return Interpretation(question=found.text, context=found.context)


async def interpret(state: State, ports: Ports, params: InterpreterParams) -> Update:
    """Complete the question; a first one is taken as it is."""
    if not state.past:
        return {"meaning": Meaning()}
    earlier = tuple(
        Exchange(
            question=turn.meaning.text or turn.question.text,
            context=turn.meaning.context,
            answer=turn.answer.text if turn.answer else "",
        )
        for turn in state.past
    )
    found = await ports.model.ask(Interpret(question=state.question.text, earlier=earlier))
    return {"meaning": Meaning(text=found.question.strip(), context=found.context.strip())}


NODE_TYPE = NodeType(
    name="interpreter",
    family="prepare",
    summary="Rewrites a follow-up so that it can be understood alone.",
    function=interpret,
    params=InterpreterParams,
    routes=("next",),
    route=next_route,
    reads=state_keys("question"),
    looks=state_keys("past"),
    writes=state_keys("meaning"),
    tasks=(Interpret,),
)
