"""The exit codes, and errors printed as one line on standard error."""

import errno
import os
import re
import sys
from collections.abc import Mapping
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from forager.errors import ForagerError, UsageError
from ui.cli.printing.terminal_text import one_line

ANSWERED: Final = 0
FAILED: Final = 1
USAGE: Final = 2
PARTIAL: Final = 3
NOTHING_FOUND: Final = 4
UNVERIFIED: Final = 5
INTERRUPTED: Final = 130

STATUS_CODES = {
    "answered": ANSWERED,
    "partial": PARTIAL,
    "abstained": NOTHING_FOUND,
    "failed": FAILED,
}
DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
EXTRA_WORDS = re.compile(r"Got unexpected extra argument\S* \((.*)\)")
INVALID_VALUES = {
    "int_parsing": "{input!r} is not a whole number.",
    "float_parsing": "{input!r} is not a number.",
    "greater_than_equal": "{input} is too small; the smallest value is {ge}.",
    "less_than_equal": "{input} is too large; the largest value is {le}.",
}
"""Messages for invalid values, by Pydantic's name for the error."""


class CommandGroup(TyperGroup):
    """A group of commands that reports expected errors in one line."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            cause: Any = error.__cause__
            if hasattr(cause, "errors"):  # Pydantic's; importing it would delay every `--help`
                error.message = describe_invalid_value(cause.errors()[0])
            raise
        except ForagerError as error:
            print_error(str(error))
            raise typer.Exit(USAGE if isinstance(error, UsageError) else FAILED) from error
        except OSError as error:
            if error.errno not in DISK_FULL:
                raise
            discard_output()
            print_error(
                "The disk is full, so the output could not be written. Nothing else is lost."
            )
            raise typer.Exit(FAILED) from error


class QuestionCommand(TyperCommand):
    """A command whose last argument is a question; several words ask for quotes."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            found = EXTRA_WORDS.match(error.message)
            first = ctx.params.get("question") or ctx.params.get("query")
            if not found or not first:
                raise
            words = f"{first} {found[1]}"
            raise UsageError(
                f"{words!r} has several words.",
                f'Put the question in quotes: {ctx.command_path} "{words}"',
            ) from error


def describe_invalid_value(fault: Mapping[str, Any]) -> str:
    """Say why an option's value is not valid."""
    template = INVALID_VALUES.get(fault["type"], "{msg}.")
    values = {"input": fault["input"], "msg": fault["msg"], **fault.get("ctx", {})}
    return template.format(**values)


def discard_output() -> None:
    """Send buffered output nowhere; otherwise Python tries to write it again at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def print_error(message: str) -> None:
    """Print one line on standard error."""
    typer.echo(f"Error: {one_line(message)}", err=True)
