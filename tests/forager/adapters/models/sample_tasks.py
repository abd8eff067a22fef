"""Tasks for models: small ones for tests, and one of every role."""

from typing import Any

from pydantic import Field

from forager.domain.documents import Document, Link
from forager.domain.survey import SiteSurvey
from forager.ports import Embedder, RoleReply, Task
from forager.prompts.sections import Section, list_items, text_section
from nodes.aggregator import AggregatorParams, EditLedger
from nodes.answerer import AnswererParams, WriteAnswer
from nodes.critic import CriticParams, JudgePart
from nodes.extractor import ExtractorParams, ReadPage
from nodes.navigator.links import ChooseLink
from nodes.reflector import Reflect
from nodes.surveyor import PlanSearch
from tests.nodes.states import entry, part, passage

RULE = "by rule"
LARGEST = 9


class Picked(RoleReply):
    """A number, and why."""

    choice: int = Field(description="the number")
    reason: str = Field("", description="why it")


class Pick(Task[Picked]):
    """Pick a number up to 9."""

    ROLE = "navigator"
    PROMPT = "Pick a number."
    REPLY = Picked

    question: str = "Which one?"
    texts: tuple[str, ...] = ("one", "two")
    tokens: int = 600

    def sections(self) -> tuple[Section, ...]:
        return (
            text_section("Question", self.question),
            Section(title="Texts", items=list_items(self.texts), tokens=self.tokens),
        )

    def offline(self, embedder: Embedder) -> Picked:
        return Picked(choice=-1, reason=RULE)

    def faults(self, reply: Picked) -> list[str]:
        return [f"choice {reply.choice} is too large."] * max(0, reply.choice - LARGEST)


class Conclude(Pick):
    """The last call of a run."""

    ROLE = "answerer"


class Extract(Pick):
    """Another role."""

    ROLE = "extractor"


def make_tasks(topic: str) -> list[Task[Any]]:
    """One task of every role, about a topic."""
    question, asked = f"What is the {topic}?", f"the {topic} of it"
    one, quote = part(text=asked), passage(f"The {topic} is 7.")
    ledger = (entry(1, quote), entry(2, passage(f"A {topic} is not 8.", start=40)))
    page = Document(url="http://host/page", title=topic.title(), text=f"# {topic}\n\nIt is 7.\n")
    links = (Link(id=0, url="http://host/a", text=topic), Link(id=1, url="http://host/b", text="b"))
    return [
        PlanSearch(
            question=question, sites=(SiteSurvey(site="http://host/", pages=3, title=topic),)
        ),
        ChooseLink(
            question=question,
            open=(asked,),
            lessons=(f"{topic} is elsewhere",),
            trail=("Home",),
            page="Home",
            unread=False,
            links=links,
            terms={topic: 1.0},
            least=0.0,
        ),
        ReadPage(question=question, parts=(one,), best={}, document=page, params=ExtractorParams()),
        EditLedger(
            question=question,
            parts=(one,),
            ledger=ledger,
            passages=(quote,),
            params=AggregatorParams(),
        ),
        JudgePart(
            question=question, parts=(one,), ledger=ledger, elsewhere={}, params=CriticParams()
        ),
        Reflect(
            question=question, open=(asked,), trail=("Home",), failures=(), found=(quote.text,)
        ),
        WriteAnswer(question=question, parts=(one,), ledger=ledger, params=AnswererParams()),
    ]
