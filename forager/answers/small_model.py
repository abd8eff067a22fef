"""What a small model is asked: whether a quote answers, and to write the answer from a few."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from forager.domain.state import Evidence
from forager.ports import Embedder, Task
from forager.prompts.sections import Item, Section, escape_citations, format_passage, text_section
from forager.text.sentences import split_sentences

CONFIRM_PROMPT = """\
You see a question and numbered quotes from web pages. Decide which quote says the answer. A quote
that is only about the same subject does not say it."""

WRITE_PROMPT = """\
You see a question and numbered quotes from web pages. Write the answer in one or two sentences, in
the language of the question. Use only the quotes. Copy numbers, names and units exactly."""

MAX_QUOTES = 5
QUOTE_TOKENS = 140


class Confirmed(BaseModel):
    """The quote that answers."""

    why: str = Field(description="the words of a quote that answer, or why none does; at most 15")
    quote: int = Field(description="number of the quote that says the answer; 0 if none does")


class WrittenShort(BaseModel):
    """A short answer."""

    quotes: list[int] = Field(description="numbers of the quotes that say the answer")
    answer: str = Field(description="the answer in one or two sentences")


class SmallQuotes(Task[BaseModel]):
    """A question about a few quotes; no rule does it."""

    question: str
    quotes: tuple[Evidence, ...]

    def sections(self) -> tuple[Section, ...]:
        """The question, and the quotes by number."""
        quotes = tuple(
            Item(text=format_passage(str(number), item.passage), relevance=-number)
            for number, item in enumerate(self.quotes, start=1)
        )
        tokens = QUOTE_TOKENS * len(quotes)
        return (
            Section(title="Quotes", items=quotes, tokens=tokens),
            text_section("Question", self.question, 150),
        )

    def chosen(self, numbers: Sequence[int]) -> list[Evidence]:
        """The quotes with these numbers, counted from 1; unknown numbers are left out."""
        return [self.quotes[number - 1] for number in numbers if 1 <= number <= len(self.quotes)]


class ConfirmQuote(SmallQuotes):
    """Decide which quote answers, if any."""

    ROLE = "critic"
    PROMPT = CONFIRM_PROMPT
    REPLY = Confirmed

    def offline(self, embedder: Embedder) -> Confirmed:
        """No quote: the rule of the critic has chosen."""
        return Confirmed(why="", quote=0)


class WriteShort(SmallQuotes):
    """Write the answer from these quotes."""

    ROLE = "answerer"
    PROMPT = WRITE_PROMPT
    REPLY = WrittenShort

    def offline(self, embedder: Embedder) -> WrittenShort:
        """No answer: the rule of the answerer has written one."""
        return WrittenShort(quotes=[], answer="")

    def cited_text(self, reply: WrittenShort) -> str:
        """The answer with each sentence citing the quotes named; empty without an answer."""
        marks = "".join(f"[{item.id}]" for item in self.chosen(reply.quotes))
        answer = escape_citations(" ".join(reply.answer.split()))
        sentences = [answer[start:end].strip() for start, end in split_sentences(answer)]
        return " ".join(f"{each} {marks}" for each in sentences) if marks else ""
