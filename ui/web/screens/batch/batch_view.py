"""A batch: how far it has come, its rows, and what can be done with it."""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st
from pydantic import JsonValue

from forager.errors import ForagerError
from graphs.sessions.model_choice import OFFLINE
from ui.server.backend import get_backend
from ui.server.batches import OPEN, AnswerFormat, BatchRowLine, BatchStatus
from ui.server.live.session_status import display_status
from ui.web.components.component import mount_part
from ui.web.components.confirmation import confirm_loss
from ui.web.components.dialog import dialog
from ui.web.graph_names import name_graph
from ui.web.markdown import escape_markdown
from ui.web.screens.sessions.session_rows import ALL, FILTERS, label_sites
from ui.web.words import (
    later,
    local_dollars,
    local_number,
    local_time,
    say,
    say_count,
    say_told,
)

GOING: Final = frozenset({"running", "pausing", "stopping"})
REFRESH_SECONDS: Final = 1.0
PAGE: Final = 50
MINUTE, HOUR = 60, 3600
NOT_FOUND: Final = "abstained"
LIST_MARKS: Final = re.compile(r"(^|; )[-*•] ", re.MULTILINE)
"""The marks of list items at the beginning of what answers a sub-question."""
ALLOW_OPTION: Final = re.compile(r"If you trust it, allow it with --allow-private \S+\.")
STATUSES: Final = {**FILTERS, OPEN: later("Not begun")}


def batch_view(status: BatchStatus, state: str) -> None:
    """Draw it; while it runs, it is drawn anew every second."""
    st.header(escape_markdown(status.name), anchor=False)
    failed = describe_failed(status) if status.state == "done" else []
    about = (
        ", ".join([state, *failed]),
        name_graph(status.graph),
        _name_model(status.model),
        local_time(status.created),
    )
    st.caption(escape_markdown(" · ".join(filter(None, about))))
    if status.error:
        st.error(escape_markdown(say_told(status.error)), icon=":material/cancel:")
    if status.state in GOING:
        st.fragment(
            partial(_draw, status.batch, status.state, status.done), run_every=REFRESH_SECONDS
        )()
    else:
        _draw(status.batch, status.state, status.done)


def _draw(id: str, state: str, done: int) -> None:
    """The whole page, with its list, is drawn anew once more rows are done or the state changes."""
    status = get_backend().batches.status(id)
    if (status.state, status.done) != (state, done):
        st.rerun()
    st.progress(share_done(status), text=describe_rows(status))
    if pace := _describe_pace(status):
        st.caption(pace.replace("$", r"\$"))
    _buttons(status)
    _rows(status)


def share_done(status: BatchStatus) -> float:
    """The share of rows that were tried; once the batch is done, of those that did not fail."""
    failed = status.statuses.get("failed", 0) if status.state == "done" else 0
    return (status.done - failed) / status.rows


def describe_rows(status: BatchStatus) -> str:
    """How many rows were tried, and how many of them failed."""
    done = say(
        "{done} of {rows} rows", done=local_number(status.done), rows=local_number(status.rows)
    )
    return ", ".join([done, *describe_failed(status)])


def describe_failed(status: BatchStatus) -> list[str]:
    """How many rows failed, if any did."""
    failed = status.statuses.get("failed", 0)
    return [say("{n} failed", n=local_number(failed))] if failed else []


def _name_model(line: str) -> str:
    return say("Built-in rules") if line == OFFLINE else line.partition(",")[0]


def _describe_pace(status: BatchStatus) -> str:
    """What was spent, how fast it is, and an estimate of the rest."""
    parts = [local_dollars(status.usd)] if status.usd else []
    if status.per_minute is not None:
        parts.append(say("{n} rows a minute", n=local_number(status.per_minute, 1)))
    if status.seconds_left and status.usd_left is not None:
        rest = describe_rest(status.seconds_left)
        if status.usd_left:
            more = local_dollars(status.usd_left)
            parts.append(say("about {time} and {dollars} to go", time=rest, dollars=more))
        else:
            parts.append(say("about {time} to go", time=rest))
    return " · ".join(parts)


def describe_rest(seconds: float) -> str:
    """A duration as a person says it."""
    if seconds < MINUTE:
        return say("{n} seconds", n=local_number(seconds))
    if seconds < HOUR:
        return say_count(round(seconds / MINUTE), "{n} minute", "{n} minutes")
    return say_count(round(seconds / HOUR), "{n} hour", "{n} hours")


def _buttons(status: BatchStatus) -> None:
    batches, id = get_backend().batches, status.batch
    with st.container(horizontal=True, key="batch-buttons"):
        if status.state in GOING:
            leaving = status.state != "running"
            _button(say("Pause"), "pause", partial(batches.pause, id), disabled=leaving)
            _button(say("Stop"), "stop", partial(batches.stop, id), disabled=leaving)
        elif status.done < status.rows and status.graph:
            _button(say("Resume"), "play_arrow", partial(batches.resume, id))
        elif status.statuses.get("failed"):
            again = partial(batches.resume, id, retry_failed=True)
            _button(say("Ask failed rows again"), "refresh", again)
        if status.done:
            _downloads(status)
        if status.state not in GOING and st.button(say("Delete"), icon=":material/delete:"):
            delete_dialog(status)


def _button(label: str, icon: str, act: Callable[[], None], *, disabled: bool = False) -> None:
    if st.button(label, icon=f":material/{icon}:", disabled=disabled):
        try:
            act()
        except ForagerError as error:
            st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
            return
        st.rerun(scope="app")


def _downloads(status: BatchStatus) -> None:
    name = status.name.rpartition(".")[0] or status.name
    offers: tuple[tuple[str, AnswerFormat], ...] = (
        (say("Answers as JSON lines"), "jsonl"),
        (say("As CSV"), "csv"),
    )
    for label, format in offers:
        st.download_button(
            label,
            data=partial(get_backend().batches.answers, status.batch, format),
            file_name=f"{name}-answers.{format}",
            key=f"answers-{format}-{status.batch}",
            icon=":material/download:",
            on_click="ignore",
        )


def _rows(status: BatchStatus) -> None:
    """The rows of the statuses that are chosen, fifty at a time."""
    counts = {ALL: status.rows} | {
        name: status.statuses[name] for name in STATUSES if status.statuses.get(name)
    }
    key = f"batch-status-{status.batch}"
    kept = st.session_state.get(key, ALL)
    counts.setdefault(kept, 0)
    chosen = st.pills(
        say("Status"),
        list(counts),
        format_func=lambda name: f"{say(STATUSES[name])} {local_number(counts[name])}",
        default=ALL,
        required=True,
        key=key,
        label_visibility="collapsed",
    )
    page_key = f"batch-rows-{status.batch}-{chosen}"
    wanted = "" if chosen == ALL else str(chosen)
    page = st.session_state.get(page_key, 1)
    batches = get_backend().batches
    found = batches.rows(status.batch, status=wanted, page=page, size=PAGE)
    mount_part("batch_rows", "batch-rows", rows=[describe_row(each) for each in found.rows])
    pages = math.ceil(found.count / PAGE)
    if pages > 1:
        st.pagination(pages, key=page_key, max_visible_pages=5)


def describe_row(line: BatchRowLine) -> dict[str, JsonValue]:
    """A row as the table draws it; quotes that come closest are no answer."""
    likely = "" if line.confidence is None else f"{local_number(line.confidence * 100)} %"
    shown = display_status(line.status, line.answer, uncertain=line.uncertain, doubt=line.doubt)
    told = line.lead or ("" if line.status == NOT_FOUND else line.answer)
    return {
        "id": line.id,
        "question": line.question,
        "sites": ", ".join(label_sites(line.sites, get_backend().own_sites)),
        "status": "" if line.status == OPEN else shown,
        "lead": LIST_MARKS.sub(r"\1", told) or _describe_error(line.error),
        "likely": likely,
        "cost": "" if line.status == OPEN else local_dollars(line.usd, 3 if line.usd else 0),
        "run": f"sessions?session={line.session}" if line.session else "",
    }


def _describe_error(error: str) -> str:
    """The error of a row; of a private host where it is allowed here, not the option for that."""
    if not (found := ALLOW_OPTION.search(error)):
        return say_told(error)
    mend = say("If you trust it, allow it under Settings, Privacy, and ask failed rows again.")
    return f"{say_told(error[: found.start()].strip())} {mend}"


@dialog(later("Delete this batch?"))
def delete_dialog(status: BatchStatus) -> None:
    """Ask whether the sessions of the rows are deleted with it."""
    st.text(status.name)
    st.caption(say("Its questions and answers are deleted for good."))
    sessions = st.checkbox(say("Also delete the sessions of its rows"), value=True)
    if confirm_loss(say("Delete")):
        try:
            get_backend().batches.delete(status.batch, sessions=sessions)
        except ForagerError as error:
            st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")
            return
        st.query_params.clear()
        st.rerun()
