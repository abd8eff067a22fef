"""What programs that tests begin need: `tests.programs` imports it once, and forks."""

import gc
from importlib import import_module
from pkgutil import walk_packages

PACKAGES = "ui.cli.actions", "ui.cli.commands", "ui.server", "ui.web.screens", "graphs.sessions"

for package in map(import_module, PACKAGES):
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)
import_module("tests.graphs.worker")
gc.freeze()
