"""Judges whether an action changes something on the server, before and after it is done.

A change is what going back does not undo: to content, to settings, or to who is logged in (so a
log-in is a change). Searches, filters, menus and previews are no changes, whatever their method.
"""

from collections.abc import Sequence
from typing import Final

from forager.browsing.page import aria
from forager.browsing.safety import address_verbs, requests
from forager.browsing.safety.address_verbs import ADDRESS_REASON, following_reason
from forager.browsing.safety.code_words import CODE_WORDS
from forager.browsing.safety.labels import (
    asks_to_confirm,
    has_change_icon,
    has_change_word,
    is_logout_label,
    label_effect,
    reports_rejection,
)
from forager.domain.actions import Action
from forager.domain.browser import Control, ControlForm, SentRequest

CONFIRMING_LABELS: Final = frozenset({"change", "send", "agree", "make"})
CHOICE_ROLES: Final = frozenset(
    {"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"}
)
SLIDER_ROLES: Final = frozenset({"slider", "scrollbar", "separator", "spinbutton"})
UNTYPED_KINDS: Final = frozenset({"submit", "button", "image", "checkbox", "radio", "reset"})
WRITE_METHODS: Final = frozenset({"post", "put", "patch", "delete"})
TEXT_KINDS: Final = frozenset(
    {"text", "email", "tel", "url", "password", "textarea", "file", "editable"}
)
"""Kinds of fields that people write in."""
SENDING_CALLS: Final = (
    ".submit(",
    "requestsubmit",
    "fetch(",
    ".post(",
    ".put(",
    ".delete(",
    ".patch(",
)
"""Code by which a handler sends a request."""
MAX_SEARCH_FIELDS: Final = 3
"""The most fields of a search form."""


def expected_side_effect(control: Control | None, action: Action) -> str:
    """Why the action may change something on the server; empty if it does not look so."""
    if action.kind in {"goto", "new_tab"}:
        return following_reason(address_verbs.address_side_effect(action.target))
    if control is None or control.disabled:
        return ""
    if action.kind == "drag":
        slides = control.role in SLIDER_ROLES or control.kind == "range"
        return "" if slides else f"Dragging {_describe_control(control)} may change a saved order."
    if action.kind == "press":
        return _judge_keys(control, action.value)
    if action.kind == "type" and (action.submit or "\n" in action.value):
        return _judge_enter(control)
    judge = {"click": _judge_click, "type": _judge_edit, "select": _judge_edit}.get(action.kind)
    return judge(control) if judge else ""


def confirmed_side_effect(
    sent: Sequence[SentRequest], action: Action, before: str, shown: str = ""
) -> str:
    """What the action changed on the server; empty if nothing.

    `before` is the result of `expected_side_effect`, `shown` the accessibility tree of the next
    page. If that page asks for confirmation, or shows the form again with errors, nothing was
    changed yet.
    """
    reasons = [requests.request_side_effect(each, bool(before)) for each in sent]
    forms = [reason for reason, each in zip(reasons, sent, strict=True) if _is_form_post(each)]
    scripts = [
        reason for reason, each in zip(reasons, sent, strict=True) if not _is_form_post(each)
    ]
    if found := next(filter(None, scripts), ""):
        return found
    found = next(filter(None, forms), "")
    if found and not before and _has_reading_label(action):
        return ""
    if not found and before.startswith(ADDRESS_REASON):
        found = before
    return "" if found and shown and _is_pending(aria.parse_aria(shown), action) else found


def _is_form_post(sent: SentRequest) -> bool:
    return sent.resource in {"document", ""} and sent.method.upper() == "POST"


def _has_reading_label(action: Action) -> bool:
    return action.element is not None and label_effect(action.element.name) == "read"


def _is_pending(page: aria.Node, action: Action) -> bool:
    """Is the change still pending? The page asks to confirm it, or shows the form with errors."""
    text = page.text_content()
    if asks_to_confirm(text) and any(
        label_effect(aria.node_label(one)) in CONFIRMING_LABELS for one in _buttons_of(page)
    ):
        return True
    element = action.element
    return reports_rejection(text) and any(
        element and (node.role, aria.node_label(node)) == (element.role, element.name)
        for node in page.walk()
    )


def _buttons_of(page: aria.Node) -> list[aria.Node]:
    return [node for node in page.walk() if node.role == "button"]


def _judge_click(control: Control) -> str:
    if (
        control.role in CHOICE_ROLES
        or control.kind in {"checkbox", "radio"}
        or control.tag == "option"
    ):
        return _judge_edit(control)
    why = _judge_hooks(control)
    if why or control.kind in {"reset", "file"}:
        return why
    if control.submits and control.form:
        return _judge_submit(control, control.form, control.label or control.title)
    if is_logout_label(control.label or control.title):
        ends = f"{_describe_control(control)} ends the session"
        return following_reason(ends) if _is_link(control) else f"{ends}."
    if _is_link(control):
        text = control.label or control.title
        reason = following_reason(address_verbs.link_side_effect(control.href, (text,)))
        return reason or _judge_sending_code(control)
    field = control.tag in {"input", "textarea", "select"} and control.kind != "button"
    return "" if field or control.popup or control.role == "tab" else _judge_script(control)


def _is_link(control: Control) -> bool:
    return control.href.partition(":")[0] in {"http", "https"}


def _judge_hooks(control: Control) -> str:
    """Judge the attributes by which frameworks send requests (htmx, Turbo, Rails)."""
    for name, value in control.hooks.items():
        plain = name.removeprefix("data-")
        if plain.startswith("hx-") and plain.removeprefix("hx-") in WRITE_METHODS:
            return (
                "" if label_effect(control.label) == "read" else _sending_reason(control, plain[3:])
            )
        if plain in {"method", "turbo-method", "ujs-method"} and value.lower() in WRITE_METHODS:
            return _sending_reason(control, value)
        if plain in {"confirm", "turbo-confirm", "hx-confirm"} or "confirm(" in value:
            return f"{_describe_control(control)} asks to be confirmed."
    return ""


def _judge_submit(control: Control, form: ControlForm, label: str) -> str:
    """Judge the submission of a form by a button with this label."""
    effect, verdicts = (
        label_effect(label),
        {address_verbs.command_effect(each) for each in form.commands},
    )
    if "change" in verdicts and (effect != "read" or form.method == "get"):
        return f"{_button_name(label)} sends a form that says {form.commands[0]!r}."
    only_reads = effect == "read" or (
        _is_search_form(control, form) and effect in {"", "agree", "send"}
    )
    if form.method == "post":
        opens_form = "read" in verdicts and not form.fields and effect in {"", "read", "agree"}
        only_reads = only_reads or opens_form
        return "" if only_reads else f"{_button_name(label)} sends a form by POST."
    if only_reads or (form.method == "dialog" and effect != "change"):
        return ""
    if form.method == "get":
        risky = effect == "change" or "password" in form.fields
        return (
            f"{_button_name(label)} sends a form."
            if risky
            else following_reason(address_verbs.address_side_effect(form.action))
        )
    if effect or TEXT_KINDS & set(form.fields):
        return f"{_button_name(label)} submits a form that a script handles."
    return ""


def _is_search_form(control: Control, form: ControlForm) -> bool:
    """Is it a search form? It has few fields, and its role, field names or URL say so."""
    if "password" in form.fields or "textarea" in form.fields or "file" in form.fields:
        return False
    last = set(
        address_verbs.split_identifier(form.action.partition("?")[0].rstrip("/").rpartition("/")[2])
    )
    named = "search" in form.fields or bool(
        CODE_WORDS.searched & {name.lower() for name in form.names}
    )
    return form.search or (
        len(form.fields) <= MAX_SEARCH_FIELDS and (named or bool(CODE_WORDS.looking & last))
    )


def _judge_script(control: Control) -> str:
    """Judge a button that belongs to no form."""
    label = control.label or control.title
    effect = label_effect(label)
    code = " ".join(value for name, value in control.hooks.items() if name != "value")
    symbols = not any(each.isalnum() for each in label)
    if effect == "change" or (effect == "send" and not control.search):
        return f"{_button_name(label)} says that it changes something."
    if effect == "make" and control.form is None:
        return f"{_button_name(label)} may add something."
    if effect == "agree" and (has_change_word(control.around) or asks_to_confirm(control.around)):
        return f"{_button_name(label)} agrees to the text around it."
    if symbols and (
        has_change_icon(" ".join(control.icons))
        or has_change_word(code)
        or has_change_word(control.title)
    ):
        return f"{_describe_control(control)} has an icon or a name that suggests a change."
    if found := _judge_sending_code(control):
        return found
    return (
        f"{_button_name(label)} calls {code[:60]!r}."
        if not effect and has_change_word(code)
        else ""
    )


def _judge_sending_code(control: Control) -> str:
    """Judge the code of a control whose label says nothing about its effect."""
    code = " ".join(value for name, value in control.hooks.items() if name != "value").lower()
    sends = any(call in code for call in SENDING_CALLS)
    announced = label_effect(control.label or control.title)
    return f"{_describe_control(control)} sends something." if sends and not announced else ""


def _judge_edit(control: Control) -> str:
    """Judge a new value of a field: does the change alone send a request?"""
    if why := _judge_hooks(control):
        return why
    label, form = control.label or control.title, control.form
    effect = label_effect(label)
    code = " ".join(v for name, v in control.hooks.items() if name.startswith(("on", "@", "x-on")))
    calls = any(call in code.lower() for call in SENDING_CALLS)
    alone = form is not None and form.method == "post" and not form.submits
    choice = control.tag in {"select", "option"} or control.role in CHOICE_ROLES
    if form is not None and (calls or (alone and choice)):
        return (
            "" if form.method == "get" or effect == "read" else _judge_submit(control, form, label)
        )
    if calls and effect != "read":
        return f"Changing {_describe_control(control)} sends it."
    if form is not None or not {control.role, control.kind} & {"checkbox", "switch"}:
        return ""
    words = {
        word for value in control.hooks.values() for word in address_verbs.split_identifier(value)
    }
    risky = effect in {"change", "send"} or CODE_WORDS.toggles & words or control.role == "switch"
    return (
        f"Switching {_describe_control(control)} may be sent at once."
        if risky and effect != "read"
        else ""
    )


def _judge_enter(control: Control) -> str:
    """Judge the Enter key in a field."""
    if why := _judge_edit(control):
        return why
    kind = "editable" if control.editable else control.kind or control.tag
    form = control.form
    if form is not None and (form.method or form.submits) and kind not in {"textarea", "editable"}:
        return _judge_submit(control, form, form.default)
    effect = label_effect(control.label or control.title)
    if control.search or kind == "search" or effect == "read" or control.role == "combobox":
        return ""
    if form is not None and (form.method or _is_search_form(control, form)):
        return ""
    if kind not in TEXT_KINDS:
        return ""
    return f"Enter in {_describe_control(control)} may send what is typed."


def _judge_keys(control: Control, keys: str) -> str:
    """Judge keys that are pressed one after another."""
    return next(filter(None, (_judge_key(control, key) for key in keys.split() or ["Enter"])), "")


def _judge_key(control: Control, key: str) -> str:
    name = key.partition("*")[0].rpartition("+")[2].lower()
    field = control.tag in {"input", "textarea", "select"} or control.editable
    typed = field and control.kind not in UNTYPED_KINDS
    if name == "enter":
        return _judge_enter(control) if typed else _judge_click(control)
    if name == "space" and not typed:
        return _judge_click(control)
    if name in {"delete", "backspace"} and not typed:
        return f"The key {key} may delete {_describe_control(control)}."
    held = key.lower().startswith(("control+", "meta+", "controlormeta+"))
    return f"The keys {key} may save the page." if held and name == "s" else ""


def _sending_reason(control: Control, method: str) -> str:
    return f"{_describe_control(control)} sends {method.upper()}."


def _button_name(label: str) -> str:
    return f"{label.strip()[:60]!r}" if label.strip() else "The button"


def _describe_control(control: Control) -> str:
    label = (control.label or control.title).strip()[:60]
    return f"{control.role or control.tag or 'the element'} {label!r}".strip()
