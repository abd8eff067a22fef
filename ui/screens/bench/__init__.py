"""Result files of benches: graphs against each other, as tables and plots."""

import streamlit as st

from graphs.reports.events import plural
from ui.parts.component import alone
from ui.parts.look import dress
from ui.screens.bench.files import Results, found, read
from ui.screens.bench.told import told

COMMAND = (
    "./run bench answer --questions FILE --sites ID=ADDRESS --graph forager,webwalker --out {}"
)


def page() -> None:
    """The files on the left, what stands in the one that was chosen on the right."""
    dress("two")
    files = found()
    named = st.query_params.get("file", "")
    chosen = named if named in files else next(iter(files), "")
    with st.container(key="two"):
        with st.container(key="left"):
            st.title("Bench", anchor=False)
            st.caption("Rows that a bench wrote: a line for each question and graph.")
            if files:
                alone(
                    "picks",
                    "files",
                    field="file",
                    label="Result files",
                    chosen=chosen,
                    picks=[each.pick() for each in files.values()],
                    on_chosen_change=_choose,
                )
            uploaded = st.file_uploader("Another result file", type=["jsonl", "json"])
        with st.container(key="right"):
            if uploaded:
                _show(read(uploaded.name, uploaded.getvalue()))
            elif chosen:
                _show(read(chosen, files[chosen].path.read_bytes()))
            else:
                _nothing()


def _choose() -> None:
    st.query_params["file"] = st.session_state["files"]["chosen"]


def _show(results: Results) -> None:
    st.subheader(results.name.replace("_", r"\_"), anchor=False)
    if not results.rows:
        st.text("No line of it is a row of a bench.")
        return
    if results.skipped:
        st.caption(f"{plural(results.skipped, 'line')} left out: no row of a bench.")
    told(results.rows)


def _nothing() -> None:
    st.text("There are no results yet. A bench that asks questions with gold answers writes them:")
    st.code(COMMAND.format("data/bench/mine.jsonl"), language=None, wrap_lines=True)
    st.caption("Files in the folder bench of the data folder are listed here.")
