"""Questions about a default that do not say the word: pages do.

"If I change nothing", "when no model is named", "out of the box": what holds when nobody says
otherwise is called the default in handbooks, and by that word it is found.
"""

import re
from typing import Final

DEFAULT: Final = "default"
SAY: Final = (
    r"(?:set|nam|giv|gave|specif|cho[os]|chang|say|said|tell|told|pass|configur|mention|provid|"
    r"select|pick|touch|defin|stat|overr[io]d|adjust)\w*"
)
WHO: Final = r"(?:I|you|we|one|they|he|she|it|nobody|no one|people|(?:an?|the|my) [\w-]+)"
NOT: Final = r"(?:do(?:es)? not|do(?:es)?n['’]t|did not|didn['’]t|never|ha(?:ve|s)(?: not|n['’]t))"
NOTHING: Final = r"(?:nothing|none|no(?: [\w-]+){1,3})"
WHEN: Final = r"(?:if|when|where|while|until|as long as)"
UNSAID: Final = re.compile(
    rf"— by default\b|\bout of the box\b|"
    rf"\bunless\b[^,.;?]{{0,40}}\b(?:otherwise|differently|{SAY})|"
    rf"\botherwise {SAY}|\b{WHEN} {WHO} {NOT} (?:\w+ )?{SAY}|"
    rf"\b{WHEN} {WHO} (?:\w+ )?{SAY} {NOTHING}\b|"
    rf"\b{WHEN} (?:nobody|no one) (?:\w+ )?{SAY}|"
    rf"\b{WHEN} {NOTHING} (?:is|are|was|were|has been|have been) {SAY}|"
    rf"\bleft (?:alone|unset|untouched|unchanged|as it is)\b|\bwithout {SAY}\b|"
    r"\bstandardmäßig\b|\bvoreingestellt|\bvoreinstellung|"
    r"\bwenn (?:\w+ )?(?:nichts|keine?[nrms]?)\b[^,.;?]{0,30}"
    r"(?:geb|gib|stell|änder|setz|wähl|nenn|nannt|sag)|"
    r"\bpar défaut\b|\bsi (?:\w+ |l['’]on )?n(?:e |['’])[^,.;?]{0,30}\b(?:rien|aucune?)\b|"
    r"默认|缺省|(?:不|没有?|未)(?:指定|设置|更改|改动?|说明)",
    re.IGNORECASE,
)
"""Says that nobody says otherwise."""

STATED: Final = re.compile(
    r"\bdefault(?:s|ed|ing)?\b(?: values?)?[\s:=“\"'`*]*(?:(?:is|are|to|of|was)\b[\s:=“\"'`*]*)?"
    r"[^\s.,;)”\"']+|\bby default\b",
    re.IGNORECASE,
)
"""States one."""


def unsaid(text: str) -> str:
    """The word by which pages tell what is asked, where a text means a default; else nothing."""
    return DEFAULT if UNSAID.search(text) else ""
