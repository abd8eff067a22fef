"""Requests of a run to the person who started it."""

from typing import Literal

from forager.domain.base import Stored


class ApprovalRequest(Stored):
    """A request to approve an action, or to take over the browser where only a person can go on.

    `what` describes the action, `why` is the reason for asking, `picture` the blob of a screenshot.
    """

    kind: Literal["approve", "take over"]
    what: str
    why: str = ""
    url: str = ""
    picture: str = ""

    @property
    def without_picture(self) -> "ApprovalRequest":
        """The request without its screenshot, so that equal requests compare equal."""
        return self.model_copy(update={"picture": ""})


def approval_outcome(request: ApprovalRequest, answer: bool | None) -> str:
    """The outcome of a request, in words; `answer` is None while it waits."""
    if answer is None:
        return "Waiting"
    if request.kind == "approve":
        return "Approved" if answer else "Not approved"
    return "Taken over" if answer else "Not taken over"
