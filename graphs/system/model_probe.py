"""Asks a model for one word, to see whether it can be reached and what a call takes."""

import time
from contextlib import aclosing

from pydantic import Field

from forager.adapters.memory.embeddings.embedder import LexicalOnly
from forager.budget import start_meter
from forager.domain.base import Frozen
from forager.domain.spend import Budget
from forager.ports import Embedder, RoleReply, Task
from forager.prompts.sections import Section, text_section
from forager.settings import Settings
from graphs.runtime.composition import Models
from graphs.sessions.model_choice import settle_models

PROMPT = """\
Somebody wants to know whether you can be reached. Reply with the word they ask for."""
WORD = "ready"


class PingReply(RoleReply):
    """The reply: the word."""

    word: str = Field(description="the word that is asked for")


class Ping(Task[PingReply]):
    """The smallest task with every part of a real one."""

    ROLE = "ping"
    PROMPT = PROMPT
    REPLY = PingReply

    def sections(self) -> tuple[Section, ...]:
        """The word to reply with."""
        return (text_section("Word", WORD),)

    def offline(self, embedder: Embedder) -> PingReply:
        """The word."""
        return PingReply(word=WORD)


class ProbeResult(Frozen):
    """What a call took; `usd` is 0 where the price is not known."""

    line: str
    seconds: float
    tokens: int
    usd: float


async def probe_models(line: str, settings: Settings) -> ProbeResult:
    """Ask the models that a model line names for one word. Raises UsageError and ModelError."""
    settled = settle_models(line, settings, Budget())
    quick = settings.model_copy(update={"model_patience": 0.0, "record": None})

    async def ignore(message: str) -> None:
        """Warnings of a mere test are not shown."""

    began = time.monotonic()
    models = Models(quick, LexicalOnly("nothing is ranked"))
    async with aclosing(models.open(settled)) as model:
        with start_meter(warn=ignore) as used:
            await model.ask(Ping())
    spend = used.total_spend()
    return ProbeResult(
        line=settled,
        seconds=time.monotonic() - began,
        tokens=spend.tokens_in + spend.tokens_out,
        usd=spend.usd,
    )
