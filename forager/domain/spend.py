"""What a question may spend, and what it has spent."""

from pydantic import Field

from forager.domain.base import MAX_INTEGER, Frozen, Stored

MAX_OPENED = 100
"""Pages opened while navigating, if a budget does not limit pages."""


class Budget(Frozen):
    """What a question may spend. None leaves rounds and steps to the graph, others unlimited."""

    rounds: int | None = Field(None, ge=0, le=MAX_INTEGER, examples=[10], description="arms drawn")
    steps: int | None = Field(
        None, ge=1, le=MAX_INTEGER, examples=[10], description="actions in one round"
    )
    pages: int | None = Field(
        None,
        ge=1,
        le=MAX_INTEGER,
        examples=[60],
        description="pages fetched in all, survey included",
    )
    seconds: float = Field(600, gt=0, description="seconds of work, survey included")
    calls: int | None = Field(None, ge=1, le=MAX_INTEGER, examples=[100], description="model calls")
    tokens: int | None = Field(
        None, ge=1, le=MAX_INTEGER, examples=[100], description="tokens in and out"
    )
    usd: float | None = Field(None, gt=0, examples=[1], description="US dollars")

    @property
    def opened(self) -> int:
        """How many pages may be opened while navigating."""
        return MAX_OPENED if self.pages is None else self.pages


class Spend(Stored):
    """What was spent so far, summed by the compiler; `refused` counts calls beyond the budget."""

    actions: int = 0
    pages_fetched: int = 0
    pages_cached: int = 0
    model_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    usd: float = 0.0
    refused: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Spend") -> "Spend":
        pairs = ((name, getattr(self, name) + getattr(other, name)) for name in Spend.model_fields)
        return Spend.model_validate(dict(pairs))
