"""A web shop whose pages change between visits and which records its requests."""

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from bench.browser.loopback import serve_handler

GOODS = ("Apple", "Pear", "Kiwi", "Plum", "Fig", "Lime", "Date", "Quince")
SEE = "Reviews"
HARMLESS_MOODS = (
    "same",
    "banner",
    "shuffled",
    "ids",
    "numbered",
    "clocks",
    "wrapped",
    "late",
    "beacons",
)
"""Moods in which everything recorded before still exists."""
LOST_MOODS = (
    "gone",
    "expired",
    "redirected",
    "error",
    "sorry",
    "silent",
    "emptied",
    "swapped",
    "values",
    "asks",
    "writes",
)
"""Moods in which a recorded trajectory may lead elsewhere."""

SCRIPT = """
const truth = () => JSON.stringify({
  page: document.querySelector("main")?.dataset.state ?? "",
  open: [...document.querySelectorAll(".more:not([hidden])")].map((e) => e.dataset.of).sort(),
  shown: [...document.querySelectorAll("[data-item]:not([hidden])")]
    .map((e) => e.dataset.item).sort(),
  fields: [...document.querySelectorAll("main input, main select, main textarea")]
    .map((e) => e.dataset.field + "=" + (e.type === "checkbox" || e.type === "radio"
      ? e.checked : e.value)).sort(),
  said: document.querySelector("#said")?.textContent ?? "",
});
const more = (of) => { const e = document.querySelector(`.more[data-of="${of}"]`);
  e.hidden = !e.hidden; };
const filter = (part) => { for (const e of document.querySelectorAll("[data-item]"))
  e.hidden = !e.dataset.item.toLowerCase().includes(part.toLowerCase()); };
const load = async (url, method) => {
  const said = document.querySelector("#said");
  try { said.textContent = await (await fetch(url, {method})).text(); }
  catch { said.textContent = "Could not be loaded."; }
};
"""


class ShopRequest(NamedTuple):
    """One recorded request."""

    method: str
    path: str


class Shop:
    """A shop; `mood` says how its pages differ from the first visit.

    Requests that a page sends by itself carry the `phase` in which the page was served.
    """

    def __init__(self, seed: int = 0) -> None:
        self.mood = "same"
        self.phase = "then"
        self.requests: list[ShopRequest] = []
        self.wait = threading.Event()
        self.root = ""
        self._dice = random.Random(seed)

    def url_of(self, path: str = "/") -> str:
        """Return the URL of a path."""
        return self.root + path

    def answer_request(self, method: str, path: str) -> tuple[int, str, dict[str, str]]:
        """Return status, body and headers of the reply."""
        self.requests.append(ShopRequest(method, path))
        parts = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/reviews":
            return 200, f"Three people like {query.get('of', 'it')}.", {}
        if parts.path not in PAGES:
            return (404, "<h1>Not found</h1>", {}) if method == "GET" else (200, "done", {})
        if self.mood == "silent":
            self.wait.wait(20)
        if self.mood == "redirected" and parts.path != "/login":
            return 302, "", {"Location": "/login"}
        if self.mood == "expired":
            return 200, self._wrap_page(_login_page(self, query), "Log in"), {}
        if self.mood == "error":
            return 500, "<h1>Internal error</h1>", {}
        title = "Shop" if self.mood != "sorry" else "Sorry"
        body = PAGES[parts.path](self, query)
        if self.mood == "sorry":
            body = "<main data-state=sorry><h1>Shop</h1><p>Something went wrong.</p></main>"
        return 200, self._wrap_page(body, title), {}

    def element_name(self, what: str) -> str:
        """Return an id for an element; random in mood `ids`."""
        return f"{what}{self._dice.randrange(10**8) if self.mood == 'ids' else ''}"

    def listed_goods(self) -> list[str]:
        """Return the goods in the current order."""
        goods = list(GOODS)
        if self.mood in {"shuffled", "numbered"}:
            self._dice.shuffle(goods)
        return goods

    def _wrap_page(self, body: str, title: str) -> str:
        """Return a whole page around a body, with what the mood adds."""
        head = f"<title>{escape(title)}</title><script>{SCRIPT}</script>"
        around = self._mood_markup()
        if self.mood == "wrapped":
            body = f"<div><section><div>{body}</div><div></div></section></div>"
        if self.mood == "late":
            body = f"<div id=here></div><script>setTimeout(() => {{ document.getElementById('here')\
.outerHTML = {json.dumps(body)}; }}, {self._dice.randrange(200, 900)});</script>"
        foot = f"<footer>Made with care. {len(self.requests)} visits</footer>"
        clock = "<p>It is <b id=clock></b> now</p><script>clock.textContent = \
new Date().toTimeString().slice(0, 8)</script>"
        return f"<!doctype html>{head}<body>{around}{body}{clock}{foot}</body>"

    def _mood_markup(self) -> str:
        sale = self._dice.choice(["Summer sale", "Free shipping", "New: plum jam"])
        banners = {
            "banner": f"<div class=b><p>{sale} on everything until Sunday!</p><a href=/sale>More\
</a><button>Hide</button></div>",
            "clocks": f"<p>You are visitor {self._dice.randrange(9999)}</p>",
            "asks": "<script>setTimeout(() => confirm('Stay on this site?'), 30)</script>",
            "beacons": "<script>const beacon = (what) =>"
            f" navigator.sendBeacon('/beacon?{self.phase}', what); beacon('came');"
            f" fetch('/track?{self.phase}', {{method: 'POST', keepalive: true}}).catch(() => 0);"
            " addEventListener('pagehide', () => beacon('went'));"
            " addEventListener('click', () => beacon('clicked'));</script>",
        }
        return banners.get(self.mood, "")


def _home_page(shop: Shop, query: dict[str, str]) -> str:
    links = [("Goods", "/list"), ("Order form", "/form"), ("Cart", "/cart")]
    listed = "".join(
        f"<li><a id={shop.element_name('a')} href={to}>{text}</a></li>" for text, to in links
    )
    return f"<main data-state=home><h1>Shop</h1><ul>{listed}</ul></main>"


def _list_page(shop: Shop, query: dict[str, str]) -> str:
    gone = {"Pear", "Plum"} if shop.mood == "gone" else set()
    session = f"&sid={shop.element_name('s')}" if shop.mood == "ids" else ""
    rows = []
    for number, item in enumerate(
        (each for each in shop.listed_goods() if each not in gone), start=1
    ):
        row_id = shop.element_name("more")
        own = number if shop.mood == "numbered" else GOODS.index(item) + 1
        rows.append(
            f"<tr data-item={item} id={row_id}><td>{own}</td><td>{item}</td>"
            f"<td><a href='/item?of={item}{session}'>Open</a></td>"
            f"<td><a href='/item?of={item}{session}' target=_blank>Beside</a></td>"
            f"<td><button onclick=\"more('{item}')\">Details</button>"
            f"<p class=more data-of={item} hidden>{item} is grown here.</p></td></tr>"
        )
    heads = "".join(f"<th>{head}</th>" for head in ("#", "Name", "", "", ""))
    return (
        "<main data-state=list><h1>Goods</h1><label>Filter <input data-field=filter"
        f" oninput=filter(this.value)></label><table><tr>{heads}</tr>{''.join(rows)}</table></main>"
    )


def _item_page(shop: Shop, query: dict[str, str]) -> str:
    item = query.get("of", "?")
    if shop.mood in {"swapped", "gone"}:
        item = "Lime" if item != "Lime" else "Date"
    count = 7 if shop.mood == "values" else 1
    method = "POST" if shop.mood == "writes" else "GET"
    return (
        f"<main data-state=item-{item}><h1>{item}</h1><p>From our own garden.</p>"
        f"<label>Count <input type=number data-field=count value={count}></label>"
        "<label>Note <textarea data-field=note></textarea></label>"
        f"<button onclick=\"load('/reviews?of={item}', '{method}')\">{SEE}</button>"
        "<p id=said></p><form method=post action=/add><button>Add to cart</button></form></main>"
    )


def _form_page(shop: Shop, query: dict[str, str]) -> str:
    town = "Oslo" if shop.mood == "values" else "Bern"
    towns = "".join(
        f"<option{' selected' if each == town else ''}>{each}" for each in ("Bern", "Oslo", "Rome")
    )
    name = "Surname" if shop.mood in {"gone", "swapped"} else "Name"
    return (
        f"<main data-state=form-{name}><h1>Order</h1><form method=post action=/order>"
        f"<label>{name} <input id={shop.element_name('n')} data-field={name}></label>"
        f"<label>Town <select data-field=town>{towns}</select></label>"
        "<label><input type=checkbox data-field=gift> As a gift</label>"
        "<button type=button onclick=\"more('extra')\">More</button>"
        "<p class=more data-of=extra hidden><label>Wish <input data-field=wish></label></p>"
        "<button>Send</button></form></main>"
    )


def _cart_page(shop: Shop, query: dict[str, str]) -> str:
    if shop.mood in {"emptied", "gone"}:
        return "<main data-state=cart-empty><h1>Cart</h1><p>Your cart is empty.</p></main>"
    others = ("Fig", "Lime") if shop.mood == "swapped" else ("Apple", "Plum")
    count = 5 if shop.mood == "values" else 2
    rows = "".join(
        f"<li data-item={item}>{item} <label>Count of {item} <input data-field={item}"
        f" value={count}></label><button onclick=\"more('{item}')\">About</button>"
        f"<span class=more data-of={item} hidden>{item}s are fine.</span></li>"
        for item in (reversed(others) if shop.mood == "shuffled" else others)
    )
    return f"<main data-state=cart-{len(others)}><h1>Cart</h1><ul>{rows}</ul></main>"


def _login_page(shop: Shop, query: dict[str, str]) -> str:
    return (
        "<main data-state=login><h1>Log in</h1><p>Your session has expired.</p><form method=post>"
        "<label>Name <input data-field=user></label>"
        "<label>Password <input type=password data-field=pass></label>"
        "<button>Log in</button></form></main>"
    )


Page = Callable[[Shop, dict[str, str]], str]
PAGES: dict[str, Page] = {
    "/": _home_page,
    "/list": _list_page,
    "/item": _item_page,
    "/form": _form_page,
    "/cart": _cart_page,
    "/login": _login_page,
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 20
    shop: Shop

    def do_GET(self) -> None:
        self._send_answer()

    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_GET

    def _send_answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, body, headers = self.shop.answer_request(self.command, self.path)
        data = body.encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data if self.command != "HEAD" else b"")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the browser disconnected

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionResetError:
            return  # the browser disconnected

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def open_shop(seed: int = 0) -> Iterator[Shop]:
    """Serve a shop on loopback and yield it."""
    shop = Shop(seed)
    with serve_handler(type("Handler", (_Handler,), {"shop": shop})) as shop.root:
        try:
            yield shop
        finally:
            shop.wait.set()
