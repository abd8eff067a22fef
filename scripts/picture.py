"""Draws docs/images/demo.svg anew: one question of the demo as a terminal shows it."""

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from ui.cli.actions.demo import DemoSite, ask_question, serve_handbook, temporary_settings
from ui.cli.options import read_settings
from ui.server.handbook.demo_questions import QUESTIONS

TARGET = Path(__file__).resolve().parents[1] / "docs" / "images" / "demo.svg"
SHOWN = 1
"""The question that needs two pages."""
FRAME = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
"""Rich's, without fonts from elsewhere: a picture in a README loads none."""


def main() -> None:
    """Ask, and keep what was printed."""
    out = Console(record=True, force_terminal=True, width=100, highlight=False, file=io.StringIO())
    out.print(Text("$ ./run demo", "bold"))
    out.print()
    with serve_handbook() as root, temporary_settings(read_settings()) as settings:
        ask_question(
            DemoSite(settings, root), SHOWN + 1, QUESTIONS[SHOWN], out, Console(stderr=True)
        )
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    out.save_svg(str(TARGET), title="forager", code_format=FRAME)


if __name__ == "__main__":
    main()
