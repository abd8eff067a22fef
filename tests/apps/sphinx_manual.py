"""A little manual, built by Sphinx, whose search runs in the browser alone."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.servers import Reply, Site

CONF: Final = """
project = "Tidewater"
author = "Tidewater"
extensions = []
html_theme = "alabaster"
html_copy_source = False
html_show_sourcelink = False
"""
PAGES: Final[Mapping[str, tuple[str, str]]] = {
    "install": ("Installing", "Tidewater needs a tide table and a clock. Unpack it and start it."),
    "first-steps": ("First steps", "Open a harbour with the command ``tide open``, then watch it."),
    "harbours": ("Harbours", "A harbour has a name, a depth in metres and any number of gauges."),
    "gauges": ("Gauges", "A gauge measures the water level. It reports every six minutes."),
    "alarms": ("Alarms", "An alarm rings when a gauge passes its mark for two reports in a row."),
    "forecasts": ("Forecasts", "A forecast reaches nine days ahead and is computed at midnight."),
    "calibration": (
        "Calibrating a gauge",
        "A gauge drifts. Calibration needs a brass weight of 740 grams, lowered to the mark.\n\n"
        "The procedure is called *plumbing* and takes eleven minutes for each gauge.",
    ),
    "export": ("Exporting", "Readings leave as CSV or as a chart. A chart has at most 400 points."),
    "permissions": ("Permissions", "A keeper may read, a pilot may comment, a warden may change."),
    "backups": ("Backups", "The archive is copied every Sunday to the folder ``vault``."),
    "network": ("Network", "Gauges speak over radio in the band of 868 megahertz."),
    "storms": (
        "Storm mode",
        "In storm mode a gauge reports every forty seconds, until the wind has been below\n"
        "Beaufort 6 for three hours. The key that turns it on is ``F9``.",
    ),
    "errors": (
        "Error messages",
        "``E17`` tells that a gauge is dry; ``E23`` that its float hangs.",
    ),
    "glossary": ("Glossary", "Neap, spring, ebb and flood are used as sailors use them."),
    "history": ("History", "Version 3 brought forecasts, version 4 storm mode."),
}


def build(folder: Path) -> Path:
    """The folder of the built manual; what is built already is kept."""
    built = folder / "html"
    if (built / "searchindex.js").exists():
        return built
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    source.mkdir(parents=True)
    (source / "conf.py").write_text(CONF, encoding="utf-8")
    (source / "index.rst").write_text(_index(), encoding="utf-8")
    for name, (title, text) in PAGES.items():
        (source / f"{name}.rst").write_text(_page(title, text), encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(source), str(built)]
    subprocess.run(command, check=True, capture_output=True)
    return built


@contextmanager
def manual(folder: Path) -> Iterator[Site]:
    """The manual as a site: its root is the table of contents, its search at /search.html."""
    built = build(folder)
    files = {file.relative_to(built).as_posix(): file for file in built.rglob("*")}
    routes = {f"/{name}": _reply(file) for name, file in files.items() if file.is_file()}
    with Site({"/": routes["/index.html"], **routes}) as site:
        yield site


def _reply(file: Path) -> Reply:
    kinds = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css"}
    return Reply(file.read_bytes(), kind=kinds.get(file.suffix, "application/octet-stream"))


def _index() -> str:
    names = "".join(f"   {name}\n" for name in PAGES)
    return _page("Tidewater", "A program for those who watch the sea.") + (
        f"\n.. toctree::\n   :maxdepth: 1\n\n{names}"
    )


def _page(title: str, text: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{text}\n"
