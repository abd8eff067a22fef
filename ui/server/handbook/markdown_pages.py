"""The handbook's pages: Markdown files rendered as linked HTML pages."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

PACKAGE = Path(__file__).resolve().parents[2]
INDEX = "index"
LANG = "en"
LINK = re.compile(r"\]\(((?:[a-z0-9-]+/)?[a-z0-9-]+)\.md\)")
PICTURE = re.compile(r"!\[[^\]]*\]\((images/(?:[a-z0-9-]+/)?[a-z0-9-]+\.(?:svg|png))\)")
LINKED_FILE = re.compile(r"(?:[a-z0-9-]+/)?[a-z0-9-]+\.md")
TEMPLATE = """<!DOCTYPE html>
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
img { max-width: 100%; background: #fff; border-radius: .4rem }
@media (max-width: 50rem) { body { display: block } nav ul { columns: 2 } }
"""


class MarkdownPage(NamedTuple):
    """A page of the handbook: its title, and its Markdown with the title."""

    title: str
    markdown: str


def docs_folder() -> Path:
    """Where the written pages are: in the package `ui` of a wheel, in docs/ of a working copy."""
    packed = PACKAGE / "docs"
    return packed if packed.is_dir() else PACKAGE.parent / "docs"


def read_pages() -> dict[str, MarkdownPage]:
    """The pages written by hand, by name; those in a folder after the others."""
    folder = docs_folder()
    files = [*sorted(folder.glob("*.md")), *sorted(folder.glob("*/*.md"))]
    names = (file.relative_to(folder).with_suffix("").as_posix() for file in files)
    return {
        name: parse_page(file.read_text(encoding="utf-8"))
        for name, file in zip(names, files, strict=True)
    }


def read_pictures(pages: Iterable[MarkdownPage]) -> dict[str, bytes]:
    """The pictures that pages show, by path. An installed package has the drawings alone."""
    names = {name for page in pages for name in PICTURE.findall(page.markdown)}
    files = {name: docs_folder() / name for name in sorted(names)}
    return {f"/{name}": file.read_bytes() for name, file in files.items() if file.exists()}


def without_missing_pictures(markdown: str) -> str:
    """The text without the pictures that are not there."""
    return PICTURE.sub(
        lambda found: found[0] if (docs_folder() / found[1]).exists() else "", markdown
    )


def parse_page(markdown: str) -> MarkdownPage:
    """A page from Markdown that begins with its title."""
    return MarkdownPage(markdown.partition("\n")[0].lstrip("# ").strip(), markdown)


def render_pages(pages: Mapping[str, MarkdownPage]) -> dict[str, bytes]:
    """HTML by path, `/` for the index; raw HTML in the Markdown stays text."""
    order = menu_order(pages)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    rendered: dict[str, bytes] = {}
    for name, page in pages.items():
        tokens = parser.parse(without_missing_pictures(page.markdown))
        link_html_pages(tokens)
        html = TEMPLATE.format(
            lang=LANG,
            title=escape(page.title),
            style=STYLE,
            menu=render_menu(order, pages, name),
            body=parser.renderer.render(tokens, parser.options, {}),
        )
        rendered[page_path(name)] = html.encode()
    return rendered


def page_path(name: str) -> str:
    """The path at which a page is served."""
    return "/" if name == INDEX else f"/{name}.html"


def menu_order(pages: Mapping[str, MarkdownPage]) -> list[str]:
    """The index first, then the pages in the order in which it links them, then all others."""
    linked = LINK.findall(pages[INDEX].markdown)
    return [name for name in dict.fromkeys([INDEX, *linked, *pages]) if name in pages]


def render_menu(order: Iterable[str], pages: Mapping[str, MarkdownPage], current: str) -> str:
    """The list of all pages, with the current one marked."""
    rows = []
    for name in order:
        mark = ' aria-current="page"' if name == current else ""
        rows.append(f'<li><a href="{page_path(name)}"{mark}>{escape(pages[name].title)}</a></li>')
    return "<ul>\n" + "\n".join(rows) + "\n</ul>"


def link_html_pages(tokens: Iterable[Token]) -> None:
    """Point links between Markdown files to the HTML pages."""
    for token in tokens:
        href = str(token.attrs.get("href", ""))
        if LINKED_FILE.fullmatch(href):
            token.attrs["href"] = page_path(href.removesuffix(".md"))
        link_html_pages(token.children or ())
