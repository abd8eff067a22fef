"""How the calls of the Browser port are recorded."""

import asyncio
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any

from pydantic import JsonValue

from forager.adapters.recording.document_tape import PageForm
from forager.adapters.recording.port_recording import (
    CallDescription,
    RecordedCall,
    RecordedCalls,
    ResultForm,
)
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.state import Step
from forager.ports import ActionCheck, ActionResult, Blobs


def browser_calls(blobs: Blobs) -> RecordedCalls:
    """The recorded methods; a replay stores pages and snapshots in `blobs`."""
    return {
        "restore": RecordedCall(_describe_restore, _NothingForm(None)),
        "examine": RecordedCall(_describe_examine, ResultForm(ActionCheck)),
        "perform": RecordedCall(_describe_perform, _PerformedForm(blobs)),
        "render": RecordedCall(_describe_render, PageForm(blobs)),
        "screenshot": RecordedCall(_describe_screenshot, _PictureForm(bytes)),
        "close_tabs": None,
    }


class _NothingForm(ResultForm):
    """The form of a method without a result: an empty object, since null means a missing reply."""

    async def write_result(self, result: None, *arguments: Any) -> JsonValue:
        return {}

    async def read_result(self, reply: object, *arguments: Any) -> None:
        return None


class _PerformedForm(ResultForm):
    """The result of an action, with the snapshot itself in place of its blob."""

    def __init__(self, blobs: Blobs) -> None:
        super().__init__(ActionResult)
        self._blobs = blobs
        self._page = PageForm(blobs)

    async def write_result(self, result: ActionResult, *arguments: Any) -> JsonValue:
        snapshot = await asyncio.to_thread(self._blobs.get, result.view.blob)
        page = await self._page.write_result(result.opened)
        return {**await super().write_result(result), "opened": page, "snapshot": snapshot.decode()}

    async def read_result(self, reply: dict[str, Any], *arguments: Any) -> ActionResult:
        Snapshot.model_validate_json(reply["snapshot"])
        blob = await asyncio.to_thread(self._blobs.put, reply["snapshot"].encode(), "view")
        page = await self._page.read_result(reply["opened"])
        restored = {**reply, "opened": page, "view": {**reply["view"], "blob": blob}}
        result: ActionResult = await super().read_result(restored)
        return result


class _PictureForm(ResultForm):
    """A screenshot in Base64."""

    async def write_result(self, result: bytes, *arguments: Any) -> JsonValue:
        return {"png": b64encode(result).decode()}

    async def read_result(self, reply: dict[str, str], *arguments: Any) -> bytes:
        return b64decode(reply["png"])


def _describe_restore(trajectory: str, steps: Sequence[Step]) -> CallDescription:
    key = " ".join(("stand", trajectory, *(step.id for step in steps)))
    return CallDescription(key, "The state of the trajectory")


def _describe_examine(trajectory: str, action: Action) -> CallDescription:
    name = f"The check of {action.kind} {action.target}"
    return CallDescription(f"examine {trajectory} {_action_text(action)}", name)


def _describe_perform(trajectory: str, action: Action, step: str = "") -> CallDescription:
    name = f"The action {action.kind} {action.target}"
    return CallDescription(f"perform {trajectory} {step} {_action_text(action)}", name)


def _describe_render(url: str) -> CallDescription:
    return CallDescription(f"render {url}", f"The rendered page {url}")


def _describe_screenshot(trajectory: str) -> CallDescription:
    return CallDescription(f"picture {trajectory}", "The screenshot of a page")


def _action_text(action: Action) -> str:
    return action.model_dump_json(exclude={"reason"}, exclude_defaults=True)
