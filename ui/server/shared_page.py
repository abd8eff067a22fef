"""The pages of shared sessions: an answer with its sources, to be read and not to be changed.

One is behind a read-only link and needs no login; the other is for an account that was given it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from string import Template
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from forager.accounts import Account
from forager.errors import ForagerError
from graphs.sessions.service import Sessions
from ui.language.catalogue import language_tag, later, spoken_language, translate
from ui.language.document_wording import document_wording
from ui.server.access.request_guard import SHARED
from ui.server.backend import find_asker, get_installation
from ui.server.examples.example_sites import name_shipped_sites
from ui.server.people.shared_things import find_shared
from ui.server.space_backend import Backend

GIVEN: Final = "/with-you/"
"""Where a session is read that was shared with an account."""
HEADERS = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow"}
ENDED = Template("""\
<!doctype html><html lang="$lang"><meta charset="utf-8"><title>$title</title>
<h1>$title</h1>
<p>$why</p></html>
""")
TITLE = later("Nothing is shared here")
WHY = later("The link is not complete, or it was ended. Ask the person who sent it for a new one.")
OF_ACCOUNT: Final = "."
"""Between the ID of an account and the token of its link."""


def shared_path(token: str, account: Account | None) -> str:
    """The path of the link with this token, of a session of an account."""
    whose = "" if account is None or account.home else f"{account.id}{OF_ACCOUNT}"
    return f"{SHARED}{whose}{token}"


def given_path(share: str) -> str:
    """The path of a session that was shared with an account."""
    return f"{GIVEN}{share}"


async def _read_shared(sessions: Sessions, token: str, language: str) -> bytes | None:
    id = await sessions.listing.find_shared(token)
    if id is None:
        return None
    return await sessions.export(
        id, "html", wording=document_wording(language), sites=_example_sites()
    )


def _example_sites() -> Mapping[str, str]:
    """The names of the sites that ship with Forager, whose addresses lead nowhere elsewhere."""
    return name_shipped_sites(get_installation().home.settings.data)


def _describe_end(language: str) -> str:
    title, why = (translate(language, text, {}) for text in (TITLE, WHY))
    return ENDED.substitute(lang=language_tag(language), title=title, why=why)


def _find_space(account: str) -> Backend | None:
    """The space of an account, or the installation's own where none is named."""
    installation = get_installation()
    people = installation.people
    if not account:
        home = installation.owner()
        return None if home and home.account.disabled else installation.home
    found = people.accounts.find(account) if people else None
    return installation.space_of(found) if found and not found.disabled else None


async def _show(request: Request) -> HTMLResponse:
    whose, _, token = str(request.path_params["token"]).rpartition(OF_ACCOUNT)
    language = spoken_language(request.headers.get("accept-language", ""))
    document = None
    with suppress(ForagerError):  # a damaged session, of which its owner is told elsewhere
        space = await asyncio.to_thread(_find_space, whose)
        if space is not None:
            document = await space.sessions.call_async(lambda to: _read_shared(to, token, language))
    return _reply(document, language)


async def _show_given(request: Request) -> HTMLResponse:
    language = spoken_language(request.headers.get("accept-language", ""))
    people, asker = get_installation().people, find_asker()
    document = None
    if people is not None and asker is not None:
        wanted = people.accounts, asker.account, str(request.path_params["id"])
        with suppress(ForagerError):
            share, space = await asyncio.to_thread(lambda: find_shared(*wanted, "session"))
            wording = document_wording(language)
            document = await space.sessions.call_async(
                lambda to: to.export(share.thing, "html", wording=wording, sites=_example_sites())
            )
    return _reply(document, language)


def _reply(document: bytes | None, language: str) -> HTMLResponse:
    if document is None:
        return HTMLResponse(_describe_end(language), 404, headers=HEADERS)
    return HTMLResponse(document, headers=HEADERS)


ROUTES: Sequence[Route] = [
    Route(f"{SHARED}{{token}}", _show),
    Route(f"{GIVEN}{{id}}", _show_given),
]
