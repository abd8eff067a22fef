"""The base of all values."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value: compared by content, never changed, safe in a checkpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")
