"""The graphs that a form offers."""

from forager.errors import StoreError
from graphs.spec.library import open_library
from graphs.spec.spec import presets
from ui.server.backend import get_backend as here


def graph_names() -> tuple[str, ...]:
    """The presets and the saved graphs; without these where they cannot be read."""
    try:
        return open_library(here().settings).names()
    except StoreError:
        return presets()
