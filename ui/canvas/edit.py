"""What the canvas sends and is sent, as types."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from forager.domain.base import Frozen
from forager.errors import GraphError
from forager.node_type import NodeType, Registry
from graphs.check.checker import Finding
from graphs.spec.spec import GraphSpec


class Edit(Frozen):
    """A graph as it was changed on the canvas.

    `base` is the revision that it was changed from, `number` counts the edits of this `canvas`.
    """

    canvas: str = ""
    base: int
    number: int
    spec: GraphSpec

    @property
    def revision(self) -> int:
        """The revision at which the canvas counts itself with this edit."""
        return self.base + 1


def read_edit(value: object) -> Edit:
    """The edit in a value of the canvas. Raises GraphError."""
    try:
        return Edit.model_validate(value)
    except ValidationError as error:
        raise GraphError(
            "The canvas sent what is no graph.", "Load the page anew; your draft is kept."
        ) from error


def told(
    spec: GraphSpec, revision: int, registry: Registry, findings: Sequence[Finding]
) -> dict[str, Any]:
    """The part of the canvas's data that every graph has."""
    return {
        "revision": revision,
        "spec": spec.model_dump(mode="json"),
        "types": [_type(kind) for kind in registry.values()],
        "findings": [_finding(finding) for finding in findings],
    }


def _type(kind: NodeType) -> dict[str, Any]:
    return {
        "name": kind.name,
        "family": kind.family,
        "summary": kind.summary,
        "routes": list(kind.routes),
        "reads": sorted(kind.reads | kind.looks),
        "writes": sorted(kind.writes),
        "spent": kind.spent,
        "own": getattr(kind, "own", False),
    }


def _finding(finding: Finding) -> Mapping[str, Any]:
    said: dict[str, Any] = finding.model_dump(mode="json")
    return {"fix": None, **said}
