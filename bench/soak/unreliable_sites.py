"""Small generated sites on loopback that can fall silent or reset their connections."""

import random
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

from bench.page_handler import PageHandler

Mode = Literal["well", "silent", "resetting"]
NAMES = ("Skarn", "Holm", "Vega", "Senja", "Runde", "Utsira", "Lista", "Ona", "Svinoy", "Fedje")
BUILDERS = ("Marta Lindqvist", "Ole Brenna", "Ida Falk", "Knut Strand", "Sigrid Aune")
HANG_SECONDS = 60.0
RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class UnreliableSite:
    """A site with a page for each of its lighthouses. `mode` says how it answers from now on."""

    def __init__(self, draw: random.Random) -> None:
        self.mode: Mode = "well"
        self.well_again = threading.Event()
        self.names = tuple(draw.sample(NAMES, 6))
        self.pages = {"/": _home_page(self.names).encode()} | {
            f"/{name.lower()}.html": _light_page(name, draw).encode() for name in self.names
        }
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _make_handler(self))
        self.server.daemon_threads = True

    @property
    def url(self) -> str:
        """The address of its first page."""
        return f"http://127.0.0.1:{self.server.server_address[1]}/"

    def set_mode(self, mode: Mode) -> None:
        """Answer so from now on; requests that wait are let go."""
        self.mode = mode
        self.well_again.set()
        if mode != "well":
            self.well_again.clear()


@contextmanager
def serve_sites(count: int, draw: random.Random) -> Iterator[tuple[UnreliableSite, ...]]:
    """Serve so many sites in threads of this process."""
    sites = tuple(UnreliableSite(draw) for _ in range(count))
    threads = [threading.Thread(target=site.server.serve_forever, daemon=True) for site in sites]
    for thread in threads:
        thread.start()
    try:
        yield sites
    finally:
        for site in sites:
            site.set_mode("well")
            site.server.shutdown()
            site.server.server_close()


def _make_handler(site: UnreliableSite) -> type[BaseHTTPRequestHandler]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if site.mode == "resetting":
                linger = socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE
                self.connection.setsockopt(*linger)
                self.close_connection = True
                return
            if site.mode == "silent":
                site.well_again.wait(HANG_SECONDS)
            self.send_page(site.pages.get(self.path))

    return Handler


def _home_page(names: tuple[str, ...]) -> str:
    links = "".join(f'<li><a href="/{name.lower()}.html">{name} lighthouse</a>' for name in names)
    return (
        "<title>Lighthouses</title><h1>Lighthouses</h1>"
        f"<p>The lighthouses of this coast, with a page for each of them.</p><ul>{links}</ul>"
    )


def _light_page(name: str, draw: random.Random) -> str:
    year, height = draw.randint(1790, 1930), draw.randint(9, 60)
    return (
        f"<title>{name} lighthouse</title><h1>{name} lighthouse</h1><p>The {name} lighthouse was "
        f"built by the engineer {draw.choice(BUILDERS)} in {year}. It stands {height} metres high."
        f"</p><p>The keepers of the {name} lighthouse were {draw.randint(2, 9)} until "
        f"{year + 90}.</p>"
    )
