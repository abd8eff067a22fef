"""What a face offers before a run begins: models that can be asked, and the most a run can cost."""

from forager.adapters.models import prices
from forager.adapters.models.addresses import check
from forager.adapters.models.model_lines import OFFLINE, is_replay, read
from forager.domain.base import Frozen
from forager.domain.spend import Budget
from forager.errors import UsageError
from forager.settings import Settings

__all__ = ["OFFLINE", "Offer", "most", "offered"]
MILLION = 1_000_000


class Offer(Frozen):
    """A line that names models, and what is to be known of it."""

    line: str
    about: str


def offered(settings: Settings) -> tuple[Offer, ...]:
    """The model of the settings, offline, and every priced one whose key is there."""
    own = (settings.model,) if settings.model and settings.model != OFFLINE else ()
    offers = [Offer(line=line, about="The model of the settings") for line in own]
    offers.append(Offer(line=OFFLINE, about="No key needed, extracts only"))
    for name, price in prices.read(settings.data).items():
        if name.endswith(":*") or name in own or not _can_be_asked(name, settings):
            continue
        about = f"${price.input:g} in, ${price.output:g} out per million tokens"
        offers.append(Offer(line=name, about=about))
    return tuple(offers)


def most(line: str, settings: Settings, budget: Budget) -> float | None:
    """The most that a run can cost, in US dollars; None where that is not known.

    A token may be written as well as read, so that all are counted at the dearer price.
    """
    if line == OFFLINE or is_replay(line):
        return 0.0
    table = prices.read(settings.data)
    found = [prices.price(table, choice.name) for choice in read(line, settings.base_url).every()]
    rates = [max(price.input, price.output) for price in found if price]
    limits = [budget.usd] if budget.usd is not None else []
    if budget.tokens is not None and len(rates) == len(found):
        limits.append(budget.tokens * max(rates) / MILLION)
    if not any(rates) and len(rates) == len(found):
        return 0.0
    return min(limits, default=None)


def _can_be_asked(name: str, settings: Settings) -> bool:
    try:
        for choice in read(name, settings.base_url).every():
            check(choice, settings)
    except UsageError:
        return False
    return True
