"""What a person can do to the open graph; the first change begins a draft.

They are called by callbacks and by messages of the canvas, and use nothing of Streamlit: see
`ui.web.tab_state`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from forager.errors import ForagerError, GraphError
from graphs.check.checker import mend_faults
from graphs.spec import fold as folding
from graphs.spec.drafts import Draft
from graphs.spec.edit import Fix, apply_edit, graph_at, with_graph_at, with_inner_graph
from graphs.spec.spec import GraphSpec
from ui.web.components.canvas_edit import Edit
from ui.web.components.canvas_inbox import receive_messages
from ui.web.screens.graphs.editor_state import Mended, editor_state
from ui.web.screens.graphs.open_graph import (
    find_open_graph,
    graph_drafts,
    graph_library,
    list_leaving,
)

FOLDED_NAME: Final = "expedition"


@contextmanager
def catch_faults() -> Iterator[list[str]]:
    """Keep an error for the page to show, and give it to the body in a list.

    What the canvas sent before is received first.
    """
    faults: list[str] = []
    state = editor_state()
    state.fault = ""
    state.refused.clear()
    receive_canvas()
    try:
        yield faults
    except ForagerError as error:
        faults.append(str(error))
        state.fault = str(error)


def receive_canvas() -> None:
    """Receive what the canvas sent since it was drawn."""
    if key := editor_state().canvas_key():
        receive_messages(key)


def open_graph(graph: str = "", draft: str = "") -> None:
    """Open a graph, or the list if none is named."""
    state = editor_state()
    state.fault = ""
    state.address.go(graph, draft)


def select_parts(names: tuple[str, ...]) -> None:
    """Select nodes by name, or edges as written."""
    state = editor_state()
    state.selected = names
    state.refused.clear()


def selected_parts(spec: GraphSpec) -> tuple[str, ...]:
    """The nodes and edges of a graph that are selected."""
    known = {*spec.nodes, *map(str, spec.edges)}
    return tuple(name for name in editor_state().selected if name in known)


def begin_draft() -> str:
    """The id of the open draft; begins one if there is none. Raises ForagerError."""
    now = find_open_graph()
    if now is None:
        return ""
    if now.draft:
        return now.draft.id
    drafts = graph_drafts()
    if now.kind == "preset":
        name = drafts.unused_name(f"my-{now.name}", [each.id for each in list_leaving()])
        draft: Draft = drafts.begin(name, now.text, origin=now.name)
    else:
        draft = drafts.begin(now.name, now.text, now.base, now.origin)
    state = editor_state()
    if run := state.runs.get(now.name):
        state.runs[draft.name] = run
    state.address.set("draft", draft.id)
    state.keep_seat()
    return draft.id


def change_graph(change: Callable[[GraphSpec], GraphSpec]) -> bool:
    """Change the graph that is drawn; False, and a fault for the page, if that is not possible."""
    return change_whole(lambda spec, path: with_graph_at(spec, path, change(graph_at(spec, path))))


def change_whole(change: Callable[[GraphSpec, tuple[str, ...]], GraphSpec]) -> bool:
    """Change the whole graph, given the path of the one that is drawn; as `change_graph`."""
    with catch_faults() as faults:
        now = find_open_graph()
        if now and (then := change(now.whole, now.path)) != now.whole:
            id = begin_draft()
            begun = find_open_graph()
            name = begun.whole.name if begun else then.name  # a copy has a name of its own
            graph_drafts().apply_spec(id, then.model_copy(update={"name": name}))
    return not faults


def take_edit(edit: Edit) -> None:
    """Take an edit of the canvas."""
    with catch_faults():
        id, now = begin_draft(), find_open_graph()
        if now:
            drawn = edit.spec.model_copy(update={"name": now.spec.name})
            if not graph_drafts().apply_spec(
                id, with_graph_at(now.whole, now.path, drawn), edit.base
            ):
                raise GraphError(
                    "Your last change was not taken: the draft was changed elsewhere meanwhile.",
                    "The canvas shows it as it is now. Make your change again.",
                )


def undo_change() -> None:
    """Undo the last change of the draft."""
    with catch_faults():
        now = find_open_graph()
        if now and now.draft and not _take_merge_back(now.draft):
            graph_drafts().undo(now.draft.id)


def _take_merge_back(draft: Draft) -> bool:
    """Bring the conflict back if the last change of the draft was its merge."""
    state = editor_state()
    merge = state.merge
    if not merge or (merge.stale.draft, merge.revision) != (draft.id, draft.revision):
        return False
    base = graph_library().get(merge.stale.name, merge.base)
    if graph_drafts().unmerge(draft.id, merge.text, base, draft.revision):
        state.stale, state.merge = merge.stale, None
    return True


def redo_change() -> None:
    """Redo the last change of the draft that was undone."""
    with catch_faults():
        now = find_open_graph()
        if now and now.draft:
            graph_drafts().redo(now.draft.id)


def request_save() -> None:
    """Let the page ask for a note, and save."""
    editor_state().save_requested = True


def enter_node(name: str) -> None:
    """Open the graph inside a node; the page says why where there is none."""
    with catch_faults():
        if now := find_open_graph():
            graph_at(now.spec, (name,))
            address = editor_state().address
            address.set("inside", f"{address.get('inside')}/{name}".strip("/"))


def leave_inner_graph() -> None:
    """Go back to the graph around the present one."""
    address = editor_state().address
    address.set("inside", address.get("inside").rpartition("/")[0])


def fold_nodes(names: tuple[str, ...]) -> None:
    """Replace nodes by one that holds them; the page says why where that is not possible."""
    made: list[str] = []

    def fold(spec: GraphSpec) -> GraphSpec:
        numbered = (f"{FOLDED_NAME}_{number}" for number in range(2, len(spec.nodes) + 3))
        name = next(each for each in (FOLDED_NAME, *numbered) if each not in spec.nodes)
        made.append(name)
        return folding.fold_nodes(spec, [each for each in names if each in spec.nodes], name)

    if change_graph(fold):
        select_parts(tuple(made))


def unfold_node(name: str) -> None:
    """Replace a node by the nodes that it holds."""
    if change_graph(lambda spec: folding.unfold_node(spec, name)):
        select_parts(())


def put_graph(name: str, reference: str) -> None:
    """Put the graph of a reference into a node, or an empty one."""

    def put(spec: GraphSpec) -> GraphSpec:
        inner = (
            graph_library().resolve_named(reference)
            if reference
            else GraphSpec(name=name, nodes={}, edges=())
        )
        return with_inner_graph(spec, name, inner)

    change_graph(put)


def apply_fix(fix: Fix) -> None:
    """Change the graph as the fix of a finding says."""
    change_graph(lambda spec: apply_edit(spec, fix))


def apply_all_fixes() -> None:
    """Change the graph as its findings say clearly; the page then tells what was done."""
    if not (now := find_open_graph()):
        return
    labels: list[str] = []

    def mend(spec: GraphSpec) -> GraphSpec:
        mended, fixes = mend_faults(spec, now.types, now.earlier)
        labels.extend(fix.label for fix in fixes)
        return mended

    if change_graph(mend) and labels and (then := find_open_graph()):
        editor_state().mended = Mended(tuple(labels), then.revision)


def apply_fix_at(at: str, label: str) -> None:
    """Apply the fix of a finding on the canvas, unless that is fixed already."""
    now = find_open_graph()
    for found in now.findings if now else ():
        for fix in found.fixes:
            if found.at == at and fix.label == label:
                apply_fix(fix)
                return
