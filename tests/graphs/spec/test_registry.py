import importlib
import inspect
import pkgutil
import re
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

import pytest

import nodes
from forager.answers.small_model import SmallQuotes
from forager.domain.state import State, Update
from forager.node_type import KEYS_GIVEN, NodeType
from forager.ports import Task
from graphs.check.checker import find_faults
from graphs.spec.registry import REGISTRY
from graphs.spec.resolved_graph import KEYS_MERGED
from graphs.spec.spec import load_graph, preset_names

KEYS = {field.name for field in fields(State)}


def test_each_file_of_nodes_is_in_the_registry() -> None:
    files = {module.name for module in pkgutil.iter_modules(nodes.__path__)}
    listed = {kind.function.__module__.split(".")[1] for kind in REGISTRY.values()}
    assert listed == files, (
        "import its NODE_TYPE in graphs/spec/registry.py, and add it to _TYPES there"
    )


def test_each_type_is_explained() -> None:
    text = (Path(nodes.__path__[0]).parent / "docs" / "nodes.md").read_text(encoding="utf-8")
    missing = [name for name in REGISTRY if f"- The **{name}** " not in text]
    assert missing == [], "say in docs/nodes.md what it does: “- The **NAME** …”"


@pytest.mark.parametrize("name", preset_names())
def test_presets_have_no_faults(name: str) -> None:
    assert list(map(str, find_faults(load_graph(name)))) == []


@pytest.mark.parametrize("kind", REGISTRY.values(), ids=lambda kind: kind.name)
def test_a_type_says_what_is_true(kind: NodeType) -> None:
    unknown = (kind.reads | kind.looks | kind.writes) - KEYS
    assert not unknown, (
        "State has no such key: correct the name, or add the key to State and to Update in "
        "forager/domain/state.py"
    )
    assert not kind.reads & kind.looks, "name a key in one of them: in `looks` if it may be empty"
    assert kind.spent in {"", *kind.routes}
    assert kind.ends_loops == (kind.name in {"selector", "navigator"})
    assert kind.summary.endswith(".")
    assert inspect.iscoroutinefunction(kind.function)
    hints = get_type_hints(kind.function)
    assert hints["params"] is kind.params
    assert hints["return"] is Update
    assert kind.params.model_config.get("frozen")
    assert kind.params.model_config.get("extra") == "forbid"
    bare = [name for name, field in kind.params.model_fields.items() if not field.description]
    assert not bare, "write Field(default, description=…): the editor and the handbook show it"


def test_each_key_has_one_writer_unless_it_is_merged_by_id() -> None:
    writers = {
        key: [kind.name for kind in REGISTRY.values() if key in kind.writes]
        for key in KEYS - KEYS_GIVEN
    }
    assert {key for key, names in writers.items() if not names} == set(), "no node writes it"
    several = {key: names for key, names in writers.items() if len(names) > 1}
    replaced = {key: names for key, names in several.items() if key not in KEYS_MERGED}
    assert replaced == {}, "one would undo the other: give one of them a key of its own"
    assert set(Update.__annotations__) == writers.keys(), (
        "State and Update in forager/domain/state.py need the same keys"
    )


@pytest.mark.parametrize("kind", REGISTRY.values(), ids=lambda kind: kind.name)
def test_a_type_declares_the_keys_that_its_file_touches(kind: NodeType) -> None:
    file = Path(inspect.getfile(kind.function))
    files = file.parent.glob("*.py") if file.stem == "__init__" else [file]
    source = "".join(each.read_text(encoding="utf-8") for each in files)
    source = source.replace(inspect.getsource(kind.route), "")  # it looks at what was written
    touched = {key for key in KEYS if re.search(rf"\bstate\.{key}\b", source)}
    undeclared = touched - (kind.reads | kind.looks)
    assert not undeclared, (
        "name them in `reads`, or in `looks` if they may be empty, also those that it writes"
    )


def test_a_type_names_the_tasks_that_its_files_ask() -> None:
    asked = {
        task
        for module in (importlib.import_module(name) for name in _modules())
        for task in vars(module).values()
        if isinstance(task, type) and issubclass(task, Task) and hasattr(task, "PROMPT")
        if not issubclass(task, SmallQuotes)
    }
    named = [task for kind in REGISTRY.values() for task in kind.tasks]
    assert set(named) == asked
    assert len(named) == len(asked)
    for kind in REGISTRY.values():
        assert all(task.__module__.startswith(kind.function.__module__) for task in kind.tasks)
        assert all(kind.default_prompts[task.__name__] == task.PROMPT for task in kind.tasks)


def _modules() -> list[str]:
    return [each.name for each in pkgutil.walk_packages(nodes.__path__, "nodes.")]
