"""Gates that only a person can pass: CAPTCHAs, and logins whose password is unknown."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from forager.browsing.page.aria import Node, node_by_ref, node_label
from forager.data.word_lists import all_words, match_any
from forager.domain.actions import Action
from forager.text.page_words import PAGE_WORDS

PAGE_KINDS: Final = frozenset({"click", "type", "select", "drag", "press", "hover"})
PLACEHOLDER: Final = re.compile(r"\{\{ *([\w.-]+) *\}\}")
CAPTCHA_FRAMES: Final = re.compile(
    r"google\.com/recaptcha|recaptcha\.net|hcaptcha\.com|challenges\.cloudflare\.com"
    r"|arkoselabs\.com|funcaptcha|geetest\.com|captcha-delivery\.com|mtcaptcha\.com"
    r"|captcha\.awswaf\.com|px-c(?:loud|aptcha)|/captcha[/.?]",
    re.I,
)
CAPTCHA_PHRASES: Final = re.compile(
    r"\bnot a robot\b|\b(?:are|you're|am|i'm) (?:a )?human\b"
    r"|\bcaptcha\b.{0,40}(?:solve|complete|enter|type)|(?:solve|complete|enter|type).{0,40}\bcaptcha\b"
    rf"|{match_any(all_words(PAGE_WORDS.captcha))}",
    re.I,
)
"""How pages ask for a CAPTCHA to be solved, in several languages."""
CAPTCHA_TARGETS: Final = re.compile(r"captcha|" + CAPTCHA_PHRASES.pattern, re.I)
MAX_GATE_WORDS: Final = 120
"""A page with a CAPTCHA and at most this many words shows nothing else."""
CAPTCHA_GATE: Final = "The page wants proof that a person is using it (a CAPTCHA)."
LOGIN_GATE: Final = "The page wants a password that is not known here."

LoginState = Literal["", "target", "missing"]
"""Is the target a password field, or does its form have one that is still empty?"""


def human_gate(
    action: Action, root: Node, frames: Sequence[str] = (), login: LoginState = ""
) -> str:
    """The gate before an action that only a person can pass, as a message; empty if there is none.

    `root` is the page's tree, `frames` are the URLs of its frames. A password given as a
    placeholder, such as `{{ password }}`, is known.
    """
    if action.kind not in PAGE_KINDS:
        return ""
    if concerns_captcha(action, root, frames):
        return CAPTCHA_GATE
    known = PLACEHOLDER.search(action.value)
    if login == "target" and action.kind == "type" and action.value and not known:
        return LOGIN_GATE
    submits = action.kind in {"click", "press"} or action.submit
    return LOGIN_GATE if login == "missing" and submits else ""


def concerns_captcha(action: Action, root: Node, frames: Sequence[str] = ()) -> bool:
    """Is the page nothing but a CAPTCHA, or does the action concern one?"""
    node = node_by_ref(root, action.target) if action.target else None
    if node and any(CAPTCHA_TARGETS.search(node_label(each)) for each in _with_frames(node)):
        return True
    words = root.text_content()
    if len(words.split()) > MAX_GATE_WORDS:
        return False
    return any(CAPTCHA_FRAMES.search(frame) for frame in frames) or bool(
        CAPTCHA_PHRASES.search(words)
    )


def _with_frames(node: Node) -> list[Node]:
    """The node and the named frames around it."""
    return [node, *(each for each in node.ancestors() if each.role == "iframe" and each.name)]
