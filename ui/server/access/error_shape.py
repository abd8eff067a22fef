"""The shape of errors: ours, or OpenAI's for what OpenAI's clients call."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

PROGRAM_PATHS: Final = ("/api/", "/v1/")
"""What programs call; always with the token."""
OPENAI_PATHS: Final = "/v1/"
CODES: Final = {401: "invalid_api_key", 404: "model_not_found"}


def shape_error(path: str, status: int, answer: Mapping[str, Any]) -> dict[str, Any]:
    """The body of an error for this path; `answer` has `error` and `mend`, perhaps more."""
    if not path.startswith(OPENAI_PATHS):
        return dict(answer)
    kind = "server_error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
    fault = next(iter(answer.get("faults", ())), None)
    error = {
        "message": f"{answer['error']} {answer['mend']}",
        "type": kind,
        "param": ".".join(map(str, fault["loc"])) or None if fault else None,
        "code": CODES.get(status),
    }
    return {"error": error, "mend": answer["mend"]}
