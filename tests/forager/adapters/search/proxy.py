"""A proxy on loopback that answers for DuckDuckGo's host.

The package ddgs asks fixed hosts over TLS. It takes a proxy, though, and this one answers itself
what is sent through it, with a certificate made for the occasion.
"""

import html
import socket
import ssl
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs

from tests.certificates import self_signed
from tests.forager.adapters.search.servers import Page
from tests.servers import Served

HOST = "html.duckduckgo.com"


class DuckDuckGoProxy(Served):
    """Answers searches at https://html.duckduckgo.com/html/ while entered."""

    def __init__(self, folder: Path, pages: Iterable[Page]) -> None:
        self.pages = list(pages)
        self.status = 200
        self.asked: list[dict[str, str]] = []
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(self_signed(HOST, folder))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:  # shut down
                self._listening.close()
                return
            with connection:
                connection.settimeout(5)
                head = _head(connection)
                assert head.startswith(f"CONNECT {HOST}:443 ")
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                with self._tls.wrap_socket(connection, server_side=True) as secure:
                    self._answer(secure)

    def _stop(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)

    def _answer(self, secure: ssl.SSLSocket) -> None:
        head = _head(secure)
        assert head.startswith("POST /html/ HTTP/1.1")
        length = next(
            int(line.partition(":")[2])
            for line in head.splitlines()
            if line.lower().startswith("content-length")
        )
        body = b""
        while len(body) < length:
            body += secure.recv(65536)
        form = parse_qs(body.decode(), keep_blank_values=True)
        self.asked.append({name: values[0] for name, values in form.items()})
        data = self._page(form["q"][0]).encode()
        phrase = HTTPStatus(self.status).phrase
        secure.sendall(
            f"HTTP/1.1 {self.status} {phrase}\r\nContent-Type: text/html; charset=utf-8\r\n"
            f"Content-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode()
        )
        secure.sendall(data)

    def _page(self, query: str) -> str:
        """The result page; the words of the query are bold."""
        site = next((w[5:] for w in query.split() if w.startswith("site:")), "")
        results = "".join(
            f'<div class="result results_links web-result"><div class="links_main result__body">'
            f'<h2 class="result__title"><a href="{html.escape(page.url)}">{page.title}</a></h2>'
            f'<a class="result__snippet" href="{html.escape(page.url)}"><b>{page.text}</b></a>'
            "</div></div>"
            for page in self.pages
            if site in page.url
        )
        return f"<!doctype html><html><body><div id=links>{results}</div></body></html>"


def _head(connection: socket.socket) -> str:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1)
    return head.decode()
