"""What a run asks the person behind it."""

from typing import Literal

from forager.frozen import Frozen


class Plea(Frozen):
    """To approve of an action before it is done, or to take over where a program cannot go on.

    `what` is the action in words, `why` what gave cause to ask; `picture` the blob of a screenshot.
    """

    kind: Literal["approve", "take over"]
    what: str
    why: str = ""
    url: str = ""
    picture: str = ""
