"""The page Bench: runs question sets, and shows results of graphs against each other."""

import re
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from pydantic import ValidationError

from graphs.experiments.result_rows import Row
from graphs.experiments.trial import kept_runs
from ui.server.backend import get_backend
from ui.web.components.component import mount_part
from ui.web.graph_names import name_graph
from ui.web.markdown import escape_markdown
from ui.web.screens.bench.result_tables import result_tables
from ui.web.screens.bench.run_form import count_asked, is_running, run_form, run_progress
from ui.web.styles import apply_styles
from ui.web.tab_state import follow_address, go_to, widget_value
from ui.web.words import local_time, say, say_count

COMMAND = (
    "./run bench answer --questions FILE --sites ID=ADDRESS --graph forager,webwalker --out {}"
)
MOST_BYTES = 50_000_000
TITLE_BYTES = 100_000
TRIAL_FILE = re.compile(r"try-\d")


class ResultFile(NamedTuple):
    """A file that may hold results; `changed` in seconds since the epoch."""

    path: Path
    changed: float
    size: int

    def as_choice(self) -> dict[str, str]:
        """The file as an item of the list."""
        name, day = self.path.name, local_time(self.changed)
        return {"id": name, "title": self._read_title(), "text": day}

    def _read_title(self) -> str:
        """The methods of its first rows; the name of a file that a person named."""
        own = self.path.stem.replace("-", " ")
        if not TRIAL_FILE.match(self.path.name):
            return own
        with self.path.open("rb") as opened:
            rows = read_results(self.path.name, opened.read(TITLE_BYTES)).rows
        return ", ".join(dict.fromkeys(name_graph(row.graph) for row in rows)) or own


class Results(NamedTuple):
    """The rows of a file, and how many of its lines are none."""

    name: str
    rows: list[Row]
    skipped: int


def page() -> None:
    """The files on the left; on the right the results in the chosen one, or the form of a run."""
    follow_address()
    apply_styles("columns")
    files = list_result_files()
    named = st.query_params.get("file", "")
    running = is_running(named)
    chosen = named if named in files or running else next(iter(files), "")
    with st.container(key="two"):
        with st.container(key="left"):
            st.title(say("Bench"), anchor=False)
            st.caption(say("Question sets, and what methods answered."))
            if files:
                mount_part(
                    "choice_list",
                    "files",
                    field="file",
                    label=say("Result files"),
                    chosen=chosen,
                    row=True,
                    picks=[each.as_choice() for each in files.values()],
                    on_chosen_change=_open_file,
                )
            st.button(say("Run a question set"), icon=":material/play_arrow:", on_click=_open_form)
            uploaded = st.file_uploader(say("Another result file"), type=["jsonl", "json"])
        with st.container(key="right"):
            if uploaded:
                _show_results(read_results(uploaded.name, uploaded.getvalue()))
            elif not chosen or "run" in st.query_params:
                _show_run_form()
            else:
                _show_file(chosen, files.get(chosen), running=running)


def _open_form() -> None:
    go_to(run="new")


def _show_run_form() -> None:
    st.header(say("Run a question set"), anchor=False)
    if started := run_form():
        st.query_params.from_dict({"file": started})
        st.rerun()
    with st.expander(say("On the command line")):
        st.code(COMMAND.format("data/bench/mine.jsonl"), language=None, wrap_lines=True)
        st.caption(say("Files in the folder bench of the data folder are listed here."))


def _show_file(name: str, file: ResultFile | None, *, running: bool) -> None:
    """The results in a file, which may still be written."""
    results = read_results(name, file.path.read_bytes() if file else b"")
    with st.container():  # also where it is empty: what follows keeps its place at the end of a run
        if running:
            run_progress(name, len(results.rows))
    if results.rows or not running:
        _show_results(results, count_asked(name) if running else "")


def list_result_files() -> dict[str, ResultFile]:
    """The files in the folder bench of the data folder by name, newest first."""
    folder = get_backend().settings.data / "bench"
    there = [(path, path.stat()) for path in folder.glob("*.jsonl") if path.is_file()]
    files = [ResultFile(path, stat.st_mtime, stat.st_size) for path, stat in there]
    newest = sorted(files, key=lambda file: -file.changed)
    return {file.path.name: file for file in newest if file.size <= MOST_BYTES}


def read_results(name: str, body: bytes) -> Results:
    """The rows of a file that can be read."""
    rows: list[Row] = []
    lines = [line for line in body.decode("utf-8", "replace").splitlines() if line.strip()]
    for line in lines:
        try:
            rows.append(Row.model_validate_json(line))
        except ValidationError:
            continue
    return Results(name, rows, len(lines) - len(rows))


def _open_file() -> None:
    go_to(file=widget_value("files")["chosen"])


def _title_results(results: Results) -> str:
    """The graphs that were asked, and how many questions; the file if it has no results."""
    graphs = list(dict.fromkeys(name_graph(row.graph) for row in results.rows))
    if not graphs:
        return results.name
    count = len({row.id for row in results.rows})
    return say_count(
        count, "{graphs}: {n} question", "{graphs}: {n} questions", graphs=", ".join(graphs)
    )


def _show_results(results: Results, asked: str = "") -> None:
    """Tables and charts; `asked` says of a run that goes on how far it has come."""
    st.header(escape_markdown(_title_results(results)), anchor=False)
    st.caption(escape_markdown(results.name))
    if not results.rows:
        st.text(say("This file holds no benchmark results."))
        return
    if results.skipped:
        count = say_count(
            results.skipped,
            "{n} line ignored: not a benchmark result.",
            "{n} lines ignored: not a benchmark result.",
        )
        st.caption(count)
    result_tables(results.rows, kept_runs(get_backend().settings), asked)
