"""What only a person can pass: a CAPTCHA, or a login without a known password."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from forager.browsing.page.aria import Node, by_ref, label
from forager.data.word_lists import all_words, match_any
from forager.domain.actions import Action
from forager.text.page_words import WORDS

ON_PAGE: Final = frozenset({"click", "type", "select", "drag", "press", "hover"})
PLACEHOLDER: Final = re.compile(r"\{\{ *([\w.-]+) *\}\}")
FRAMES: Final = re.compile(
    r"google\.com/recaptcha|recaptcha\.net|hcaptcha\.com|challenges\.cloudflare\.com"
    r"|arkoselabs\.com|funcaptcha|geetest\.com|captcha-delivery\.com|mtcaptcha\.com"
    r"|captcha\.awswaf\.com|px-c(?:loud|aptcha)|/captcha[/.?]",
    re.I,
)
PHRASES: Final = re.compile(
    r"\bnot a robot\b|\b(?:are|you're|am|i'm) (?:a )?human\b"
    r"|\bcaptcha\b.{0,40}(?:solve|complete|enter|type)|(?:solve|complete|enter|type).{0,40}\bcaptcha\b"
    rf"|{match_any(all_words(WORDS.captcha))}",
    re.I,
)
"""How pages ask for it, in the languages that ask most."""
TARGETS: Final = re.compile(r"captcha|" + PHRASES.pattern, re.I)
FEW_WORDS: Final = 120
"""A page with no more words than that, and a CAPTCHA, is nothing but its gate."""
CAPTCHA: Final = "The page wants proof that a person is using it (a CAPTCHA)."
LOGIN: Final = "The page wants a password that is not known here."

Login = Literal["", "target", "missing"]
"""Is the target a password field, or does its form have one that is still empty?"""


def gate(action: Action, root: Node, frames: Sequence[str] = (), login: Login = "") -> str:
    """What stands between an action and its effect that only a person can pass, or nothing.

    `root` is the tree of the page, `frames` are the addresses of its frames. A password that is
    named by a placeholder is known.
    """
    if action.kind not in ON_PAGE:
        return ""
    if captcha(action, root, frames):
        return CAPTCHA
    known = PLACEHOLDER.search(action.value)
    if login == "target" and action.kind == "type" and action.value and not known:
        return LOGIN
    submits = action.kind in {"click", "press"} or action.submit
    return LOGIN if login == "missing" and submits else ""


def captcha(action: Action, root: Node, frames: Sequence[str] = ()) -> bool:
    """Is the page nothing but a CAPTCHA, or does the action concern one?"""
    node = by_ref(root, action.target) if action.target else None
    if node and any(TARGETS.search(label(each)) for each in _around(node)):
        return True
    words = root.words()
    if len(words.split()) > FEW_WORDS:
        return False
    return any(FRAMES.search(frame) for frame in frames) or bool(PHRASES.search(words))


def _around(node: Node) -> list[Node]:
    """The node, and the frame that it stands in."""
    return [node, *(each for each in node.above() if each.role == "iframe" and each.name)]
