"""The findings of `forager doctor`, and the support bundle."""

from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from forager.settings import Settings
from graphs.system.doctor import Check, run_checks
from graphs.system.support_bundle import write_bundle
from ui.cli.exit_codes import FAILED

STATES = {"ok": ("ok", "green"), "missing": ("missing", "red"), "off": ("off", "yellow")}


def report_findings(settings: Settings, bundle: Path | None) -> None:
    """Print every check and write the bundle, if wanted; exits with 1 if something is missing."""
    console = Console(highlight=False, soft_wrap=True)
    checks = run_checks(settings)
    for check in checks:
        console.print(describe_check(check))
    if bundle:
        write_bundle(settings, checks, bundle)
        typer.echo(f"Wrote {bundle}. Look through it before you send it.", err=True)
    if any(check.state == "missing" for check in checks):
        raise typer.Exit(FAILED)


def describe_check(check: Check) -> Text:
    """A check, and below it how to mend what is not well."""
    label, style = STATES[check.state]
    text = Text.assemble((f"{label:<8}", style), f"{check.name:<15}{check.found}")
    if check.mend:
        text.append(f"\n{'':<23}{check.mend}", "dim")
    return text
