"""Serves one Streamlit script under the web UI's own headers, and says where."""

import sys

import streamlit as st
import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.headers import secure
from ui.server.listening import address_of, listen


class Secured:
    """Every reply with the headers that the web UI sends."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                secure(MutableHeaders(scope=message), Headers(scope=scope).get("host", ""))
            await send(message)

        await self._app(scope, receive, sent if scope["type"] == "http" else send)


def main(script: str) -> None:
    with listen("127.0.0.1", 0) as bound:
        sys.stdout.write(address_of(bound) + "\n")
        sys.stdout.flush()
        app = st.App(script, middleware=[Middleware(Secured)])
        config = uvicorn.Config(app, log_config=None, ws="websockets-sansio")
        uvicorn.Server(config).run([bound])


if __name__ == "__main__":
    main(sys.argv[1])
