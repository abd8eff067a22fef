"""Old import names of version 0.1 for plugins: they work for one release, with a warning."""

import sys
import warnings
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

MOVED: Mapping[str, str] = {
    "forager.action": "forager.domain.actions",
    "forager.answer": "forager.domain.answers",
    "forager.frozen": "forager.domain.base",
    "forager.results": "forager.domain.survey",
    "forager.spend": "forager.domain.spend",
    "forager.state": "forager.domain.state",
    "forager.view": "forager.domain.browser",
    "graphs.node_type": "forager.node_type",
    "graphs.routes": "forager.node_type",
}
"""Old module name to the present one."""
RENAMED: Mapping[tuple[str, str], tuple[str, str]] = {
    ("graphs.routes", "onwards"): ("forager.node_type", "next_route"),
    ("graphs.routes", "to_the_end"): ("forager.node_type", "end_route"),
    ("graphs.routes", "after_survey"): ("nodes.surveyor", "_route"),
    ("graphs.routes", "after_select"): ("nodes.selector", "_route"),
    ("graphs.routes", "after_navigate"): ("nodes.navigator", "_route"),
    ("graphs.routes", "after_act"): ("nodes.actor", "_route"),
    ("graphs.routes", "after_extract"): ("nodes.extractor", "_route"),
    ("graphs.routes", "after_criticise"): ("nodes.critic", "_route"),
    ("graphs.routes", "after_reflect"): ("nodes.reflector", "_route"),
    ("forager.results", "Found"): ("forager.domain.survey", "SearchResults"),
    ("forager.results", "Result"): ("forager.domain.survey", "SearchResult"),
    ("forager.state", "Part"): ("forager.domain.state", "SubQuestion"),
    ("forager.view", "Sent"): ("forager.domain.browser", "SentRequest"),
    ("forager.ports", "Said"): ("forager.ports", "RoleReply"),
    ("forager.ports", "Document"): ("forager.domain.documents", "Document"),
}
"""Old module and name to the present ones, for names that were renamed or moved separately."""


class _MovedModule(ModuleType):
    """A module of version 0.1: returns its names from their present places, with a warning."""

    def __getattr__(self, name: str) -> Any:
        return _find_moved(self.__name__, name)


def _find_moved(old: str, name: str) -> Any:
    """The value of an old module's name. Raises AttributeError and ImportError."""
    if name.startswith("__") or (old not in MOVED and (old, name) not in RENAMED):
        raise AttributeError(f"module {old!r} has no attribute {name!r}")
    module, now = RENAMED.get((old, name), (MOVED.get(old, old), name))
    try:
        value = getattr(import_module(module), now)
    except AttributeError:
        raise ImportError(f"{old} is now {module}, which has no {name!r}.") from None
    warnings.warn(
        f"{old}.{name} is now {module}.{now}. The old name will be removed in the next release.",
        FutureWarning,
        stacklevel=3,
    )
    return value


def install_moved_modules() -> None:
    """Make the old modules and names importable."""
    for old in MOVED:
        sys.modules.setdefault(old, _MovedModule(old))
    for old in {module for module, _ in RENAMED} - MOVED.keys():
        vars(import_module(old))["__getattr__"] = partial(_find_in_present, old)


def _find_in_present(module: str, name: str) -> Any:
    """The value of an old name in a module that still exists."""
    return _find_moved(module, name)
