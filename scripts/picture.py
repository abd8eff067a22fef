"""Draws docs/images/demo.svg anew: one question of the demo as a terminal shows it."""

import io
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ui.demo import QUESTIONS, ask, handbook, settings

TARGET = Path(__file__).resolve().parents[1] / "docs" / "images" / "demo.svg"
SHOWN = 1
"""The question that needs two pages."""


def main() -> None:
    """Ask, and keep what was printed."""
    out = Console(record=True, force_terminal=True, width=100, highlight=False, file=io.StringIO())
    out.print(Text("$ ./run demo", "bold"))
    out.print()
    with handbook() as root, settings() as ours:
        ask(ours, root, QUESTIONS[SHOWN], out, Console(stderr=True))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    out.save_svg(str(TARGET), title="forager")


if __name__ == "__main__":
    main()
