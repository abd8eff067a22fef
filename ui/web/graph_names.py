"""The names of the graphs that a form offers."""

from forager.errors import StoreError
from graphs.spec.library import open_library
from graphs.spec.spec import preset_names
from ui.server.backend import get_backend


def list_graph_names() -> tuple[str, ...]:
    """The presets and the saved graphs; the presets alone if the library cannot be read."""
    try:
        return open_library(get_backend().settings).list_names()
    except StoreError:
        return preset_names()
