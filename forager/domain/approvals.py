"""What a run asks the person who started it."""

from typing import Literal

from forager.domain.base import Stored


class ApprovalRequest(Stored):
    """A request to approve an action, or to take over the browser where a program cannot go on.

    `what` is the action in words, `why` the reason for asking, `picture` the blob of a screenshot.
    """

    kind: Literal["approve", "take over"]
    what: str
    why: str = ""
    url: str = ""
    picture: str = ""

    @property
    def without_picture(self) -> "ApprovalRequest":
        """The request without its screenshot, which is never the same twice."""
        return self.model_copy(update={"picture": ""})


def approval_outcome(request: ApprovalRequest, answer: bool | None) -> str:
    """What came of a request, in words."""
    if answer is None:
        return "Waiting"
    if request.kind == "approve":
        return "Approved" if answer else "Not approved"
    return "Taken over" if answer else "Not taken over"
