"""`python -m ui.cli` is the `forager` command."""

from ui.cli import app

app(prog_name="forager")
