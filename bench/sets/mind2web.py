"""Mind2Web: recorded steps of tasks on web sites (arXiv 2306.06070), without answers and pages."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from bench.sets.records import FileForm, RawRecord, check_records, check_unique
from forager.domain.actions import BrowserKind
from forager.domain.base import Frozen

Op = Literal["CLICK", "TYPE", "SELECT", "HOVER", "ENTER"]
KINDS: Mapping[Op, BrowserKind] = MappingProxyType(
    {"CLICK": "click", "TYPE": "type", "SELECT": "select", "HOVER": "hover", "ENTER": "press"}
)
STEP = re.compile(
    rf"\[(?P<role>[^\]]+)\](?P<name>.*?)-> (?P<op>{'|'.join(get_args(Op))})(?:: (?P<value>.*))?",
    re.DOTALL,
)
FORM = FileForm(
    "Mind2Web", "task", "a JSON list of objects with website, confirmed_task and action_reprs"
)


class RecordedAction(Frozen):
    """A step: an operation on an element with the text typed or the option chosen."""

    role: str
    name: str
    op: Op
    value: str = ""
    text: str
    """The step as the file has it."""


def parse_action(text: str) -> RecordedAction:
    """Parse an action such as `[button]  Search -> CLICK`. Raises ValueError."""
    found = STEP.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not an action; write it as '[role]  name -> OP: value'")
    parts = {key: (value or "").strip() for key, value in found.groupdict().items()}
    return RecordedAction.model_validate({**parts, "text": text})


def _parse_text(text: object) -> object:
    return parse_action(text) if isinstance(text, str) else text


class WebTask(Frozen):
    """A task on one web site and the steps that accomplished it."""

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
    """Load the tasks of a file. Raises UsageError."""
    rows = check_records(_Row, path, FORM)
    check_unique((row.id for row in rows), path)
    return tuple(row.to_task() for row in rows)
