"""The findings of `forager doctor`, and the support bundle."""

import asyncio
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from forager.errors import ForagerError
from forager.settings import Settings
from graphs.sessions.model_choice import default_line
from graphs.system.doctor import STORED, Check, check_stored_whole, run_checks
from graphs.system.support_bundle import write_bundle
from ui.cli.exit_codes import FAILED

STATES = {"ok": ("ok", "green"), "missing": ("missing", "red"), "off": ("off", "yellow")}


def report_findings(
    settings: Settings, bundle: Path | None, *, probe: bool = False, whole: bool = False
) -> None:
    """Print every check and write the bundle, if wanted; exits with 1 if something is missing."""
    console = Console(highlight=False, soft_wrap=True)
    checks = [*run_checks(settings), *([probe_model(settings)] if probe else [])]
    if whole:
        quick = next(each for each in checks if each.name == STORED)
        checks[checks.index(quick)] = asyncio.run(check_stored_whole(settings))
    for check in checks:
        console.print(describe_check(check))
    if bundle:
        write_bundle(settings, checks, bundle)
        typer.echo(f"Wrote {bundle}. Look through it before you send it.", err=True)
    if any(check.state == "missing" for check in checks):
        raise typer.Exit(FAILED)


def probe_model(settings: Settings) -> Check:
    """What the model that is set replied to two small questions."""
    from graphs.system.model_probe import describe_profile, probe_models  # noqa: PLC0415  # slow

    name = "Reading test"
    try:
        result = asyncio.run(probe_models(default_line(settings), settings))
    except ForagerError as error:
        return Check(name=name, state="missing", found=error.what, mend=error.mend)
    if not result.profile:
        return Check(name=name, state="off", found="no language model to ask")
    took = f"{result.seconds:.1f} s, {result.tokens} tokens"
    return Check(name=name, state="ok", found=f"{describe_profile(result)} ({took})")


def describe_check(check: Check) -> Text:
    """A check, and below it how to mend what is not well."""
    label, style = STATES[check.state]
    text = Text.assemble((f"{label:<8}", style), f"{check.name:<15}{check.found}")
    if check.mend:
        text.append(f"\n{'':<23}{check.mend}", "dim")
    return text
