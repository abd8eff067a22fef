"""Serves a Streamlit script with the web UI's own headers and prints its address."""

import sys

import streamlit as st
import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.access.security_headers import PagePolicy, add_headers
from ui.server.assets import ROUTES
from ui.server.sockets import open_listener, url_of


class Secured:
    """Middleware that adds the web UI's headers to every reply."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._policy = PagePolicy(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._policy.read_page()

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                host = Headers(scope=scope).get("host", "")
                add_headers(MutableHeaders(scope=message), self._policy.rules(host))
            await send(message)

        await self._app(scope, receive, sent if scope["type"] == "http" else send)


def main(script: str) -> None:
    with open_listener("127.0.0.1", 0) as bound:
        sys.stdout.write(url_of(bound) + "\n")
        sys.stdout.flush()
        app = st.App(script, routes=ROUTES, middleware=[Middleware(Secured)])
        config = uvicorn.Config(app, log_config=None, ws="websockets-sansio")
        uvicorn.Server(config).run([bound])


if __name__ == "__main__":
    main(sys.argv[1])
