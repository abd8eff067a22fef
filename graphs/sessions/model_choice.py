"""The models of a session: a line of text, completed and checked before a run begins."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from forager.adapters.models import prices
from forager.adapters.models.addresses import check_choice, is_compatible, resolve_endpoint
from forager.adapters.models.local.found_models import FoundModel, find_model, replace_auto
from forager.adapters.models.model_lines import (
    AUTO,
    KNOWN_URLS,
    OFFLINE,
    REPLAY_PREFIX,
    ModelChoice,
    ModelChoices,
    is_replay,
    parse_model_line,
    recording_folder,
)
from forager.domain.base import Frozen
from forager.domain.spend import Budget
from forager.errors import RoleError, UsageError
from forager.settings import Settings
from graphs.runtime.recordings import read_info

URL_PATTERN = re.compile(r"https?://[^\s/?#]+(/\S*)?", re.IGNORECASE)
EXAMPLE_URL = "http://127.0.0.1:8000/v1"


def settle_models(line: str, settings: Settings, budget: Budget) -> str:
    """The complete line that a session keeps, with what was found in the place of `auto`.

    Raises UsageError for a model that cannot be used.
    """
    _check_record(settings.record, line)
    _refuse_confined(line, settings)
    if folder := recording_folder(line):
        read_info(folder)
        return f"{REPLAY_PREFIX}{folder}"
    choices = replace_auto(parse_model_line(line, settings.base_url), settings)
    asked = [choice for choice in choices.all_choices() if choice.name != OFFLINE]
    table = prices.read_prices(settings.data) if asked else {}
    for choice in asked:
        if is_compatible(choice):
            _check_address(resolve_endpoint(choice, settings)[0])
        check_choice(choice, settings)
        if (
            budget.usd is not None
            and prices.find_price(table, choice.name, choice.base_url) is None
        ):
            raise UsageError(
                f"A budget in usd cannot be kept: the price of {choice.name} is not known.",
                f"Add a line to {settings.data / prices.FILE}, such as `{choice.name}: "
                "{input: 1, output: 4}` (US dollars per million tokens), or limit tokens instead.",
            )
    return choices.to_line()


def change_models(line: str, model: str, base_url: str) -> str:
    """A session's line with the named models replaced; the others stay."""
    if is_replay(model) or (is_replay(line) and not model):
        return model or line
    old = ModelChoices() if is_replay(line) else parse_model_line(line)
    words = [
        _full_words(old.default),
        *(f"{role}={_full_words(own)}" for role, own in old.roles.items()),
    ]
    new = parse_model_line(" ".join([*words, model]))
    return (_at_address(new, base_url) if base_url else new).to_line()


def _at_address(choices: ModelChoices, base_url: str) -> ModelChoices:
    """Move the default model, and the models at the same address, to another address."""
    home = choices.default
    beside = {home.provider} if home.provider in KNOWN_URLS else KNOWN_URLS.keys()

    def moved(choice: ModelChoice) -> ModelChoice:
        with_it = choice.base_url == home.base_url and choice.provider in beside
        return choice.model_copy(update={"base_url": base_url}) if with_it else choice

    roles = {role: moved(own) for role, own in choices.roles.items()}
    return ModelChoices(default=moved(home), roles=roles)


def _full_words(choice: ModelChoice) -> str:
    options = choice.model_dump(exclude={"name"}).items()
    return ",".join([choice.name, *(f"{name}={value}" for name, value in options)])


def _refuse_confined(line: str, settings: Settings) -> None:
    """An account that is no admin reads no folder of the server, and has it call no address."""
    if not settings.confined:
        return
    if is_replay(line):
        raise RoleError("Only an admin may replay a recording.", "Name a model.")
    for choice in parse_model_line(line, settings.base_url).all_choices():
        if choice.base_url not in ("", settings.base_url):
            raise RoleError(
                f"Only an admin may name the address of a model: {choice.base_url}.",
                "Leave base_url out.",
            )


def _check_record(folder: Path | None, line: str) -> None:
    if folder is None:
        return
    if is_replay(line):
        raise UsageError(f"{line} is a recording already.", "Copy its folder, or leave --record.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"Nothing can be recorded in {folder}: {error.strerror}.", "Name a folder for --record."
        ) from error


def _check_address(url: str) -> None:
    """Raise UsageError for an invalid address, and for one with credentials: sessions keep it."""
    if not URL_PATTERN.fullmatch(url):
        raise UsageError(f"The base URL {url!r} is no address.", f"Write it as {EXAMPLE_URL}.")
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise UsageError(
            "The base URL carries a name or a password.", "Put a key into FORAGER_API_KEY."
        )


__all__ = [
    "AUTO",
    "OFFLINE",
    "FoundModel",
    "ModelOffer",
    "default_line",
    "find_model",
    "has_no_model",
    "list_offers",
    "max_cost",
]
MILLION = 1_000_000
SUGGESTED = (
    *("openai:gpt-5.5", "openai:gpt-5.4", "openai:gpt-5.4-mini", "openai:gpt-5.4-nano"),
    *("openai:gpt-5", "openai:gpt-5-mini", "openai:gpt-5-nano"),
    *("openai:gpt-4.1", "openai:gpt-4.1-mini", "openai:gpt-4.1-nano"),
    *("anthropic:claude-opus-4-6", "anthropic:claude-sonnet-4-6", "anthropic:claude-haiku-4-5"),
    *("google_genai:gemini-3.1-pro-preview", "google_genai:gemini-3-flash-preview"),
    *("google_genai:gemini-2.5-pro", "google_genai:gemini-2.5-flash"),
)
"""Models to suggest. Any other model can be named too."""


class ModelOffer(Frozen):
    """A suggested model line, and a remark about it."""

    line: str
    about: str


def default_line(settings: Settings) -> str:
    """The model line of a run that names none: that of the settings, or `auto`."""
    return settings.model or AUTO


def list_offers(settings: Settings) -> tuple[ModelOffer, ...]:
    """The model of the settings, what was found, offline, and suggestions with a key and a price.

    Each line is offered once.
    """
    own = (settings.model,) if settings.model and settings.model not in (OFFLINE, AUTO) else ()
    offers = [ModelOffer(line=line, about="From Settings") for line in own]
    if default_line(settings) == AUTO and (found := find_model(settings)).line != OFFLINE:
        offers.append(ModelOffer(line=found.line, about=f"Found: {found.about}"))
    offers.append(
        ModelOffer(line=OFFLINE, about="No key needed. Quotes pages, does not write an answer.")
    )
    known = {offer.line for offer in offers}
    table = prices.read_prices(settings.data)
    for name in dict.fromkeys((*table, *SUGGESTED)):
        if name.endswith(":*") or name in known or not _can_be_asked(name, settings):
            continue
        if price := prices.find_price(table, name):
            about = f"${price.input:g} in, ${price.output:g} out per million tokens"
            offers.append(ModelOffer(line=name, about=about))
    return tuple(offers)


def has_no_model(settings: Settings) -> bool:
    """Is nothing there but the offline model: none named or found, and no key to name one with?"""
    if default_line(settings) not in (AUTO, OFFLINE) or find_model(settings).line != OFFLINE:
        return False
    without = settings.model_copy(update={"base_url": ""})  # that of an endpoint which is silent
    return not any(_can_be_asked(name, without) for name in SUGGESTED)


def max_cost(line: str, settings: Settings, budget: Budget) -> float | None:
    """The most that a run can cost, in US dollars; None where that is not known.

    Any token may be one of a reply, so all are counted at the higher price.
    """
    if line == OFFLINE or is_replay(line):
        return 0.0
    table = prices.read_prices(settings.data)
    choices = parse_model_line(line, settings.base_url).all_choices()
    limits = [budget.usd] if budget.usd is not None else []
    rates = [_dearest_rate(table, choice, budget.tokens or 0) for choice in choices]
    known = [rate for rate in rates if rate is not None]
    if len(known) == len(rates):
        if not any(known):
            return 0.0
        if budget.tokens is not None:
            limits.append(budget.tokens * max(known) / MILLION)
    return min(limits, default=None)


def _dearest_rate(table: prices.Prices, choice: ModelChoice, tokens: int) -> float | None:
    """The highest rate of a token at any time of day; None if it is unknown.

    It is also None for a model with a price per call, because the number of calls is unknown.
    """
    if choice.name == OFFLINE:
        return 0.0
    now = datetime.now(UTC)
    hours = (now + timedelta(hours=hour) for hour in range(24))
    found = [prices.find_price(table, choice.name, choice.base_url, hour) for hour in hours]
    return max(
        (each.highest_rate(tokens) for each in found if each and not each.call), default=None
    )


def _can_be_asked(name: str, settings: Settings) -> bool:
    try:
        for choice in parse_model_line(name, settings.base_url).all_choices():
            check_choice(choice, settings)
    except UsageError:
        return False
    return True


def choose_models(models: Sequence[str] | None, settings: Settings) -> str:
    """The complete line of the named models, or of those in the settings. Raises UsageError."""
    return settle_models(" ".join(models or []) or default_line(settings), settings, Budget())
