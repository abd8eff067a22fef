"""A server that speaks SearXNG's search API over the pages that were crawled into a data folder.

    python -m tests.searxng --data FOLDER --port 8888

What it knows is what `forager ask` or `forager bench crawl` fetched; the operator `site:` is
understood, with a port where the site has one of its own. Set FORAGER_SEARCH=searxng and
FORAGER_SEARXNG_URL to its address, and allow the private hosts that its results are on.
"""

import argparse
import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from forager.adapters.search.page_index import PageIndex
from forager.adapters.search.provider import ResultRow
from forager.adapters.store.blobs import SqliteBlobs
from forager.domain import urls
from forager.errors import AddressError, ForagerError

PAGE = 10
HOST = "127.0.0.1"
Answer = tuple[HTTPStatus, object]


def answer(index: PageIndex, params: Mapping[str, str]) -> Answer:
    """What /search answers, as https://docs.searxng.org/dev/search_api.html has it."""
    if params.get("format") != "json":
        return HTTPStatus.FORBIDDEN, "This instance gives JSON alone: format=json"
    query, page = params.get("q", "").strip(), params.get("pageno", "1")
    if not query or not page.isdigit() or page == "0":
        return HTTPStatus.BAD_REQUEST, "No query, or no page number"
    sites = [word[5:] for word in query.split() if word.startswith("site:")]
    words = " ".join(word for word in query.split() if not word.startswith("site:"))
    last = int(page) * PAGE
    site = urls.canonical_url(f"http://{sites[0]}/") if sites else ""
    rows = index.search(words, last, site)[last - PAGE :]
    return HTTPStatus.OK, {
        "query": query,
        "number_of_results": 0,
        "results": [_result(row, number) for number, row in enumerate(rows, last - PAGE + 1)],
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [],
    }


def _result(row: ResultRow, position: int) -> dict[str, object]:
    parts = urlsplit(row.url)
    return {
        "url": row.url,
        "title": row.title,
        "content": " ".join(row.snippet.split()),
        "engine": "sites",
        "engines": ["sites"],
        "positions": [position],
        "score": 1 / position,
        "category": "general",
        "template": "default.html",
        "parsed_url": [parts.scheme, parts.netloc, parts.path, "", parts.query, ""],
        "publishedDate": None,
    }


@contextmanager
def serving(data: Path, port: int = 0) -> Iterator[str]:
    """Its address, while it answers from the pages in a data folder."""
    with (
        closing(SqliteBlobs(data / "blobs.sqlite")) as blobs,
        closing(PageIndex(data, blobs)) as index,
    ):
        server = ThreadingHTTPServer((HOST, port), _handler(index))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.005,))
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_port}"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _handler(index: PageIndex) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 20
        wbufsize = 65536

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            form = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            status, said = HTTPStatus.NOT_FOUND, object()
            if parts.path in ("/", "/search"):
                try:
                    status, said = answer(index, dict(parse_qsl(form or parts.query)))
                except AddressError as error:
                    status, said = HTTPStatus.BAD_REQUEST, str(error)
                except ForagerError as error:
                    status, said = HTTPStatus.INTERNAL_SERVER_ERROR, str(error)
            self._say(status, said)

        do_POST = do_GET

        def _say(self, status: HTTPStatus, said: object) -> None:
            page = f"<!doctype html><title>{status}</title><p>{said}</p>"
            body = (json.dumps(said) if isinstance(said, dict) else page).encode()
            kind = "application/json" if isinstance(said, dict) else "text/html"
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Standard error belongs to whoever started it."""

    return Handler


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the data folder")
    parser.add_argument("--port", type=int, default=0, help="the port; 0 picks one")
    options = parser.parse_args()
    with serving(options.data, options.port) as url:
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
