"""A language model as judge of answers, as the authors of public question sets use one."""

from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any, Generic, Literal, TypeVar

from pydantic import Field

from bench.questions.published_prompts import PublishedComparison
from forager.adapters.memory.embeddings.embedder import LexicalOnly
from forager.adapters.models.chat_calls import NoReplyError
from forager.adapters.models.chat_model import ChatModel
from forager.budget import start_meter
from forager.ports import OFFLINE, Embedder, RoleReply, Task
from forager.prompts.sections import Item, Section, text_section
from forager.settings import Settings
from forager.util.concurrency import run_concurrently
from graphs.experiments.verdicts import Verdict, task_digest
from graphs.runtime.composition import Models

GRADE = """\
You grade answers as a fair teacher grades a quiz. You see the question, the reference answer,
which is taken to be true, and the answer of a student.

Think first, step by step, in `reasoning`: what does the question ask for? Which facts does the
reference give? Does the student's answer state each of them, in whatever words? Does anything in
it contradict one of them? Do not begin with the conclusion. Then give the `grade`:
- CORRECT if it states the facts of the reference that the question asks for and contradicts none;
- INCORRECT if one of them is missing or different, if the answer leaves open which of several
  things holds, or says that it does not know.

Facts alone count. Wording, order, punctuation, language, style and length do not, nor does the way
in which a name, a number or a date is written, as long as it means the same. More than the
reference says is welcome, unless it contradicts the reference. Judge by the reference, not by what
you know."""

FIND = """\
You decide whether the right answer to a question is contained in what somebody replied. You see
the question, the right answer, which is taken to be true, and the reply.

Look for what the right answer means, not for its words: another wording, spelling, unit, order or
language is the same answer where the exact words are not what is asked for. Every fact of the
right answer that matters to the question must be there, and none may be contradicted; anything
beyond that does not matter. Say in `explanation` what you compared and what you found. Then give
the `decision`: TRUE if the reply contains the right answer, else FALSE."""

BY_WORDS = "The string metric decided."
ANSWER_TOKENS = 2000

Key = TypeVar("Key", bound=Hashable)
Say = Callable[[str], None]


class Judged(RoleReply):
    """A judge's reply."""

    reasoning: str = Field(description="what was compared, step by step, and what was found")

    @property
    @abstractmethod
    def right(self) -> bool:
        """Whether the answer is right."""


class Graded(Judged):
    """A reply with reasons, then a grade."""

    grade: Literal["CORRECT", "INCORRECT"] = Field(description="what it comes to")

    @property
    def right(self) -> bool:
        """Whether the grade is CORRECT."""
        return self.grade == "CORRECT"


class Decided(Judged):
    """A reply with reasons, then a decision."""

    decision: Literal["TRUE", "FALSE"] = Field(description="is the right answer contained?")

    @property
    def right(self) -> bool:
        """Whether the decision is TRUE."""
        return self.decision == "TRUE"


JudgedReply = TypeVar("JudgedReply", bound=Judged)


class Comparison(Task[JudgedReply], Generic[JudgedReply]):
    """An answer and its reference; `by_words` is the verdict of a string metric."""

    ROLE = "judge"

    question: str
    reference: str
    answer: str
    by_words: bool

    def sections(self) -> tuple[Section, ...]:
        """Return question and reference as trusted text, and the answer as untrusted text."""
        answer = (Item(text=self.answer),)
        return (
            text_section("Question", self.question),
            text_section("Reference answer", self.reference, 1000),
            Section(title="Answer to judge", items=answer, tokens=ANSWER_TOKENS),
        )


class GradeAnswer(Comparison[Graded]):
    """Chain-of-thought grading, as used by the authors of WebWalker and Mango."""

    PROMPT = GRADE
    REPLY = Graded

    def offline(self, embedder: Embedder) -> Graded:
        """Reply with the verdict of the string metric."""
        grade: Literal["CORRECT", "INCORRECT"] = "CORRECT" if self.by_words else "INCORRECT"
        return Graded(reasoning=BY_WORDS, grade=grade)


class FindAnswer(Comparison[Decided]):
    """The TRUE or FALSE decision of FRAMES (arXiv 2409.12941)."""

    PROMPT = FIND
    REPLY = Decided

    def offline(self, embedder: Embedder) -> Decided:
        """Reply with the verdict of the string metric."""
        return Decided(reasoning=BY_WORDS, decision="TRUE" if self.by_words else "FALSE")


Judgeable = Comparison[Any] | PublishedComparison
"""What a judge is asked: with the project's prompt, or with a published one."""


def comparison_digest(task: Judgeable) -> str:
    """Identifies what a judge is asked."""
    return task.digest() if isinstance(task, PublishedComparison) else task_digest(task)


class Judge:
    """Asks a model for verdicts; its calls are metered apart from those of the sessions."""

    def __init__(self, line: str, model: ChatModel, say: Say) -> None:
        """`line` is the model line, as in a session; warnings go to `say`."""
        self.line = line
        self._model = model
        self._say = say

    async def ask_verdict(self, task: Judgeable) -> Verdict:
        """Return the model's verdict, or the string metric's on a bad reply. Raises ModelError."""

        async def warn(message: str) -> None:
            self._say(f"judge: {message}")

        with start_meter(warn=warn) as used:
            if isinstance(task, PublishedComparison):
                right, reasoning = await self._ask_published(task)
            else:
                reply = await self._model.ask(task)
                right, reasoning = reply.right, reply.reasoning
        spend = used.total_spend()
        return Verdict(
            judge=self.line,
            correct=right,
            reasoning=reasoning,
            asked=comparison_digest(task),
            ruled=reasoning == BY_WORDS,
            calls=len(used.calls),
            tokens_in=spend.tokens_in,
            tokens_out=spend.tokens_out,
            tokens_cached=spend.tokens_cached,
            usd=spend.usd,
        )

    async def _ask_published(self, task: PublishedComparison) -> tuple[bool, str]:
        """Return the verdict of a published prompt and the reply, or the string metric's."""
        if self.line == OFFLINE:
            return task.by_words, BY_WORDS
        try:
            reply = await self._model.ask_text(Comparison.ROLE, task.messages())
        except NoReplyError as why:
            self._say(f"judge: {why}; {BY_WORDS.lower()}")
            return task.by_words, BY_WORDS
        right = task.read(reply)
        if right is None:
            self._say(f"judge: the reply ends without a verdict; {BY_WORDS.lower()}")
            return task.by_words, BY_WORDS
        return right, reply

    async def ask_verdicts(
        self, tasks: Mapping[Key, Judgeable], keep: Callable[[Key, Verdict], None]
    ) -> dict[Key, Verdict]:
        """Ask for all verdicts concurrently; `keep` is called with each as it arrives.

        Raises ModelError, and what `keep` raises.
        """

        async def one(key: Key, task: Judgeable) -> tuple[Key, Verdict]:
            verdict = await self.ask_verdict(task)
            keep(key, verdict)
            return key, verdict

        return dict(await run_concurrently(one(key, task) for key, task in tasks.items()))


@asynccontextmanager
async def open_judge(line: str, settings: Settings, say: Say) -> AsyncIterator[Judge]:
    """Open the judge of a complete model line, with its connections. Raises UsageError."""
    models = Models(settings, LexicalOnly("a judge ranks nothing"))
    async with aclosing(models.open(line)) as model:
        yield Judge(line, model, say)
