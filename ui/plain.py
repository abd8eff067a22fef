"""Text from pages made harmless for a terminal."""

import re

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, escapes among them; not tab and newline
    "\u202a-\u202e\u2066-\u2069]"  # marks that turn the direction of the text around
)


def clean(text: str) -> str:
    """The text without characters that could recolour, rewrite or reorder what a terminal shows."""
    return UNSEEN.sub("", text)
