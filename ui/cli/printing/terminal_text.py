"""Text from pages, made safe for a terminal."""

import re
import time

from forager.text.unicode import TURNING

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters and escapes; not tab and newline
    f"{TURNING}]"
)
ELLIPSIS = "…"


def strip_controls(text: str) -> str:
    """Remove characters that could recolour, rewrite or reorder what a terminal shows."""
    return HIDDEN.sub("", text)


def one_line(text: str, longest: int = 0) -> str:
    """The text on one line, safe for a terminal, cut to `longest` characters if that is set."""
    line = " ".join(strip_controls(text).split())
    return line if not longest or len(line) <= longest else f"{line[: longest - 1]}{ELLIPSIS}"


def local_time(seconds: float) -> str:
    """Seconds since the epoch as local date and time."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
