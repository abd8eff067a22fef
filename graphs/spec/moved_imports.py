"""Module names of 0.1 for users' own node types: they work for one release, with a warning."""

import sys
import warnings
from collections.abc import Mapping
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
    ("forager.ports", "Document"): ("forager.domain.documents", "Document"),
}
"""Old module and name to the present ones, where the name went elsewhere."""


class _MovedModule(ModuleType):
    """Hands on what is asked of it, and says where that lives now."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        old = self.__name__
        module, now = RENAMED.get((old, name), (MOVED[old], name))
        try:
            value = getattr(import_module(module), now)
        except AttributeError:
            raise ImportError(f"{old} has no {name!r}; it is {module} now.") from None
        warnings.warn(
            f"{old}.{name} is {module}.{now} now. The old name ends with the next release.",
            FutureWarning,
            stacklevel=2,
        )
        return value


def install_moved_modules() -> None:
    """Make the old names importable."""
    for old in MOVED:
        sys.modules.setdefault(old, _MovedModule(old))
