"""Mends a site that cannot be read, at one click: in the form, and beside a run that failed."""

from collections.abc import Callable, Sequence

import streamlit as st

from forager.errors import ForagerError
from graphs.runtime.validation import site_address
from graphs.sessions.service import Report, Session
from graphs.system.site_check import SiteFault, find_site_fault
from ui.server.backend import get_backend
from ui.web.labels import label_site
from ui.web.markdown import escape_markdown
from ui.web.page_links import refer_to_page
from ui.web.screens.ask.ask_state import ask_state
from ui.web.screens.settings.setting_fields import allow_private_hosts, is_fixed
from ui.web.tab_state import go_to
from ui.web.words import later, say, say_told

Repair = Callable[[SiteFault], None]


def describe_fault(fault: SiteFault) -> str:
    """What is wrong; also how to mend it, where no button does so."""
    what = say_told(fault.what)
    if len(fault.private) > 1:
        hosts = list_hosts(fault.private)
        what = say("{hosts} are private addresses; pages there are not opened.", hosts=hosts)
    return what if _is_repairable(fault) else f"{what} {say_told(fault.mend)}"


def repair_button(fault: SiteFault, then: str, allow: Repair, correct: Repair) -> None:
    """The button that mends it, if one can; `then` is its text for what to allow, `{host}`."""
    if not _is_repairable(fault):
        return
    if fault.private:
        label, icon = say(then, host=list_hosts(fault.private)), ":material/lock_open:"
    else:
        label, icon = (
            say("Ask {site} instead", site=label_site(fault.instead, {})),
            ":material/spellcheck:",
        )
    with st.container(key="repair-button"):
        st.button(
            escape_markdown(label),
            key="allow" if fault.private else "correct",
            icon=icon,
            on_click=allow if fault.private else correct,
            args=(fault,),
        )
        if fault.private:
            st.caption(
                say("It stays allowed for later questions: Settings, Privacy, lists such hosts.")
                if len(fault.private) == 1
                else say(
                    "They stay allowed for later questions: Settings, Privacy, lists such hosts."
                )
            )


def _is_repairable(fault: SiteFault) -> bool:
    return bool(fault.instead or (fault.private and not is_fixed("allow_private")))


def replace_site(sites: tuple[str, ...], fault: SiteFault) -> tuple[str, ...]:
    """The sites with the corrected address in the place of the misspelt one."""
    return tuple(fault.instead if site_address(site) == fault.site else site for site in sites)


def allow_host() -> None:
    """Allow the private hosts that a button named, and run the script again with them."""
    state = ask_state()
    if hosts := state.allowed_hosts:
        state.allowed_hosts, state.newly_allowed = (), hosts
        allow_private_hosts((*get_backend().settings.allow_private, *hosts), confirm=False)


def list_hosts(hosts: Sequence[str]) -> str:
    """The hosts in one phrase."""
    *before, last = hosts
    return say("{first} and {last}", first=", ".join(before), last=last) if before else last


def repair_run(session: Session, report: Report) -> None:
    """What mends a run that read nothing: a button for one of its sites, or the search settings."""
    if report.visited or report.status not in {"failed", "abstained", "partial"}:
        return
    if not session.question.sites and (report.notes or report.status == "failed"):
        st.page_link(
            refer_to_page("settings"),
            label=say("Search settings"),
            icon=":material/settings:",
            query_params={"part": "search"},
        )
    if report.status != "failed":
        return
    question = session.question
    try:
        fault = get_backend().sessions.call(lambda to: find_site_fault(to, question, session.model))
    except ForagerError:  # the run says what is wrong with its question
        return
    if fault:
        repair_button(
            fault,
            later("Allow {host} and resume"),
            lambda fault: _allow_and_resume(session.id, fault),
            lambda fault: _correct_and_ask(session, fault),
        )


def _allow_and_resume(id: str, fault: SiteFault) -> None:
    state = ask_state()
    state.allowed_hosts, state.resume_requested = fault.private, id


def _correct_and_ask(session: Session, fault: SiteFault) -> None:
    state = ask_state()
    sites = replace_site(session.question.sites, fault)
    question = session.question.model_copy(update={"sites": sites})
    state.edited = session.model_copy(update={"question": question})
    state.start_requested = True
    go_to()


def resume_allowed() -> None:
    """Go on with the run whose private host was just allowed, and say that it stays so."""
    allow_host()
    state = ask_state()
    if hosts := state.newly_allowed:
        state.newly_allowed = ()
        text = (
            later("{host} stays allowed. To change that: Settings, Privacy.")
            if len(hosts) == 1
            else later("{host} stay allowed. To change that: Settings, Privacy.")
        )
        told = say(text, host=list_hosts(hosts))
        st.toast(escape_markdown(told), icon=":material/lock_open:")
    if id := state.take("resume_requested"):
        get_backend().run(id)
