"""Command-line options as settings and budgets."""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import typer
from pydantic import ValidationError

from forager.domain.spend import Budget
from forager.errors import UsageError
from forager.settings import (
    ENV_FILE,
    Settings,
    env_file_fault,
    ignored_variables,
    load_settings,
)
from forager.util.suggest import did_you_mean
from ui.cli.logs import is_quiet


def read_settings(  # noqa: PLR0913
    allow_private: Iterable[str] = (),
    base_url: str = "",
    record: Path | None = None,
    *,
    headed: bool = False,
    secrets: Path | None = None,
    data: Path | None = None,
) -> Settings:
    """The settings, overridden by the command line. Raises UsageError for an invalid value."""
    _warn_of_ignored()
    try:
        settings = load_settings(data)
    except ValidationError as error:
        fault = error.errors()[0]
        name = f"FORAGER_{fault['loc'][0]}".upper() if fault["loc"] else "A setting"
        raise UsageError(
            f"{name} is invalid: {fault['msg']}.", "Correct it or unset it."
        ) from error
    options = {
        "allow_private": (*settings.allow_private, *allow_private),
        "base_url": base_url or settings.base_url,
        "record": record or settings.record,
        "headed": headed or settings.headed,
        "secrets": secrets or settings.secrets,
    }
    return settings.model_copy(update=options)


def _warn_of_ignored() -> None:
    """Name the settings in the current folder's .env that are not read from there."""
    if is_quiet():
        return
    if fault := env_file_fault():
        typer.echo(f"{ENV_FILE} in this folder is not read: {fault}.", err=True)
    if names := ignored_variables():
        typer.echo(
            f"Not read from {ENV_FILE} in this folder: {', '.join(names)}. "
            f"Set them in the environment, or name the file: forager --env {ENV_FILE} …",
            err=True,
        )


def choose_model(names: Sequence[str] | None, settings: Settings) -> str:
    """The models of --model, else those of the settings, else `auto`."""
    from graphs.sessions.model_choice import default_line  # noqa: PLC0415  # LangGraph is slow

    return " ".join(names or []) or default_line(settings)


def read_budget(text: str) -> Budget:
    """Read `rounds=10,steps=10`; a limit that is not named keeps its default. Raises UsageError."""
    limits: dict[str, float] = {}
    for item in filter(None, (item.strip() for item in text.split(","))):
        name, equals, value = (part.strip() for part in item.partition("="))
        if name not in Budget.model_fields:
            raise UsageError(
                f"There is no budget {name!r}.", did_you_mean(name, Budget.model_fields)
            )
        if not equals:
            raise UsageError(f"--budget needs NAME=NUMBER, such as {_example(name)}; got {item!r}.")
        if name in limits:
            raise UsageError(f"The budget {name!r} is given twice.", "Keep one of them.")
        limits[name] = _parse_number(name, value)
    try:
        return Budget.model_validate(limits)
    except ValidationError as error:
        fault = error.errors()[0]
        name = str(fault["loc"][0])
        raise _invalid_budget(name, f"{limits[name]:g}", fault["msg"]) from error


def read_values(items: Iterable[str]) -> dict[str, str]:
    """The values of --set NAME=VALUE, by name. Raises UsageError."""
    values: dict[str, str] = {}
    for item in items:
        name, equals, value = item.partition("=")
        name = name.strip()
        if not equals or not name:
            raise UsageError(f"--set needs NAME=VALUE, such as depth=3; got {item!r}.")
        if name in values:
            raise UsageError(f"The parameter {name!r} is set twice.", "Keep one of them.")
        values[name] = value
    return values


def _parse_number(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _invalid_budget(name, value, "it is not a number")
    return number


def _invalid_budget(name: str, value: str, why: str) -> UsageError:
    return UsageError(
        f"The budget {name}={value} is invalid: {why[:1].lower()}{why[1:]}.",
        f"Write it as {_example(name)}.",
    )


def _example(name: str) -> str:
    field = Budget.model_fields[name]
    return f"{name}={field.examples[0] if field.examples else field.default}"
