"""What a recording says of itself, beside its tapes: the roles without a model, and the prices."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from forager.adapters.models import prices
from forager.adapters.models.model_lines import (
    OFFLINE,
    REPLAY_PREFIX,
    ROLES,
    ModelChoice,
    ModelChoices,
)
from forager.adapters.models.prices import Price, Prices
from forager.domain.base import Frozen
from forager.errors import StoreError, UsageError

RUN_FILE = "run.json"


class RecordingInfo(Frozen):
    """The roles that used their offline rules, and the prices of the models of the others."""

    offline: tuple[str, ...]
    prices: Mapping[str, Price]


def write_info(folder: Path, choices: ModelChoices, table: Prices) -> None:
    """Write the info of a new recording. Raises StoreError."""
    known = {
        choice.name: prices.find_price(table, choice.name, choice.base_url)
        for choice in choices.all_choices()
        if choice.name != OFFLINE
    }
    info = RecordingInfo(
        offline=tuple(role for role in ROLES if choices.for_role(role).name == OFFLINE),
        prices={name: price for name, price in known.items() if price is not None},
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / RUN_FILE).write_text(info.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"Cannot record in {folder}: {error}.", "Make the folder writable, or name another."
        ) from error


def read_info(folder: Path) -> RecordingInfo:
    """The info of a recording. Raises UsageError when there is none."""
    try:
        return RecordingInfo.model_validate_json((folder / RUN_FILE).read_bytes())
    except (OSError, ValidationError) as error:
        raise UsageError(f"No recording in {folder}.", "Make one with --record.") from error


def asked_no_model(folder: Path) -> bool:
    """Did every role of the recorded run use its offline rule? Raises UsageError."""
    return set(read_info(folder).offline) >= set(ROLES)


def replay_choices(folder: Path, info: RecordingInfo) -> ModelChoices:
    """The recording in the place of each model that was asked."""
    replay = ModelChoice(name=f"{REPLAY_PREFIX}{folder}")
    return ModelChoices(default=replay, roles=dict.fromkeys(info.offline, ModelChoice()))
