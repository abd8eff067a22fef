"""A session's own graph on the canvas, with its run on it."""

from forager.errors import ForagerError
from forager.settings import Settings
from graphs.sessions.service import Session
from graphs.spec.library import open_library
from graphs.spec.plugins import load_registry
from graphs.spec.spec import GraphSpec, graph_of
from ui.server.backend import get_backend
from ui.server.live.step_names import is_named, step_names
from ui.web.components.canvas_edit import describe_graph
from ui.web.components.component import mount_canvas, page_token
from ui.web.words import say_told

HEIGHT = 520


def mount_run_canvas(session: Session) -> None:
    """Mount the canvas, read-only, with the run of the present turn on it."""
    office = get_backend()
    spec = _with_positions(session, office.settings)
    mount_canvas(
        f"watch-{session.id}",
        **describe_graph(spec, 0, load_registry(office.settings), ()),
        readonly=True,
        diff=None,
        selected=[],
        watch={"session": session.id, "token": page_token(), "names": _step_names(spec)},
        height=HEIGHT,
    )


def _step_names(spec: GraphSpec) -> dict[str, str]:
    """What the steps of its nodes are called, also those of the graphs inside, by their names."""
    named = {node: name for node, name in step_names(spec).items() if is_named(node)}
    return {node.rpartition("/")[2]: say_told(name) for node, name in named.items()}


def _with_positions(session: Session, settings: Settings) -> GraphSpec:
    """The session's graph, laid out as the graph of its name if that is still the same."""
    pinned = graph_of(session)
    try:
        known = open_library(settings).resolve_named(session.graph)
    except ForagerError:
        return pinned  # renamed or deleted
    return known if known.hash == pinned.hash else pinned
