"""Judges whether an action changes something on the server: before it is done, and after.

A change is what going back does not undo: content, settings, and who is logged in, so that a log-in
is one too. What only looks (searches, filters, menus, previews) is none, whatever its method.
"""

from collections.abc import Sequence
from typing import Final

from forager.browsing.page import aria
from forager.browsing.safety import address_verbs, requests
from forager.browsing.safety.code_words import WORDS
from forager.browsing.safety.labels import changes, leaves, pictures, refused, sure, weight
from forager.domain.actions import Action
from forager.domain.browser import Control, ControlForm, SentRequest

BY_ADDRESS: Final = "Following it may change something on the server:"
ASKED: Final = frozenset({"change", "send", "agree", "make"})
CHOICES: Final = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
SLIDERS: Final = frozenset({"slider", "scrollbar", "separator", "spinbutton"})
UNTYPED: Final = frozenset({"submit", "button", "image", "checkbox", "radio", "reset"})
METHODS: Final = frozenset({"post", "put", "patch", "delete"})
TYPED: Final = frozenset(
    {"text", "email", "tel", "url", "password", "textarea", "file", "editable"}
)
"""Kinds of fields for what people write."""
CALLS: Final = (".submit(", "requestsubmit", "fetch(", ".post(", ".put(", ".delete(", ".patch(")
"""What a handler sends something by."""
FEW: Final = 3
"""Fields that a search has at the most."""


def before(control: Control | None, action: Action) -> str:
    """Why the action may change something on the server, or empty. None: it has no element."""
    if action.kind in {"goto", "new_tab"}:
        return _followed(address_verbs.address(action.target))
    if control is None or control.disabled:
        return ""
    if action.kind == "drag":
        slides = control.role in SLIDERS or control.kind == "range"
        return "" if slides else f"Dragging {_named(control)} may change an order that is kept."
    if action.kind == "press":
        return _pressed(control, action.value)
    if action.kind == "type" and (action.submit or "\n" in action.value):
        return _entered(control)
    judge = {"click": _clicked, "type": _altered, "select": _altered}.get(action.kind)
    return judge(control) if judge else ""


def after(sent: Sequence[SentRequest], action: Action, before: str, shown: str = "") -> str:
    """What the action changed on the server, or empty.

    `before` is what `before` said of it; `shown` the accessibility tree of the page that came: one
    that asks whether it shall be done, or shows the form again with its faults, tells that it is
    not done.
    """
    reasons = [requests.change(each, bool(before)) for each in sent]
    forms = [reason for reason, each in zip(reasons, sent, strict=True) if _navigates(each)]
    scripts = [reason for reason, each in zip(reasons, sent, strict=True) if not _navigates(each)]
    if found := next(filter(None, scripts), ""):
        return found
    found = next(filter(None, forms), "")
    if found and not before and _reads(action):
        return ""
    if not found and before.startswith(BY_ADDRESS):
        found = before
    return "" if found and shown and _open(aria.parse(shown), action) else found


def _navigates(sent: SentRequest) -> bool:
    return sent.resource in {"document", ""} and sent.method.upper() == "POST"


def _reads(action: Action) -> bool:
    return action.element is not None and weight(action.element.name) == "read"


def _open(page: aria.Node, action: Action) -> bool:
    """Is it still open? The page asks to be told once more, or shows the form again with faults."""
    said = page.words()
    if sure(said) and any(weight(aria.label(one)) in ASKED for one in _buttons(page)):
        return True
    element = action.element
    return refused(said) and any(
        element and (node.role, aria.label(node)) == (element.role, element.name)
        for node in page.walk()
    )


def _buttons(page: aria.Node) -> list[aria.Node]:
    return [node for node in page.walk() if node.role == "button"]


def _clicked(control: Control) -> str:
    if control.role in CHOICES or control.kind in {"checkbox", "radio"} or control.tag == "option":
        return _altered(control)
    why = _hooked(control)
    if why or control.kind in {"reset", "file"}:
        return why
    if control.submits and control.form:
        return _submitted(control, control.form, control.label or control.title)
    if leaves(control.label or control.title):
        ends = f"{_named(control)} ends the session"
        return _followed(ends) if _links(control) else f"{ends}."
    if _links(control):
        return _followed(address_verbs.address(control.href, control.label or control.title))
    field = control.tag in {"input", "textarea", "select"} and control.kind != "button"
    return "" if field or control.popup or control.role == "tab" else _scripted(control)


def _links(control: Control) -> bool:
    return control.href.partition(":")[0] in {"http", "https"}


def _followed(why: str) -> str:
    return f"{BY_ADDRESS} {why}." if why else ""


def _hooked(control: Control) -> str:
    """What the attributes say that frameworks send requests by."""
    for name, value in control.hooks.items():
        plain = name.removeprefix("data-")
        if plain.startswith("hx-") and plain.removeprefix("hx-") in METHODS:
            return "" if weight(control.label) == "read" else _by(control, plain[3:])
        if plain in {"method", "turbo-method", "ujs-method"} and value.lower() in METHODS:
            return _by(control, value)
        if plain in {"confirm", "turbo-confirm", "hx-confirm"} or "confirm(" in value:
            return f"{_named(control)} asks to be confirmed."
    return ""


def _submitted(control: Control, form: ControlForm, label: str) -> str:
    """A form is sent, by the button with this label."""
    heavy, verdicts = weight(label), {address_verbs.command(each) for each in form.commands}
    if "change" in verdicts and heavy != "read":
        return f"{_button(label)} sends a form that says {form.commands[0]!r}."
    looks = heavy == "read" or (_searches(control, form) and heavy in {"", "agree", "send"})
    if form.method == "post":
        opens = "read" in verdicts and not form.fields and heavy in {"", "read", "agree"}
        looks = looks or opens
        return "" if looks else f"{_button(label)} sends a form by POST."
    if looks or (form.method == "dialog" and heavy != "change"):
        return ""
    if form.method == "get":
        risky = heavy == "change" or "password" in form.fields
        return (
            f"{_button(label)} sends a form."
            if risky
            else _followed(address_verbs.address(form.action))
        )
    if heavy or TYPED & set(form.fields):
        return f"{_button(label)} sends a form that a script takes."
    return ""


def _searches(control: Control, form: ControlForm) -> bool:
    """Is it a form to search with? It has few fields, and its place, name or address says so."""
    if "password" in form.fields or "textarea" in form.fields or "file" in form.fields:
        return False
    last = set(address_verbs.split(form.action.partition("?")[0].rstrip("/").rpartition("/")[2]))
    named = "search" in form.fields or bool(WORDS.searched & {name.lower() for name in form.names})
    return form.search or (len(form.fields) <= FEW and (named or bool(WORDS.looking & last)))


def _scripted(control: Control) -> str:
    """A button that no form stands behind."""
    label = control.label or control.title
    heavy = weight(label)
    code = " ".join(value for name, value in control.hooks.items() if name != "value")
    symbols = not any(each.isalnum() for each in label)
    if heavy == "change" or (heavy == "send" and not control.search):
        return f"{_button(label)} says that it changes something."
    if heavy == "make" and control.form is None:
        return f"{_button(label)} may add something."
    if heavy == "agree" and (changes(control.around) or sure(control.around)):
        return f"{_button(label)} agrees to what stands around it."
    if symbols and (pictures(" ".join(control.icons)) or changes(code) or changes(control.title)):
        return f"{_named(control)} has the picture or name of a change."
    if not heavy and any(call in code.lower() for call in CALLS):
        return f"{_named(control)} sends something."
    return f"{_button(label)} calls {code[:60]!r}." if not heavy and changes(code) else ""


def _altered(control: Control) -> str:
    """A field gets another value: does that alone send it?"""
    if why := _hooked(control):
        return why
    label, form = control.label or control.title, control.form
    heavy = weight(label)
    code = " ".join(v for name, v in control.hooks.items() if name.startswith(("on", "@", "x-on")))
    calls = any(call in code.lower() for call in CALLS)
    alone = form is not None and form.method == "post" and not form.submits
    choice = control.tag in {"select", "option"} or control.role in CHOICES
    if form is not None and (calls or (alone and choice)):
        return "" if form.method == "get" or heavy == "read" else _submitted(control, form, label)
    if calls and heavy != "read":
        return f"Changing {_named(control)} sends it."
    if form is not None or not {control.role, control.kind} & {"checkbox", "switch"}:
        return ""
    words = {word for value in control.hooks.values() for word in address_verbs.split(value)}
    risky = heavy in {"change", "send"} or WORDS.toggles & words or control.role == "switch"
    return f"Switching {_named(control)} may be sent at once." if risky and heavy != "read" else ""


def _entered(control: Control) -> str:
    """Enter in a field."""
    if why := _altered(control):
        return why
    kind = "editable" if control.editable else control.kind or control.tag
    form = control.form
    if form is not None and (form.method or form.submits) and kind not in {"textarea", "editable"}:
        return _submitted(control, form, form.default)
    heavy = weight(control.label or control.title)
    if control.search or kind == "search" or heavy == "read" or control.role == "combobox":
        return ""
    if form is not None and (form.method or _searches(control, form)):
        return ""
    if kind not in TYPED:
        return ""
    return f"Enter in {_named(control)} may send what is typed."


def _pressed(control: Control, keys: str) -> str:
    """The keys are pressed one after another."""
    return next(filter(None, (_key(control, key) for key in keys.split() or ["Enter"])), "")


def _key(control: Control, key: str) -> str:
    plain = key.partition("*")[0].rpartition("+")[2].lower()
    field = control.tag in {"input", "textarea", "select"} or control.editable
    typed = field and control.kind not in UNTYPED
    if plain == "enter":
        return _entered(control) if typed else _clicked(control)
    if plain == "space" and not typed:
        return _clicked(control)
    if plain in {"delete", "backspace"} and not typed:
        return f"The key {key} may delete {_named(control)}."
    held = key.lower().startswith(("control+", "meta+", "controlormeta+"))
    return f"The keys {key} may save the page." if held and plain == "s" else ""


def _by(control: Control, method: str) -> str:
    return f"{_named(control)} sends {method.upper()}."


def _button(label: str) -> str:
    return f"{label.strip()[:60]!r}" if label.strip() else "The button"


def _named(control: Control) -> str:
    said = (control.label or control.title).strip()[:60]
    return f"{control.role or control.tag or 'the element'} {said!r}".strip()
