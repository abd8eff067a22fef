"""A language model fills in the forms: questions on one page, which code checks as a person's."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Literal

from pydantic import Field

from bench.make_set.question_form import Filled
from bench.make_set.site_pages import SitePages
from forager.adapters.memory.embeddings.embedder import LexicalOnly
from forager.budget import start_meter
from forager.errors import UsageError
from forager.ports import Embedder, RoleReply, Task
from forager.prompts.sections import Item, Section, text_section
from forager.settings import Settings
from forager.util.concurrency import run_concurrently
from graphs.runtime.composition import Models

PROMPT = """\
You write a question for a test of systems that answer from the pages of a site. You see one of its
pages. Ask for something that this page says, as somebody would who has never seen it: describe the
thing by its use or by what one sees, in other words than the page's, so that a search for the words
of the question does not find the passage. There must be one right answer, and it must be short.

Give the `type`: number, if the answer is a number; table, if it stands in a row of a table; howto,
if the question asks how something is done; yesno, if it is answered by yes or no; else single. Give
the `answer` as the page spells it (or yes, or no), and copy into `quote`, character for character,
the sentence or the row that has it. The question is in the language of the page."""
PAGE_TOKENS = 6_000
PARAGRAPH = "\n\n"
OneQuestion = Literal["single", "table", "number", "yesno", "howto"]
Say = Callable[[str], None]


class WrittenQuestion(RoleReply):
    """A model's question on a page."""

    type: OneQuestion = Field(description="what kind of question it is")
    question: str = Field(description="the question, in other words than the page's")
    answer: str = Field(description="the answer as the page spells it, or yes, or no")
    quote: str = Field(description="the words of the page that have the answer, copied exactly")


class WriteQuestion(Task[WrittenQuestion]):
    """What a model is asked about a page."""

    ROLE = "question_writer"
    PROMPT = PROMPT
    REPLY = WrittenQuestion

    title: str
    text: str

    def sections(self) -> tuple[Section, ...]:
        """The title and the paragraphs of the page; of a long one, the first."""
        paragraphs = [each for each in self.text.split(PARAGRAPH) if each.strip()]
        items = tuple(Item(text=each, relevance=-place) for place, each in enumerate(paragraphs))
        page = Section(title="Page", items=items, tokens=PAGE_TOKENS, running=True)
        return (text_section("Title", self.title), page)

    def offline(self, embedder: Embedder) -> WrittenQuestion:
        """No rule writes questions. Raises UsageError."""
        raise UsageError("The offline model writes no questions.", "Name another model.")


def fill_form(
    site: SitePages, paths: Sequence[str], line: str, settings: Settings, say: Say
) -> dict[str, Filled]:
    """What a model fills in, by path. Raises UsageError and ModelError."""
    return asyncio.run(_ask_all(site, paths, line, settings, say))


async def _ask_all(
    site: SitePages, paths: Sequence[str], line: str, settings: Settings, say: Say
) -> dict[str, Filled]:
    models = Models(settings, LexicalOnly("a writer of questions ranks nothing"))

    async def warn(message: str) -> None:
        say(f"question_writer: {message}")

    async with aclosing(models.open(line)) as model:

        async def ask(path: str) -> tuple[str, Mapping[str, object]]:
            page = site.pages[path]
            with start_meter(warn=warn):
                reply = await model.ask(WriteQuestion(title=page.title or path, text=page.text))
            fields = reply.model_dump(include={"type", "question", "quote"})
            return path, {**fields, "answer": [reply.answer]}

        return dict(await run_concurrently(ask(path) for path in paths))
