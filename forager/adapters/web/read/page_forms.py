"""Finds the forms of a page that query its server or a script and change nothing."""

from collections.abc import Iterable, Iterator
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from forager.browsing.page import control_words
from forager.domain.survey import Form

MAX_FORMS = 4
MAX_FORM_TEXT = 400
FIELDS = "input,select,textarea"
INVISIBLE_TYPES = frozenset({"hidden", "submit", "button", "image", "reset"})
PRIVATE_TYPES = frozenset({"password", "email", "file", "tel"})
TEXT_TYPES = frozenset({"", "text", "search", "number", "date", "month", "year"})
QUERY_NAMES = frozenset({"q", "query", "search", "s", "keyword", "keywords", "term", "terms"})
MIN_OPTIONS = 2


def find_forms(tree: LexborHTMLParser) -> tuple[Form, ...]:
    """Find the distinct search boxes and filter forms, including those that a script may show."""
    found: dict[tuple[str, str], Form] = {}
    for form in tree.css("form"):
        if kind := _form_kind(form):
            entry = Form(kind=kind, says=_form_text(form))
            found.setdefault((entry.kind, entry.says), entry)
    if not any(form.kind == "search" for form in found.values()):
        owned = {node.mem_id for form in tree.css("form") for node in form.css("input")}
        for node in tree.css("input"):
            if node.mem_id not in owned and _is_search_field(node):
                found.setdefault(("search", ""), Form(kind="search", says=_field_label(node)))
    return tuple(found.values())[:MAX_FORMS]


def find_gate(tree: LexborHTMLParser, text: str) -> tuple[Form, ...]:
    """Find the button of a gate: a page with little text and a button to continue."""
    if len(text.split()) > control_words.MAX_INTERSTITIAL_WORDS or any(
        _visible_fields(tree.css(FIELDS))
    ):
        return ()
    named = [
        _button_label(node) for node in tree.css("button,input[type=submit],input[type=button]")
    ]
    passing = [name for name in named if control_words.is_phrase(name, control_words.CONTINUE)]
    return (Form(kind="gate", says=passing[0]),) if passing else ()


def _form_kind(form: LexborNode) -> Literal["search", "filter", ""]:
    """The kind of a form; empty for forms that send data or sign in."""
    if (form.attributes.get("method") or "get").strip().lower() != "get":
        return ""
    fields = list(_visible_fields(form.css(FIELDS)))
    if any((field.attributes.get("type") or "").lower() in PRIVATE_TYPES for field in fields):
        return ""
    lists = [field for field in fields if _field_options(field)]
    texts = [field for field in fields if _takes_text(field)]
    if len(texts) == 1 and (_is_search_field(texts[0]) or (not lists and _is_search_form(form))):
        return "search"
    return "filter" if lists or len(texts) > 1 else ""


def _visible_fields(nodes: Iterable[LexborNode]) -> Iterator[LexborNode]:
    for node in nodes:
        if (node.attributes.get("type") or "").lower() not in INVISIBLE_TYPES:
            yield node


def _field_options(field: LexborNode) -> list[str]:
    options = [option.text().strip() for option in field.css("option")]
    return options if len(options) >= MIN_OPTIONS else []


def _takes_text(field: LexborNode) -> bool:
    kind = (field.attributes.get("type") or "").lower()
    return field.tag == "input" and kind in TEXT_TYPES


def _is_search_field(field: LexborNode) -> bool:
    """Is it a search field, by its type, name or label?"""
    if not _takes_text(field):
        return False
    attributes = field.attributes
    if (attributes.get("type") or "").lower() == "search":
        return True
    named = (attributes.get("name") or "").lower() in QUERY_NAMES
    return named or control_words.contains_phrase(_field_label(field), control_words.SEARCH)


def _is_search_form(form: LexborNode) -> bool:
    attributes = form.attributes
    known = (attributes.get(name) or "" for name in ("role", "class", "id", "action"))
    buttons = (_button_label(node) for node in form.css("button,input[type=submit]"))
    return control_words.contains_phrase(" ".join([*known, *buttons]), control_words.SEARCH)


def _field_label(field: LexborNode) -> str:
    known = ("placeholder", "aria-label", "title", "id", "name")
    return " ".join(filter(None, (field.attributes.get(name) for name in known)))


def _button_label(node: LexborNode) -> str:
    return node.text().strip() or node.attributes.get("value") or ""


def _form_text(form: LexborNode) -> str:
    """The text of a form: labels, names of fields, options, buttons."""
    words = [label.text().strip() for label in form.css("label,legend")]
    for field in _visible_fields(form.css(FIELDS)):
        words += [_field_label(field), *_field_options(field)]
    words += [_button_label(node) for node in form.css("button,input[type=submit]")]
    return " ".join(" ".join(dict.fromkeys(words)).split())[:MAX_FORM_TEXT]
