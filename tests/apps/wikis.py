"""Two wikis with the same pages, to which no other page links."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.apps.dokuwiki import serve_dokuwiki
from bench.apps.mediawiki import INSTALLED, serve_mediawiki

PAGES: Final[Mapping[str, str]] = {
    "quays": "The quays are named after birds. The heron quay takes tankers alone.",
    "cranes": "Four cranes stand on the mole. The oldest was built by Ruston in 1931.",
    "customs": "The customs house opens at six. Its seal is pressed in green wax.",
    "ferries": "Two ferries cross to Holm. The ferry Alma carries forty cars.",
    "dredging": "The channel is dredged each spring to a depth of nine metres.",
    "ice": "In hard winters the icebreaker Bure keeps the channel open from January on.",
    "library": "The library lends charts against a deposit of twelve crowns.",
    "museum": "The museum keeps a diving bell that was cast in Visby in 1682.",
    "rescue": "The rescue station has two boats and a crew of eleven volunteers.",
    "signals": "A black ball at the mast tells that the harbour is closed.",
    "stores": "The stores sell tar, rope and paraffin on weekdays.",
}


@contextmanager
def dokuwiki_pages(folder: Path) -> Iterator[str]:
    """DokuWiki's start page; the wiki has an index of the words of all pages."""
    with serve_dokuwiki(folder) as app:
        for name, text in PAGES.items():
            page = f"====== {name.capitalize()} ======\n\n{text}\n"
            (folder / "data" / "pages" / f"{name}.txt").write_text(page, encoding="utf-8")
        _php(folder / "wiki" / "bin" / "indexer.php")
        yield f"{app.root}/doku.php"


@contextmanager
def mediawiki_pages(folder: Path) -> Iterator[str]:
    """MediaWiki's main page."""
    with serve_mediawiki(folder) as app:
        texts = folder / "texts"
        texts.mkdir()
        for name, text in PAGES.items():
            (texts / name.capitalize()).write_text(text, encoding="utf-8")
        script = INSTALLED / "maintenance" / "importTextFiles.php"
        _php(script, "--conf", folder / "LocalSettings.php", *sorted(texts.iterdir()))
        yield f"{app.root}/index.php"


def _php(*words: str | Path) -> None:
    command = ["php", "-d", "display_errors=0", *(str(word) for word in words)]
    subprocess.run(command, check=True, capture_output=True)
