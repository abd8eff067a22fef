"""Settings of this machine: the data folder with its sizes and ages, and the checks of doctor."""

import shutil
from pathlib import Path

import streamlit as st

from forager.errors import ForagerError
from graphs.system.doctor import MODEL, Check, run_checks
from graphs.system.page_cache import delete_page_cache, measure_page_cache
from ui.server.backend import get_backend
from ui.web.components.confirmation import confirm_loss
from ui.web.components.dialog import dialog
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.settings.setting_fields import settings_form
from ui.web.words import later, local_number, say, say_count, say_told

CONTENTS = {
    "blobs.sqlite": later("Pages as they were read, and screenshots"),
    "web.sqlite": later("When each page was fetched"),
    "crawls.sqlite": later("When each site may be asked again"),
    "sites.sqlite": later("Search index of crawled pages"),
    "index": later("Vectors of crawled pages"),
    "vectors.sqlite": later("Vectors of texts"),
    "memory": later("What was learned from sessions"),
    "checkpoints.sqlite": later("Every step of every session"),
    "sessions.sqlite": later("Sessions with their events and replies"),
    "recipes.sqlite": later("Paths that led to an answer"),
    "bench": later("Benchmark results with their sessions"),
}
AGES = {
    "memory_days": (later("Forget what was learned after (days)"), ""),
    "keep_days": (
        later("Delete sessions after (days)"),
        later("With what they taught and read, unless they are pinned. 0 keeps them."),
    ),
    "cache_megabytes": (
        later("Space for stored pages (MB)"),
        later("Beyond it, the sites that were not used for longest are deleted. 0 means no limit."),
    ),
}
AGES_IN_HOURS = {"survey_age_seconds": later("Re-check pages after (hours)")}
MEGA = 1_000_000


def storage_settings() -> None:
    """The data folder with its sizes, and how long data is kept."""
    folder = get_backend().settings.data
    st.code(str(folder), language=None, wrap_lines=True)
    st.caption(say("To use another folder, set FORAGER_DATA or start with --data."))
    there = {name: what for name, what in CONTENTS.items() if (folder / name).exists()}
    sizes = {name: size_on_disk(folder / name) / MEGA for name in there}
    rows = [
        {say("Contents"): say(what), say("File"): name, "MB": round(sizes[name], 1)}
        for name, what in there.items()
    ]
    st.dataframe(rows, hide_index=True)
    free = shutil.disk_usage(folder).free
    used = local_number(sum(sizes.values()), 1)
    st.caption(say("{used} MB used, {free} MB free.", used=used, free=local_number(free / MEGA)))
    if st.button(say("Delete page cache…"), icon=":material/delete:"):
        _delete_cache_dialog()
    settings_form("storage", AGES, hours=AGES_IN_HOURS)


@dialog(later("Delete the page cache?"))
def _delete_cache_dialog() -> None:
    """Say how much it holds, and ask for confirmation."""
    try:
        held = measure_page_cache(get_backend().settings)
        size = local_number(held.bytes / MEGA, 1)
        st.text(say_count(held.pages, "{n} page, {size} MB", "{n} pages, {size} MB", size=size))
        st.caption(
            say("Answers, quotes and site maps stay. A page is fetched again when it is opened.")
        )
        if confirm_loss(say("Delete for good"), disabled=not held.pages):
            delete_page_cache(get_backend().settings)
            st.rerun()
    except ForagerError as error:
        st.error(escape_markdown(say_told(str(error))), icon=":material/cancel:")


def size_on_disk(path: Path) -> int:
    """Bytes of a file with those that SQLite keeps beside it, or of all files in a folder."""
    if path.is_dir():
        return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())
    beside = (path.with_name(path.name + end) for end in ("", "-wal", "-shm"))
    return sum(each.stat().st_size for each in beside if each.exists())


def machine_settings() -> None:
    """The checks, run when asked for: they start the browser."""
    again = "checks" in st.session_state
    if st.button(say("Run checks again") if again else say("Run checks"), icon=":material/search:"):
        with st.spinner(say("Checking packages, disk, browser and models")):
            st.session_state["checks"] = run_checks(get_backend().settings)
    checks: list[Check] = st.session_state.get("checks", [])
    if not checks:
        st.caption(say("This takes a few seconds: the browser is started to see whether it works."))
    with st.container(key="checks"):
        for check in checks:
            with st.container(horizontal=True):
                _state_badge(check)
                st.text(f"{say_told(check.name)}: {say_told(check.found)}")
            if check.name == MODEL and check.state == "off":
                label, part = say("Add a model in Settings, Models"), {"part": "models"}
                st.page_link(refer_to_page("settings"), label=label, query_params=part)
            elif check.mend:
                st.caption(say_told(check.mend))


def _state_badge(check: Check) -> None:
    if check.state == "ok":
        st.badge(say("ok"), icon=":material/check_circle:", color="green")
    elif check.state == "missing":
        st.badge(say("missing"), icon=":material/cancel:", color="red")
    else:
        st.badge(say("off"), icon=":material/circle:", color="gray")
