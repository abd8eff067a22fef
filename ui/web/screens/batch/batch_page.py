"""The page Batch: the batches, and beside them the one that is chosen, or the form of a new one."""

from collections import Counter
from typing import Final

import streamlit as st

from ui.server.backend import get_backend
from ui.server.batches import BatchState, BatchStatus
from ui.web.components.component import mount_part
from ui.web.screens.batch.batch_form import batch_form
from ui.web.screens.batch.batch_view import batch_view, describe_rows
from ui.web.styles import apply_styles
from ui.web.tab_state import follow_address, go_to, widget_value
from ui.web.words import later, local_time, say

STATES: Final[dict[BatchState, str]] = {
    "ready": later("Not started"),
    "running": later("Running"),
    "pausing": later("Pausing"),
    "stopping": later("Stopping"),
    "paused": later("Paused"),
    "stopped": later("Stopped"),
    "interrupted": later("Interrupted"),
    "done": later("Done"),
}
COMMAND: Final = "./run batch questions.csv --out answers.jsonl --site ADDRESS"


def page() -> None:
    """Draw it."""
    follow_address()
    apply_styles("columns")
    found = {each.batch: each for each in get_backend().batches.list()}
    named = st.query_params.get("batch", "")
    new = "new" in st.query_params or not found
    chosen = "" if new else named if named in found else next(iter(found))
    with st.container(key="two"):
        with st.container(key="left"):
            st.title(say("Batch"), anchor=False)
            st.caption(say("A file of questions in, a file of answers out."))
            if found:
                _batch_list(found, chosen)
                st.button(say("New batch"), icon=":material/add:", on_click=_open_form)
        with st.container(key="right"):
            if named and named not in found:
                st.caption(say("There is no batch “{name}” any more.", name=named))
            if chosen:
                batch_view(found[chosen], say(STATES[found[chosen].state]))
            else:
                _show_form()


def _batch_list(found: dict[str, BatchStatus], chosen: str) -> None:
    names = Counter(each.name for each in found.values())
    mount_part(
        "choice_list",
        "batches",
        field="batch",
        label=say("Batches"),
        chosen=chosen,
        picks=[_as_choice(each, repeats=names[each.name] > 1) for each in found.values()],
        on_chosen_change=_open_batch,
    )


def _as_choice(status: BatchStatus, *, repeats: bool) -> dict[str, str]:
    """A batch in the list; files of one name are told apart by their time."""
    rows = describe_rows(status)
    text = f"{say(STATES[status.state])} · {rows} · {local_time(status.created)}"
    title = f"{status.name} · {local_time(status.created)}" if repeats else status.name
    return {"id": status.batch, "title": title, "text": text}


def _open_batch() -> None:
    go_to(batch=widget_value("batches")["chosen"])


def _open_form() -> None:
    go_to(new="batch")


def _show_form() -> None:
    st.header(say("New batch"), anchor=False)
    if started := batch_form():
        st.query_params.from_dict({"batch": started})
        st.rerun()
    with st.expander(say("On the command line")):
        st.code(COMMAND, language=None, wrap_lines=True)
        st.caption(say("It takes longer files, and writes the answers where you say."))
