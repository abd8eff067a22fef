"""What is remembered: items as a list, saved paths as a table; both can be forgotten."""

import math
import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import streamlit as st
from pydantic import JsonValue

from graphs.sessions.listing import KeptRecipe, ListedLine, forget_recipe
from ui.language.catalogue import translate_lesson
from ui.server.backend import get_backend
from ui.web.components.component import mount_part
from ui.web.labels import label_site
from ui.web.screens.memory.forget_dialogs import forget_dialog, forget_site_dialog
from ui.web.screens.memory.memory_items import Learned, list_uses
from ui.web.screens.sessions.session_list import list_sessions
from ui.web.words import later, local_time, page_language, say, say_count

KINDS = {"episode": later("Page tried"), "snippet": later("Step")}
OUTCOMES = {
    "adequate": ("found", later("Answered")),
    "partial": ("partial", later("Partly answered")),
    "feasible": ("nothing", later("Nothing found yet")),
    "infeasible": ("nothing", later("Nothing found")),
    "moved": ("done", later("Opened")),
    "vain": ("nothing", later("Opened in vain")),
    "failed": ("failed", later("Failed")),
}
"""The sign and the words of each outcome."""
WITH_QUOTES = frozenset({"adequate", "partial"})
QUOTED = later("Quoted, but not shown to answer")
PARTS_OPEN = later("Quoted, with parts left open")
ANSWERED_HERE = re.compile(r"(?:a part of the question was )?answered here\.$")
FOUND_HERE = "something was found here."
STILL_OPEN = "; open: "
ALL_SITES = "everything"
PAGE = 20


def item_list(items: Sequence[Learned], *, site: str, kind: str) -> None:
    """The items, twenty at a time; each can be forgotten, or all of a site."""
    pages = math.ceil(len(items) / PAGE)
    page = min(st.session_state.get(f"page-{kind}-{site}", 1), max(pages, 1))
    sessions = {each.line.id: each for each in list_sessions()}
    names = {id: each.line.name for id, each in sessions.items()}
    uses = list_uses()
    picked = mount_part(
        "memory_list",
        f"items-{kind}",
        items=[
            describe_item(item, names, _merge_uses(item, uses), _end_of(item, sessions))
            for item in items[(page - 1) * PAGE : page * PAGE]
        ],
        on_forget_change=lambda: None,
    )
    if picked.forget:
        named = next((each for each in items if each.id == picked.forget), None)
        forget_dialog(named.ids if named else [picked.forget], named.asked if named else "")
    with st.container(horizontal=True, vertical_alignment="center"):
        if pages > 1:
            st.pagination(pages, key=f"page-{kind}-{site}", max_visible_pages=5)
        st.caption(_count_items(len(items), kind))
        if site not in ("", ALL_SITES) and st.button(say("Forget this site…")):
            forget_site_dialog(site, len(items))


def _count_items(n: int, kind: str) -> str:
    if kind == "episode":
        return say_count(n, "{n} page tried", "{n} pages tried")
    return say_count(n, "{n} step", "{n} steps")


def _merge_uses(item: Learned, uses: Mapping[str, Sequence[str]]) -> list[str]:
    """The sessions that used the item, or an older one of the same."""
    return list(dict.fromkeys(session for id in item.ids for session in uses.get(id, ())))


def _end_of(item: Learned, sessions: Mapping[str, ListedLine]) -> str:
    """How the question ended from which an item was learned; empty if that is not known."""
    listed = sessions.get(item.session)
    if listed is None:
        return ""
    first = listed.line.first_answer
    if item.turn == listed.line.turn:
        return listed.status
    return first.status if item.turn == 1 and first else ""


def describe_item(
    item: Learned, names: Mapping[str, str], uses: Sequence[str], end: str = ""
) -> dict[str, JsonValue]:
    """An item as the list draws it; `names` are those of sessions, by ID.

    `end` is how its question ended: one that was not found was not answered on any page, either.
    """
    sign, outcome = OUTCOMES.get(item.outcome, ("done", item.outcome))
    lesson = item.told
    if end == "abstained" and item.outcome in WITH_QUOTES:
        sign, outcome = "nothing", QUOTED
        lesson = ANSWERED_HERE.sub(FOUND_HERE, lesson)
    elif item.outcome == "partial" and lesson.endswith(FOUND_HERE):
        outcome = QUOTED
    elif item.outcome == "partial" and STILL_OPEN in lesson:
        outcome = PARTS_OPEN
    url = item.url or item.site
    host = label_site(url, get_backend().own_sites)
    return {
        "id": item.id,
        "kind": _name_kind(item),
        "sign": sign,
        "outcome": say(outcome),
        "told": translate_lesson(page_language(), lesson),
        "question": item.asked,
        "url": url,
        "page": host + (urlsplit(url).path.rstrip("/") if "://" in url else ""),
        "time": item.time,
        "session": {"id": item.session, "name": names.get(item.session, "")},
        "used": [
            {"id": id, "name": names[id]} for id in uses if id in names and id != item.session
        ],
    }


def _name_kind(item: Learned) -> str:
    """What it is; of a page that was tried also the visit, as a run may try a page again."""
    visit, _, step = item.id.rpartition(":")[2].partition(".")
    if item.kind == "episode" and visit.isdecimal() and step:
        return say("Page tried on visit {round}", round=visit)
    return say(KINDS[item.kind])


def path_table(kept: Sequence[KeptRecipe]) -> None:
    """Paths through sites that led to an answer; a similar question tries them first."""
    if not kept:
        st.text(say("No saved paths yet: a run that answers through a browser saves its path."))
        return
    rows = [
        {
            say("site"): each.recipe.site,
            say("question"): each.recipe.question,
            say("saved"): local_time(each.kept),
        }
        for each in kept
    ]
    picked = st.dataframe(
        rows, hide_index=True, on_select="rerun", selection_mode="multi-row", key="ways"
    )
    chosen = [kept[row].id for row in picked.selection.rows if row < len(kept)]
    if st.button(say("Forget selected paths"), disabled=not chosen, icon=":material/delete:"):
        for number in chosen:
            forget_recipe(get_backend().settings, number)
        st.rerun()
