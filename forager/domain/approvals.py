"""What a run asks the person behind it."""

from typing import Literal

from forager.domain.base import Stored


class ApprovalRequest(Stored):
    """To approve of an action before it is done, or to take over where a program cannot go on.

    `what` is the action in words, `why` what gave cause to ask; `picture` the blob of a screenshot.
    """

    kind: Literal["approve", "take over"]
    what: str
    why: str = ""
    url: str = ""
    picture: str = ""

    @property
    def without_picture(self) -> "ApprovalRequest":
        """The plea without its screenshot, which is never the same."""
        return self.model_copy(update={"picture": ""})


def approval_outcome(plea: ApprovalRequest, answer: bool | None) -> str:
    """What came of it, in words."""
    if answer is None:
        return "Waiting"
    if plea.kind == "approve":
        return "Approved" if answer else "Not approved"
    return "Taken over" if answer else "Not taken over"
