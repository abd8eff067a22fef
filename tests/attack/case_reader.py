"""Reads the attacks of a chapter."""

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

CASES = Path(__file__).parent / "cases"


def read_cases(chapter: str) -> list[dict[str, Any]]:
    """The attacks of a chapter, each with a name of its own."""
    found: list[dict[str, Any]] = YAML(typ="safe", pure=True).load(CASES / f"{chapter}.yaml")
    names = [case["name"] for case in found]
    assert found
    assert len(set(names)) == len(names)
    return found


def case_name(case: dict[str, Any]) -> str:
    """What a test of the attack is called."""
    return str(case["name"])
