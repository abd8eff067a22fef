"""The page behind a read-only link: a session's answer with its sources, without a login."""

from collections.abc import Sequence
from contextlib import suppress
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from forager.errors import ForagerError
from graphs.sessions.service import Sessions
from ui.language.catalogue import language_tag, later, spoken_language, translate
from ui.language.document_wording import document_wording
from ui.server.access.request_guard import SHARED
from ui.server.backend import call_sessions

HEADERS = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"}
ENDED = Template("""\
<!doctype html><html lang="$lang"><meta charset="utf-8"><title>$title</title>
<h1>$title</h1>
<p>$why</p></html>
""")
TITLE = later("Nothing is shared here")
WHY = later("The link is not complete, or it was ended. Ask the person who sent it for a new one.")


def shared_path(token: str) -> str:
    """The path of the link with this token."""
    return f"{SHARED}{token}"


async def _read_shared(sessions: Sessions, token: str, language: str) -> bytes | None:
    id = await sessions.listing.find_shared(token)
    if id is None:
        return None
    return await sessions.export(id, "html", wording=document_wording(language))


def _describe_end(language: str) -> str:
    title, why = (translate(language, text, {}) for text in (TITLE, WHY))
    return ENDED.substitute(lang=language_tag(language), title=title, why=why)


async def _show(request: Request) -> HTMLResponse:
    token = str(request.path_params["token"])
    language = spoken_language(request.headers.get("accept-language", ""))
    document = None
    with suppress(ForagerError):  # a damaged session, of which its owner is told elsewhere
        document = await call_sessions(lambda to: _read_shared(to, token, language))
    if document is None:
        return HTMLResponse(_describe_end(language), 404, headers=HEADERS)
    return HTMLResponse(document, headers=HEADERS)


ROUTES: Sequence[Route] = [Route(f"{SHARED}{{token}}", _show)]
