"""The forms of a page that ask something of its server, or of a script, and change nothing."""

from collections.abc import Iterable, Iterator
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from forager.browsing.page import control_words
from forager.domain.survey import Form

MOST = 4
LONGEST = 400
FIELDS = "input,select,textarea"
UNSEEN_TYPES = frozenset({"hidden", "submit", "button", "image", "reset"})
PRIVATE_TYPES = frozenset({"password", "email", "file", "tel"})
TEXT_TYPES = frozenset({"", "text", "search", "number", "date", "month", "year"})
QUERY_NAMES = frozenset({"q", "query", "search", "s", "keyword", "keywords", "term", "terms"})
FEW_OPTIONS = 2


def forms(tree: LexborHTMLParser) -> tuple[Form, ...]:
    """The search boxes and filter forms, each said once; also of what a script may show."""
    found: dict[tuple[str, str], Form] = {}
    for form in tree.css("form"):
        if kind := _kind(form):
            made = Form(kind=kind, says=_says(form))
            found.setdefault((made.kind, made.says), made)
    if not any(form.kind == "search" for form in found.values()):
        loose = (node for node in tree.css("input") if not _inside_form(node))
        for node in loose:
            if _searches(node):
                found.setdefault(("search", ""), Form(kind="search", says=_label(node)))
    return tuple(found.values())[:MOST]


def gate(tree: LexborHTMLParser, text: str) -> tuple[Form, ...]:
    """A page of few words with a button to go on, and no way round it."""
    if len(text.split()) > control_words.MAX_INTERSTITIAL_WORDS or any(_fields(tree.css(FIELDS))):
        return ()
    named = [_button(node) for node in tree.css("button,input[type=submit],input[type=button]")]
    passing = [name for name in named if control_words.is_phrase(name, control_words.CONTINUE)]
    return (Form(kind="gate", says=passing[0]),) if passing else ()


def _kind(form: LexborNode) -> Literal["search", "filter", ""]:
    """What a form is for; nothing for what sends or signs in."""
    if (form.attributes.get("method") or "get").strip().lower() != "get":
        return ""
    fields = list(_fields(form.css(FIELDS)))
    if any((field.attributes.get("type") or "").lower() in PRIVATE_TYPES for field in fields):
        return ""
    lists = [field for field in fields if _options(field)]
    texts = [field for field in fields if _takes_text(field)]
    if len(texts) == 1 and (_searches(texts[0]) or (not lists and _says_search(form))):
        return "search"
    return "filter" if lists or len(texts) > 1 else ""


def _fields(nodes: Iterable[LexborNode]) -> Iterator[LexborNode]:
    for node in nodes:
        if (node.attributes.get("type") or "").lower() not in UNSEEN_TYPES:
            yield node


def _options(field: LexborNode) -> list[str]:
    options = [option.text().strip() for option in field.css("option")]
    return options if len(options) >= FEW_OPTIONS else []


def _takes_text(field: LexborNode) -> bool:
    kind = (field.attributes.get("type") or "").lower()
    return field.tag == "input" and kind in TEXT_TYPES


def _searches(field: LexborNode) -> bool:
    """Does a field say that it searches?"""
    if not _takes_text(field):
        return False
    attributes = field.attributes
    if (attributes.get("type") or "").lower() == "search":
        return True
    named = (attributes.get("name") or "").lower() in QUERY_NAMES
    return named or control_words.contains_phrase(_label(field), control_words.SEARCH)


def _says_search(form: LexborNode) -> bool:
    attributes = form.attributes
    known = (attributes.get(name) or "" for name in ("role", "class", "id", "action"))
    buttons = (_button(node) for node in form.css("button,input[type=submit]"))
    return control_words.contains_phrase(" ".join([*known, *buttons]), control_words.SEARCH)


def _label(field: LexborNode) -> str:
    known = ("placeholder", "aria-label", "title", "id", "name")
    return " ".join(filter(None, (field.attributes.get(name) for name in known)))


def _button(node: LexborNode) -> str:
    return node.text().strip() or node.attributes.get("value") or ""


def _says(form: LexborNode) -> str:
    """The words of a form: labels, names of fields, options, buttons."""
    words = [label.text().strip() for label in form.css("label,legend")]
    for field in _fields(form.css(FIELDS)):
        words += [_label(field), *_options(field)]
    words += [_button(node) for node in form.css("button,input[type=submit]")]
    return " ".join(" ".join(dict.fromkeys(words)).split())[:LONGEST]


def _inside_form(node: LexborNode) -> bool:
    above = node.parent
    while above is not None:
        if above.tag == "form":
            return True
        above = above.parent
    return False
