"""A question as it is meant within its conversation."""

from forager.frozen import Frozen


class Meaning(Frozen):
    """What a follow-up asks, in words that stand alone, and about what; empty on a first one."""

    text: str = ""
    context: str = ""
