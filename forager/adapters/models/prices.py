"""What calls cost: a table in US dollars per million tokens, which the user may overlay."""

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import yaml
from pydantic import Field, TypeAdapter, ValidationError

from forager.domain.base import Frozen
from forager.errors import UsageError

FILE = "prices.yaml"
MILLION = 1_000_000
DATED = re.compile(r"-20\d\d-?[01]\d-?[0-3]\d$")


class Price(Frozen):
    """US dollars per million tokens; `cached` are those in that the provider had at hand."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(None, ge=0)

    def usd(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        """The cost of a call; cached tokens are among those in."""
        cached = min(tokens_cached, tokens_in)
        rate = self.input if self.cached is None else self.cached
        paid = (tokens_in - cached) * self.input + cached * rate + tokens_out * self.output
        return paid / MILLION


Prices = Mapping[str, Price]
TABLE = TypeAdapter(dict[str, Price])


def read(folder: Path) -> Prices:
    """The table that ships, and over it the `prices.yaml` of the data folder. Raises UsageError."""
    shipped = files("forager.adapters.models").joinpath(FILE).read_text(encoding="utf-8")
    table = TABLE.validate_python(yaml.safe_load(shipped))
    own = folder / FILE
    if not own.exists():
        return table
    try:
        return {**table, **TABLE.validate_python(yaml.safe_load(own.read_text("utf-8")) or {})}
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as error:
        why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise UsageError(
            f"{own} is no price table: {' '.join(why.split())}.",
            "Write lines such as `openai:gpt-5-mini: {input: 0.25, output: 2.0, cached: 0.025}`.",
        ) from error


def price(prices: Prices, model: str) -> Price | None:
    """The price of PROVIDER:NAME: its own, its undated model's, PROVIDER:*; None if not known."""
    names = (model, DATED.sub("", model), f"{model.partition(':')[0]}:*")
    return next((prices[name] for name in names if name in prices), None)
