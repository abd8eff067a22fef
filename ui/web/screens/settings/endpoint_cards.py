"""The endpoints of language models as cards: address, key, and a test of what is typed."""

import asyncio
from typing import Final, NamedTuple

import streamlit as st
from pydantic import SecretStr

from forager.errors import ForagerError
from graphs.sessions.model_choice import AUTO, OFFLINE, default_line, find_model
from graphs.system.model_probe import OPENAI_URL, list_model_names
from ui.server.backend import get_backend
from ui.web.markdown import escape_markdown
from ui.web.screens.settings.setting_fields import (
    is_fixed,
    save_settings,
    secret_setting,
    text_setting,
)
from ui.web.words import later, say, say_count, say_told


class EndpointCard(NamedTuple):
    """An endpoint: the settings of its address and its key, and the address if none is set."""

    title: str
    about: str
    address: str
    key: str
    default: str
    example: str


class TestResult(NamedTuple):
    """What a test of an endpoint came to, and the address and key that were saved then."""

    settings: tuple[object, object]
    fault: str
    models: int


CARDS: Final = (
    EndpointCard(
        later("OpenAI"),
        later("Models of OpenAI, with your own key."),
        "openai_base_url",
        "openai_api_key",
        OPENAI_URL,
        OPENAI_URL,
    ),
    EndpointCard(
        later("Another endpoint"),
        later("Ollama, vLLM, llama.cpp, OpenRouter and others."),
        "base_url",
        "api_key",
        "",
        "http://127.0.0.1:11434/v1",
    ),
)

SILENT: Final = later("Saved, but it does not answer.")


def endpoint_cards() -> None:
    """Draw them."""
    for column, card in zip(st.columns(len(CARDS)), CARDS, strict=True):
        with column.container(border=True, key=f"card-{card.key}", height="stretch"):
            _draw_card(card)


def fetched_models() -> list[str]:
    """The model words for what the endpoints said they have since this tab was opened."""
    base = get_backend().settings.base_url
    words: list[str] = []
    for card in CARDS:
        names: list[str] = st.session_state.get(_list_key(card), [])
        elsewhere = f",base_url={OPENAI_URL}" if card.default and base else ""
        words += [f"openai:{name}{elsewhere}" for name in names if not set(name) & {",", " ", "\t"}]
    return words


def _list_key(card: EndpointCard) -> str:
    return f"models-of-{card.key}"


def _draw_card(card: EndpointCard) -> None:
    st.markdown(f"**{say(card.title)}**  \n:small[{say(card.about)}]")
    with st.form(f"endpoint-{card.key}", border=False, enter_to_submit=False):
        address = text_setting(card.address, say("Address"), placeholder=card.example)
        key = secret_setting(card.key, say("Key"))
        with st.container(horizontal=True):
            tested = st.form_submit_button(say("Test connection"), icon=":material/bolt:")
            saved = st.form_submit_button(
                say("Save"), type="primary", disabled=is_fixed(card.address) and is_fixed(card.key)
            )
    if saved:
        changes = {card.address: address, card.key: key or None}
        changed = {field: value for field, value in changes.items() if value is not None}
        st.session_state.pop(_result_key(card), None)
        silence = _find_fault(card, address, key)
        st.session_state[_fault_key(card)] = silence
        save_settings(changed, told=SILENT if silence else "")
        del st.session_state[_fault_key(card)]  # it was refused, and the script goes on
    if tested:
        st.session_state.pop(_fault_key(card), None)
        st.session_state[_result_key(card)] = _test(card, address, key)
    _show_result(card)
    if fault := st.session_state.get(_fault_key(card)):
        st.warning(f"{_describe_silence()} {escape_markdown(fault)}", icon=":material/warning:")
    if names := st.session_state.get(_list_key(card)):
        with st.expander(say_count(len(names), "{n} model", "{n} models")):
            st.text("\n".join(names))


def _result_key(card: EndpointCard) -> str:
    return f"result-of-{card.key}"


def _fault_key(card: EndpointCard) -> str:
    return f"fault-of-{card.key}"


def _describe_silence() -> str:
    """That an endpoint was saved though it does not answer, and what runs use meanwhile."""
    settings = get_backend().settings
    if default_line(settings) != AUTO:
        return say(SILENT)
    found = find_model(settings).line
    model = say("Built-in rules") if found == OFFLINE else escape_markdown(found)
    return say("Saved, but it does not answer: new runs use {model} until it does.", model=model)


def _find_fault(card: EndpointCard, address: str | None, key: str | None) -> str:
    """Why an address of one's own does not answer; empty if it does, or if there is none."""
    if not _typed_address(card, address):
        return ""
    try:
        st.session_state[_list_key(card)] = _fetch_names(card, address, key)
    except ForagerError as error:
        st.session_state.pop(_list_key(card), None)
        return say_told(str(error))
    return ""


def _typed_address(card: EndpointCard, address: str | None) -> str:
    return str(getattr(get_backend().settings, card.address) if address is None else address)


def _fetch_names(card: EndpointCard, address: str | None, key: str | None) -> list[str]:
    """The models at the typed address; a saved key is sent to its own one alone."""
    settings = get_backend().settings
    base = _typed_address(card, address) or card.default
    secret = SecretStr(key) if key else getattr(settings, card.key) if address is None else None
    with st.spinner(say("Connecting")):
        return asyncio.run(list_model_names(base, secret, settings))


def _test(card: EndpointCard, address: str | None, key: str | None) -> TestResult:
    """How many models there are, or why that is not known."""
    settings = _saved(card)
    st.session_state.pop(_list_key(card), None)
    if not (_typed_address(card, address) or card.default):
        return TestResult(settings, say("Type an address first."), 0)
    try:
        names = _fetch_names(card, address, key)
    except ForagerError as error:
        return TestResult(settings, escape_markdown(say_told(str(error))), 0)
    st.session_state[_list_key(card)] = names
    return TestResult(settings, "", len(names))


def _saved(card: EndpointCard) -> tuple[object, object]:
    settings = get_backend().settings
    return getattr(settings, card.address), getattr(settings, card.key)


def _show_result(card: EndpointCard) -> None:
    """What the last test of a card came to, until another address or key is saved."""
    result: TestResult | None = st.session_state.get(_result_key(card))
    if result is None or result.settings != _saved(card):
        return
    if result.fault:
        st.error(result.fault, icon=":material/cancel:")
        return
    st.success(
        say_count(
            result.models,
            "Connected: {n} model. Choose one below.",
            "Connected: {n} models. Choose one below.",
        ),
        icon=":material/check_circle:",
    )
