"""The bases of all values."""

import logging
import operator
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

LOG = logging.getLogger(__name__)
OMIT_EMPTY = Field(exclude_if=operator.not_)
"""For `Annotated`: the field is left out of the JSON while it is empty."""


class Frozen(BaseModel):
    """A value: compared by content, never changed, safe in a checkpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@cache
def warn_of_unknown(key: str) -> str:
    """Say once of each key that it is unknown."""
    LOG.warning("The data folder has a key %r that a newer Forager wrote.", key)
    return key


class Stored(Frozen):
    """A value that the data folder keeps. It keeps the keys that a newer Forager added to it."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[Annotated[str, AfterValidator(warn_of_unknown)], Any]
