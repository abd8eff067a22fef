"""A page with a canvas in a process of its own, in the web UI's look."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


@contextmanager
def page_served(folder: Path, script: Path) -> Iterator[str]:
    """Its address. The folder is empty; the script's look and fonts are put beside it."""
    for name in (".streamlit", "static"):
        (folder / name).symlink_to(ROOT / "ui" / "web" / name)
    page = folder / "page.py"
    page.write_text(script.read_text(encoding="utf-8"), encoding="utf-8")
    process = subprocess.Popen(  # noqa: S603  # a program of this project
        [sys.executable, "-m", "bench.canvas.program", str(page)],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join((str(ROOT), *sys.path))},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process.stdout.readline().strip() if process.stdout else ""
    finally:
        process.kill()
        process.communicate()
