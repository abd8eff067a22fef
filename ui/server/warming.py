"""Imports what the pages are made of, and reads the list, while the browser is still opening."""

import gc
import importlib
import pkgutil
from contextlib import suppress
from threading import Thread

import ui.screens
from forager.errors import ForagerError
from ui.server.office import here


def warm() -> None:
    """Begin with it, beside all else."""
    Thread(target=_import, name="warming", daemon=True).start()


def _import() -> None:
    for module in pkgutil.iter_modules(ui.screens.__path__):
        importlib.import_module(f"ui.screens.{module.name}")
    with suppress(ForagerError):
        here().desk.call(lambda sessions: sessions.search())
    gc.collect()
    gc.freeze()  # what was imported stays, and need not be looked through again
