"""Asks a model two small questions: can it be reached, what does a call take, how good is it?"""

import time
from contextlib import aclosing
from typing import Literal

from pydantic import BaseModel, Field

from forager.adapters.memory.embeddings.embedder import LexicalOnly
from forager.adapters.models.model_lines import OFFLINE, OPENAI_URL, ProfileChoice
from forager.adapters.models.model_list import list_model_names
from forager.budget import start_meter
from forager.domain.base import Frozen
from forager.domain.spend import Budget
from forager.ports import Embedder, Model, RoleReply, Task
from forager.prompts.sections import Section, list_items, text_section
from forager.settings import Settings
from graphs.runtime.composition import Models
from graphs.runtime.tracing import tracing_as_set
from graphs.sessions.model_choice import settle_models

__all__ = ["OPENAI_URL", "ProbeResult", "describe_profile", "list_model_names", "probe_models"]

PROMPT = """\
You read a page for a team, and copy out what it says. You see the parts of a question, each with an
id, and the lines of the page. Copy, letter for letter, each line that answers a part, and give the
part that it answers. A line about something similar answers nothing. In `open` go the ids of the
parts that no line answers."""
PARTS = ("p1: How high is the tower of Holm?", "p2: Who painted the tower of Holm?")


class CopiedLine(BaseModel):
    """A line of the page."""

    part: str = Field(description="id of the part that it answers")
    quote: str = Field(description="the line, letter for letter")


class ProbeReply(RoleReply):
    """What the page says."""

    lines: list[CopiedLine] = Field(description="the lines copied; empty if none answers")
    open: list[str] = Field(description="ids of the parts that no line answers")


class Probe(Task[ProbeReply]):
    """Copy from a page what answers; the shape is that of a real task."""

    ROLE = "probe"
    PROMPT = PROMPT
    REPLY = ProbeReply

    page: tuple[str, ...]
    answered: dict[str, str]

    def sections(self) -> tuple[Section, ...]:
        """The parts, and the page."""
        return (
            text_section("Parts", "\n".join(PARTS)),
            Section(title="Page", items=list_items(self.page), tokens=300),
        )

    def offline(self, embedder: Embedder) -> ProbeReply:
        """The right reply."""
        lines = [CopiedLine(part=part, quote=quote) for part, quote in self.answered.items()]
        open = [part for part in ("p1", "p2") if part not in self.answered]
        return ProbeReply(lines=lines, open=open)

    def is_right(self, reply: ProbeReply) -> bool:
        """Are the right lines copied, and those alone, and is the rest open?"""
        copied = {each.part: each.quote.lstrip("- ").strip() for each in reply.lines}
        return copied == self.answered and set(reply.open) == {"p1", "p2"} - set(self.answered)


PROBES = (
    Probe(
        page=("The tower of Skarn is 31 metres high.", "The tower of Holm is 41 metres high."),
        answered={"p1": "The tower of Holm is 41 metres high."},
    ),
    Probe(
        page=("Ida Brandt painted the boats of Holm.", "The tower of Holm was built in 1874."),
        answered={},
    ),
)


class ProbeResult(Frozen):
    """What the calls took, and the profile that fits; `usd` is 0 where the price is not known."""

    line: str
    seconds: float
    tokens: int
    usd: float
    profile: ProfileChoice | Literal[""] = ""


async def probe_models(line: str, settings: Settings) -> ProbeResult:
    """Ask the model that a model line names two questions. Raises UsageError and ModelError.

    A model that gets one of them wrong, or gives no usable reply, is taken for a small one.
    """
    settled = settle_models(line or OFFLINE, settings, Budget())
    if settled == OFFLINE:
        return ProbeResult(line=settled, seconds=0.0, tokens=0, usd=0.0)
    quick = settings.model_copy(update={"model_patience": 0.0, "record": None})

    async def ignore(message: str) -> None:
        """Discard the warnings of a probe."""

    began = time.monotonic()
    models = Models(quick, LexicalOnly("nothing is ranked"))
    async with aclosing(models.open(f"{settled},profile=large")) as model:
        with start_meter(warn=ignore) as used, tracing_as_set(settings):
            right = [await _answers_rightly(model, probe) for probe in PROBES]
    spend = used.total_spend()
    capable = all(right) and not used.unanswered
    return ProbeResult(
        line=settled,
        seconds=time.monotonic() - began,
        tokens=spend.tokens_in + spend.tokens_out,
        usd=spend.usd,
        profile="large" if capable else "small",
    )


def describe_profile(result: ProbeResult) -> str:
    """Which profile fits the model, and how to choose it."""
    if result.profile == "small":
        return f"It failed a reading test; use {result.line},profile=small."
    return "It passed a reading test."


async def _answers_rightly(model: Model, probe: Probe) -> bool:
    return probe.is_right(await model.ask(probe))
