"""Makes the site of an attack by what the attack's case says."""

import re
import zlib
from collections.abc import Mapping
from typing import Any

from tests.servers import Asked, Reply, Route, Site

FACT = "The tower of Skarn was built in 1887 by Ottilie Brandt."
LIAR = "Kim Lee"
LIE = f"The tower of Skarn was built in 1999 by {LIAR}"
NUMBER = re.compile(r"\d+$")


def attacking_site(case: Mapping[str, Any]) -> Site:
    """The site of a case, not yet served."""
    title = f"<title>{case.get('title', 'Skarn')}</title>"
    fact = f"<p>{FACT}</p>"
    first = "" if "fact" in case else fact
    parts = (title, case.get("head", ""), "<h1>Tower</h1>", first, case.get("body", ""))
    routes: dict[str, Route] = {
        "/robots.txt": Reply("", 404),
        "/sitemap.xml": Reply("", 404),
        "/": _html("".join(parts) + _many(case.get("many")) + _nest(case.get("nest"))),
    }
    if "fact" in case:
        routes[case["fact"]] = _html(f"<title>Towers</title>{fact}")
    for path, below in case.get("below", {}).items():
        routes[path] = _below(below)
    site = Site(routes)
    if "otherwise" in case:
        site.otherwise = _Otherwise(case["otherwise"])
    return site


def _html(text: str) -> Reply:
    return Reply(text.replace("LIE", LIE).encode("utf-8", "surrogatepass"))


def _many(many: Mapping[str, Any] | None) -> str:
    if not many:
        return ""
    words = str(many["words"])
    return "".join(words.replace("{n}", str(number)) for number in range(many["times"]))


def _nest(nest: Mapping[str, Any] | None) -> str:
    if not nest:
        return ""
    times = int(nest["times"])
    return str(nest["open"]) * times + str(nest["inside"]) + str(nest["close"]) * times


def _below(page: str | Mapping[str, Any]) -> Reply:
    if isinstance(page, str):
        return _html(page)
    if "redirect" in page:
        return Reply("", 302, headers={"Location": str(page["redirect"])})
    if "packed" in page:
        packer = zlib.compressobj(9, wbits=31)
        spaces = b" " * 1_000_000
        body = b"".join(packer.compress(spaces) for _ in range(int(page["packed"]) // 1_000_000))
        return Reply(body + packer.flush(), headers={"Content-Encoding": "gzip"})
    return Reply(str(page["words"]).encode("latin-1") * int(page["times"]), kind=str(page["kind"]))


class _Otherwise:
    """Answers every path that the site does not have."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        self._about = about

    def __call__(self, asked: Asked) -> Reply:
        path = asked.path
        found = NUMBER.search(path)
        number, stem = int(found[0]) if found else 0, NUMBER.sub("", path).rstrip("/")
        to = [f"{stem}/{number + each}" for each in self._about.get("days", ())]
        to += [f"{path}/{each}" for each in self._about.get("deeper", ())]
        if "items" in self._about and not found:
            to += [f"{stem}?item={each}&sort={each % 7}" for each in range(self._about["items"])]
        links = "".join(f"<a href='{each}'>{each}</a> " for each in to)
        title = f"{self._about['text']} {path}"
        return _html(f"<title>{title}</title><h1>{title}</h1><p>{title}</p>{links}")
