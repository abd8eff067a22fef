"""Base classes of all values."""

import json
import logging
import operator
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

LOG = logging.getLogger(__name__)
OMIT_EMPTY = Field(exclude_if=operator.not_)
"""For `Annotated`: the field is left out of the JSON while it is empty."""

MAX_INTEGER = 2**63 - 1
"""The largest integer that SQLite holds."""
EpochSeconds = Annotated[float, Field(ge=0, lt=253_402_300_800)]
"""Seconds since the epoch, before the year 10000: a time that a calendar can show."""
StoredCount = Annotated[int, Field(ge=0, le=MAX_INTEGER)]
"""A count that SQLite can hold."""


Round = Annotated[int, Field(ge=0, le=1_000_000)]
"""The number of a round, from 1; 0 before the first."""


def _refuse_infinite(value: JsonValue) -> JsonValue:
    json.dumps(value, allow_nan=False)
    return value


FiniteJson = Annotated[JsonValue, AfterValidator(_refuse_infinite)]
"""A JSON value without NaN and infinity, which Pydantic's has."""


class Frozen(BaseModel):
    """An immutable value, compared by content; unknown keys, NaN and infinity are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


@cache
def warn_of_unknown(key: str) -> str:
    """Warn about an unknown key, once for each."""
    LOG.warning("The key %r, which a newer Forager wrote, is not known here; it is kept.", key)
    return key


class Stored(Frozen):
    """A value stored in the data folder. Keys that a newer Forager added are preserved."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[Annotated[str, AfterValidator(warn_of_unknown)], Any]
