"""What doctor has to say."""

import typer
from rich.console import Console
from rich.text import Text

from forager.settings import Settings
from graphs.system.doctor import Check, examine
from ui.faults import FAILED

MARKS = {"ok": ("ok", "green"), "missing": ("missing", "red"), "off": ("off", "yellow")}


def tell_all(settings: Settings) -> None:
    """Print every check; exits with 1 when something is missing."""
    console = Console(highlight=False, soft_wrap=True)
    checks = examine(settings)
    for check in checks:
        console.print(line(check))
    if any(check.state == "missing" for check in checks):
        raise typer.Exit(FAILED)


def line(check: Check) -> Text:
    """A check, and beneath it how to mend what is not well."""
    mark, style = MARKS[check.state]
    text = Text.assemble((f"{mark:<8}", style), f"{check.name:<15}{check.found}")
    if check.mend:
        text.append(f"\n{'':<23}{check.mend}", "dim")
    return text
