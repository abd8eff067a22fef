"""Identifiers in questions: names of settings, options and functions, such as `work_mem`."""

import re
from collections.abc import Sequence

IDENTIFIER = re.compile(
    r"(?<![\w./-])(?:[A-Za-z]+(?:_[A-Za-z0-9]+)+|--[a-z][a-z0-9-]*[a-z0-9]|[a-z]+(?:[A-Z][a-z0-9]+)+)"
    r"(?![\w/-])"
)
"""Words with an underscore or a hump inside, and long options."""
OPTION_START = re.compile(r"--(?:no-)?")


def find_identifiers(text: str) -> tuple[str, ...]:
    """The distinct identifiers of a text as it writes them, in order."""
    return tuple(dict.fromkeys(IDENTIFIER.findall(text)))


def unwritten_identifiers(text: str, pages: Sequence[str]) -> tuple[str, ...]:
    """The identifiers of a text that none of the pages writes, in any case, in lower case.

    An option may be written without its dashes, or as `--[no-]name`.
    """
    wanted = {
        name.lower(): OPTION_START.sub("", name.lower(), 1) for name in find_identifiers(text)
    }
    for page in pages if wanted else ():
        lowered = page.lower()
        wanted = {name: written for name, written in wanted.items() if written not in lowered}
    return tuple(wanted)
