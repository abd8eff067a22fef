"""What an error status means, in one line."""

from http import HTTPStatus

from forager.errors import StatusError

MENDS = {
    401: "Forager reads public pages only; this one asks for a login.",
    403: "The site does not let programs read this page; try another page or another site.",
    404: "Check the address; the page may have moved.",
    407: "A proxy asks for a login.",
    410: "The page is gone for good.",
    429: "The site asks for patience; try again later.",
}


def status_error(url: str, status: int, retry_after: float | None = None) -> StatusError:
    """The error for a status that is no success."""
    phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "unknown status"
    mend = MENDS.get(
        status,
        "The site is in trouble; try again later."
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR
        else "",
    )
    if retry_after:
        mend = f"The site asks to wait {retry_after:.0f} s; try again later."
    return StatusError(f"{url} answered {status} {phrase}.", mend, status=status)
