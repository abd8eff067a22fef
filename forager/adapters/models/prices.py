"""Prices of model calls in US dollars: the user's own table first, then the data of genai-prices.

That data is part of the installed package. Nothing is fetched at run time.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field, TypeAdapter, ValidationError

from forager.domain.base import Frozen
from forager.errors import UsageError
from forager.util.yaml_reader import read_yaml

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo, ModelPrice

FILE = "prices.yaml"
FREE = ":free"
"""The suffix of free models on OpenRouter."""
MILLION = 1_000_000
THOUSAND = 1000
DATE_SUFFIX = re.compile(r"-20\d\d-?[01]\d-?[0-3]\d$")
LOCAL_PROVIDERS = frozenset({"ollama", "vllm", "llamacpp", "local"})
"""Providers that run on the user's machine and are free."""
LIBRARY_NAMES = {"azure_ai": "azure", "azure_openai": "azure"}
"""Provider names of model lines, and what genai-prices calls them if it differs."""


class Rates(Frozen):
    """US dollars per million tokens; `cached` is for input tokens in the provider's cache."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(None, ge=0)

    def cost(self, tokens_in: int, tokens_out: int, tokens_cached: int) -> float:
        """The cost of a call's tokens in US dollars; `tokens_in` includes the cached ones."""
        cached = min(tokens_cached, tokens_in)
        rate = self.input if self.cached is None else self.cached
        paid = (tokens_in - cached) * self.input + cached * rate + tokens_out * self.output
        return paid / MILLION


class Tier(Rates):
    """The rates of calls with more than `above` input tokens."""

    above: int = Field(ge=0)


class Price(Rates):
    """The rates of a model, the rates of its longer calls, and US dollars per call."""

    tiers: tuple[Tier, ...] = ()
    call: float = Field(0.0, ge=0)

    def cost_in_usd(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        """The cost of a call in US dollars; `tokens_in` includes the cached ones."""
        tiers = [tier for tier in self.tiers if tier.above < tokens_in]
        rates = max(tiers, key=lambda tier: tier.above, default=self)
        return rates.cost(tokens_in, tokens_out, tokens_cached) + self.call

    def highest_rate(self, tokens: int) -> float:
        """The highest rate of any token in calls of at most `tokens` tokens, per million."""
        tiers = [tier for tier in self.tiers if tier.above < tokens]
        return max(max(rates.input, rates.output) for rates in (self, *tiers))


Prices = Mapping[str, Price]
TABLE = TypeAdapter(dict[str, Price])


def read_prices(folder: Path) -> Prices:
    """The `prices.yaml` of the data folder. Raises UsageError."""
    own = folder / FILE
    if not own.exists():
        return {}
    try:
        table, _ = read_yaml(own.read_text(encoding="utf-8"), FILE, UsageError)
        return TABLE.validate_python(table or {})
    except (OSError, UnicodeDecodeError, UsageError, ValidationError) as error:
        why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise UsageError(
            f"{own} is not a price table: {' '.join(why.split())}.",
            "Write lines such as `openai:gpt-5-mini: {input: 0.25, output: 2.0, cached: 0.025}`.",
        ) from error


def find_price(
    prices: Prices, model: str, base_url: str = "", when: datetime | None = None
) -> Price | None:
    """The price of the model PROVIDER:NAME at an address, now or at another time; None if unknown.

    `prices` is searched first: for the name, the name without its date, and PROVIDER:*.
    """
    provider, _, name = model.partition(":")
    for own in (model, DATE_SUFFIX.sub("", model), f"{provider}:*"):
        if own in prices:
            return prices[own]
    if provider in LOCAL_PROVIDERS or name.endswith(FREE):
        return Price(input=0, output=0)
    info = _find_model(LIBRARY_NAMES.get(provider, provider), name, base_url)
    return _convert_rates(info.get_prices(when or datetime.now(UTC))) if info else None


def load_library() -> "DataSnapshot":
    """The data of genai-prices. The first call imports it, which takes about 0.3 seconds."""
    from genai_prices.data_snapshot import get_snapshot

    return get_snapshot()


def _find_model(provider: str, name: str, base_url: str) -> "ModelInfo | None":
    """Find a model of the provider at this address, or else of the provider of this name."""
    library = load_library()
    for place in ((None, base_url or None), (provider, None)):
        with suppress(LookupError):
            known = library.find_provider(None, *place)
            return known.find_model(name, all_providers=library.providers)
    return None


def _convert_rates(rates: "ModelPrice") -> Price | None:
    units = {
        "input": rates.input_mtok,
        "output": rates.output_mtok,
        "cached": rates.cache_read_mtok,
    }
    if units["input"] is None or units["output"] is None:
        return None
    starts = {tier.start for rate in units.values() for tier in getattr(rate, "tiers", ())}
    tiers = tuple(
        Tier(above=start, **{unit: _rate_in_tier(rate, start) for unit, rate in units.items()})
        for start in sorted(starts)
    )
    calls = _rate_in_tier(rates.requests_kcount, -1) or 0.0
    base = {unit: _rate_in_tier(rate, -1) for unit, rate in units.items()}
    return Price(**base, tiers=tiers, call=calls / THOUSAND)


def _rate_in_tier(rate: Any, start: int) -> Any:
    """A rate in the tier that begins at `start`, or the base rate for -1."""
    reached = [tier.price for tier in getattr(rate, "tiers", ()) if tier.start <= start]
    found = reached[-1] if reached else getattr(rate, "base", rate)
    return None if found is None else float(found)
