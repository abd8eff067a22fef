"""Mind2Web: what people did on web sites, step by step (arXiv 2306.06070). No answers, no pages."""

import re
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from bench.sets.records import FileForm, RawRecord, check_records, check_unique
from forager.domain.base import Frozen

Op = Literal["CLICK", "TYPE", "SELECT", "HOVER", "ENTER"]
STEP = re.compile(
    rf"\[(?P<role>[^\]]+)\](?P<name>.*?)-> (?P<op>{'|'.join(get_args(Op))})(?:: (?P<value>.*))?",
    re.DOTALL,
)
FORM = FileForm(
    "Mind2Web", "task", "a JSON list of objects with website, confirmed_task and action_reprs"
)


class RecordedAction(Frozen):
    """One step: what was done to which element, and the text that was typed or the option taken."""

    role: str
    name: str
    op: Op
    value: str = ""

    def __str__(self) -> str:
        """As the file writes it."""
        value = f": {self.value}" if self.value else ""
        return f"[{self.role}]  {self.name} -> {self.op}{value}"


def parse_action(text: str) -> RecordedAction:
    """An action such as `[button]  Search -> CLICK`. Raises ValueError."""
    found = STEP.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not an action; write it as '[role]  name -> OP: value'")
    return RecordedAction.model_validate(
        {key: (value or "").strip() for key, value in found.groupdict().items()}
    )


def _parse_text(text: object) -> object:
    return parse_action(text) if isinstance(text, str) else text


class WebTask(Frozen):
    """A task on one web site, and the steps that did it."""

    id: str
    website: str
    domain: str
    subdomain: str
    task: str
    actions: tuple[RecordedAction, ...]


class _Row(RawRecord):
    id: str
    website: str
    domain: str
    subdomain: str
    confirmed_task: str = Field(min_length=1)
    action_reprs: tuple[Annotated[RecordedAction, BeforeValidator(_parse_text)], ...] = Field(
        min_length=1
    )

    def to_task(self) -> WebTask:
        return WebTask(
            id=self.id,
            website=self.website,
            domain=self.domain,
            subdomain=self.subdomain,
            task=self.confirmed_task,
            actions=self.action_reprs,
        )


def load_tasks(path: Path) -> tuple[WebTask, ...]:
    """The tasks of a file. Raises UsageError."""
    rows = check_records(_Row, path, FORM)
    check_unique((row.id for row in rows), path)
    return tuple(row.to_task() for row in rows)
