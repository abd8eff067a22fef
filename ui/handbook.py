"""The handbook: Markdown pages to linked HTML pages."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

HERE = Path(__file__).resolve().parent
INDEX = "index"
LANG = "en"
LINK = re.compile(r"\]\(([a-z0-9-]+)\.md\)")
PAGE = """<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<nav aria-label="Handbook">
{menu}
</nav>
<main>
{body}
</main>
</body>
</html>
"""
STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#1d2520, #e6e9e4);
  --paper: light-dark(#fdfdfa, #161a17); --line: light-dark(#d9ddd4, #343b35);
  --link: light-dark(#1f6b3f, #8fd0a5) }
body { display: grid; grid-template-columns: 14rem minmax(0, 46rem); gap: 3rem; margin: 2rem auto;
  max-width: 66rem; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif; color: var(--ink);
  background: var(--paper) }
nav ul { list-style: none; margin: 0; padding: 0; line-height: 1.9 }
a { color: var(--link) } nav a { text-decoration: none } a[aria-current] { font-weight: 600 }
table { display: block; overflow-x: auto; border-collapse: collapse }
th, td { padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top }
pre { overflow-x: auto; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .4rem }
code { font-size: .9em }
@media (max-width: 50rem) { body { display: block } nav ul { columns: 2 } }
"""


class Leaf(NamedTuple):
    """A page of the handbook: its title and its Markdown, title included."""

    title: str
    markdown: str


def folder() -> Path:
    """Where the written pages are: beside this file in a wheel, in docs/ of a working copy."""
    packed = HERE / "docs"
    return packed if packed.is_dir() else HERE.parent / "docs"


def written() -> dict[str, Leaf]:
    """The pages written by hand, by name."""
    files = sorted(folder().glob("*.md"))
    return {file.stem: leaf(file.read_text(encoding="utf-8")) for file in files}


def leaf(markdown: str) -> Leaf:
    """A page from Markdown that begins with its title."""
    return Leaf(markdown.partition("\n")[0].lstrip("# ").strip(), markdown)


def render(leaves: Mapping[str, Leaf]) -> dict[str, bytes]:
    """Path to HTML page, `/` for the index; raw HTML in the Markdown stays text."""
    order = menu_order(leaves)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    pages: dict[str, bytes] = {}
    for name, page in leaves.items():
        tokens = parser.parse(page.markdown)
        point_to_html(tokens)
        html = PAGE.format(
            lang=LANG,
            title=escape(page.title),
            style=STYLE,
            menu=menu(order, leaves, name),
            body=parser.renderer.render(tokens, parser.options, {}),
        )
        pages[path(name)] = html.encode()
    return pages


def path(name: str) -> str:
    """The path at which a page is served."""
    return "/" if name == INDEX else f"/{name}.html"


def menu_order(leaves: Mapping[str, Leaf]) -> list[str]:
    """The index first, then the pages in the order in which it links them, then all others."""
    linked = LINK.findall(leaves[INDEX].markdown)
    return [name for name in dict.fromkeys([INDEX, *linked, *leaves]) if name in leaves]


def menu(order: Iterable[str], leaves: Mapping[str, Leaf], here: str) -> str:
    """The list of all pages, the present one marked."""
    rows = []
    for name in order:
        mark = ' aria-current="page"' if name == here else ""
        rows.append(f'<li><a href="{path(name)}"{mark}>{escape(leaves[name].title)}</a></li>')
    return "<ul>\n" + "\n".join(rows) + "\n</ul>"


def point_to_html(tokens: Iterable[Token]) -> None:
    """Turn links between the Markdown files into links between the pages."""
    for token in tokens:
        href = str(token.attrs.get("href", ""))
        if href.endswith(".md") and "/" not in href:
            token.attrs["href"] = path(href.removesuffix(".md"))
        point_to_html(token.children or ())
