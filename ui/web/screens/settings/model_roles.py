"""Which model each role uses: one for all, and a small table of those that use another."""

import asyncio
from typing import Final

import streamlit as st

from forager.budget import within_allowance
from forager.errors import ForagerError
from graphs.sessions.model_choice import AUTO, OFFLINE, default_line, find_model, list_offers
from graphs.system.model_probe import ProbeResult, describe_profile, probe_models
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown
from ui.web.screens.settings.endpoint_cards import fetched_models
from ui.web.screens.settings.setting_fields import fixed_note, is_fixed, save_settings
from ui.web.words import later, local_dollars, local_number, say, say_told

ALL_ROLES: Final = later("All roles")
ROLES: Final = {
    "interpreter": later("Understands a follow-up"),
    "surveyor": later("Splits the question"),
    "navigator": later("Chooses pages and links"),
    "rater": later("Rates actions in a browser"),
    "refiner": later("Rewrites searches"),
    "extractor": later("Copies quotes"),
    "aggregator": later("Sorts and merges quotes"),
    "critic": later("Decides whether it is enough"),
    "reflector": later("Draws lessons"),
    "answerer": later("Writes the answer"),
}
SAME: Final = later("the same")


def model_roles() -> None:
    """The form, with a test of what is chosen in it."""
    settings = get_backend().settings
    line = default_line(settings)
    words = split_line(line)
    known = list(
        dict.fromkeys(
            (
                *words.values(),
                AUTO,
                *(offer.line for offer in list_offers(settings)),
                *fetched_models(),
            )
        )
    )
    fixed, same = is_fixed("model"), say(SAME)
    with st.form("roles", border=False, enter_to_submit=False):
        chosen = st.selectbox(
            say("Model"),
            known,
            index=known.index(words[ALL_ROLES]),
            format_func=_describe_word,
            accept_new_options=True,
            disabled=fixed,
            key=f"model-{line}",
            help=say(
                "Models of an endpoint are listed once its connection was tested; another one is "
                "written as PROVIDER:NAME, such as openai:gpt-5-mini."
            ),
        )
        found = find_model(settings)
        there = say("Built-in rules") if found.line == OFFLINE else found.line
        st.caption(escape_markdown(say("Automatic currently uses: {model}", model=there)))
        table = st.data_editor(
            [
                {"role": role, "does": say(does), "model": words.get(role, same)}
                for role, does in ROLES.items()
            ],
            hide_index=True,
            disabled=True if fixed else ("role", "does"),
            key=f"roles-{line}",
            column_config={
                "role": st.column_config.TextColumn(say("Role"), width="small"),
                "does": st.column_config.TextColumn(say("What it does")),
                "model": st.column_config.SelectboxColumn(
                    say("Model"), required=True, options=[same, *known]
                ),
            },
        )
        if fixed:
            st.caption(fixed_note("model"))
        with st.container(horizontal=True):
            tested = st.form_submit_button(say("Test models"), icon=":material/bolt:")
            saved = st.form_submit_button(say("Save"), type="primary", disabled=fixed)
    own = {row["role"]: row["model"] for row in table if row["model"] not in (None, same)}
    typed = join_line(chosen or OFFLINE, own)
    if saved:
        save_settings({"model": typed})
    if tested:
        _test_models(typed)


def _describe_word(word: str) -> str:
    """A model as the list shows it; the menu would take a text that changes for a typed one."""
    if word == AUTO:
        return say("Automatic (takes what is there)")
    return say("Built-in rules (no key needed; quotes only)") if word == OFFLINE else word


def split_line(line: str) -> dict[str, str]:
    """The words of a model line by role; those of the default model under `ALL_ROLES`."""
    shared: list[str] = []
    own: dict[str, str] = {}
    for word in line.split():
        role, equals, rest = word.partition("=")
        if equals and role in ROLES:
            own[role] = rest
        else:
            shared.append(word)
    return {ALL_ROLES: ",".join(shared) or OFFLINE, **own}


def join_line(shared: str, own: dict[str, str]) -> str:
    """The model line of a default model and those of roles that use another."""
    words = (f"{role}={model}" for role, model in own.items() if model != shared)
    return " ".join(["".join(shared.split()), *words])


def _test_models(line: str) -> None:
    """Two small questions to each model of a line."""
    for name, single in split_line(line).items():
        with st.spinner(say("Asking {model}", model=escape_markdown(single))):
            try:
                with within_allowance(get_backend().allowance):
                    tried = asyncio.run(probe_models(single, get_backend().settings))
            except ForagerError as error:
                text = f"{escape_markdown(say(name))}: {escape_markdown(say_told(str(error)))}"
                st.error(text, icon=":material/cancel:")
            else:
                st.success(_describe_reply(name, tried), icon=":material/check_circle:")


def _describe_reply(name: str, tried: ProbeResult) -> str:
    if tried.line == OFFLINE:
        return say("The built-in rules are ready.")
    took = say(
        "replied in {seconds} s, {tokens} tokens, {price}.",
        seconds=local_number(tried.seconds, 1),
        tokens=tried.tokens,
        price=local_dollars(tried.usd, 6).replace("$", "\\$")
        if tried.usd
        else say("price not known"),
    )
    return f"{escape_markdown(say(name))}: {took} {say_told(describe_profile(tried))}"
