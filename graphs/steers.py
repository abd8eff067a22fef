"""What a user may change of a question while it is pursued, and the question that it makes."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field, JsonValue

from forager.domain.base import Frozen
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.domain.url_rules import forbidden
from forager.errors import QuestionError
from graphs.asking import checked, site_address
from graphs.spec.spec import GraphSpec

MOST_HINTS = 20
LONGEST_HINT = 1000
MOST_FORBIDDEN = 200


class Steer(Frozen):
    """A hint, sites to read too, hosts or addresses not to read, and limits of the budget.

    Of the budget only the limits that are named count: `Budget(pages=50)` leaves the others.
    """

    hint: str = ""
    sites: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    budget: Budget | None = None

    @property
    def limits(self) -> Mapping[str, Any]:
        """The limits that are named."""
        return self.budget.model_dump(exclude_unset=True) if self.budget else {}

    def told(self) -> str:
        """The change in one line."""
        hint = [f"hint: {self.hint.strip()}"] if self.hint.strip() else []
        sites = [f"site: {site}" for site in self.sites]
        forbid = [f"forbidden: {entry}" for entry in self.forbid]
        limits = [f"{name}: {_limit(value)}" for name, value in self.limits.items()]
        return " · ".join((*hint, *sites, *forbid, *limits))

    def data(self) -> dict[str, JsonValue]:
        """The change as an event's data."""
        told: dict[str, JsonValue] = self.model_dump(mode="json", exclude={"budget"})
        told["budget"] = dict(self.limits)
        return {name: value for name, value in told.items() if value}


class Otherwise(Steer):
    """What a fork does otherwise; an empty model or graph stays that of the session.

    `mapping` says at which node of the graph it goes on, for each that is to run next.
    """

    model: str = ""
    graph: str | GraphSpec = Field("")
    mapping: Mapping[str, str] = Field(default_factory=dict)


def steered(question: Question, steer: Steer) -> Question:
    """The question with the change laid over it. Raises QuestionError and AddressError."""
    hint = " ".join(steer.hint.split())
    if len(hint) > LONGEST_HINT:
        raise QuestionError(
            f"The hint has {len(hint):,} characters; at most {LONGEST_HINT:,} are read.",
            "Say it in fewer words.",
        )
    sites = tuple(map(site_address, steer.sites))
    changed = checked(
        question.model_copy(
            update={
                "sites": (*question.sites, *sites),
                "hints": _once(question.hints, [hint] if hint else []),
                "forbidden": _once(question.forbidden, map(_entry, steer.forbid)),
                "budget": question.budget.model_copy(update=dict(steer.limits)),
            }
        )
    )
    _refuse(changed, sites)
    return changed


def _refuse(question: Question, added: Iterable[str]) -> None:
    if len(question.hints) > MOST_HINTS or len(question.forbidden) > MOST_FORBIDDEN:
        raise QuestionError(
            "There are too many hints or forbidden addresses.",
            f"At most {MOST_HINTS} hints and {MOST_FORBIDDEN} addresses are kept.",
        )
    if not question.sites:
        return
    left = [site for site in question.sites if not forbidden(question.forbidden, site)]
    if not left:
        raise QuestionError(
            "No site of the question would be left to read.",
            "Add another site, forbid less, or stop the session.",
        )
    for site in added:
        if entry := forbidden(question.forbidden, site):
            raise QuestionError(f"{site} is forbidden, by {entry!r}.", "Leave out one of them.")


def _once(old: tuple[str, ...], new: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))


def _entry(text: str) -> str:
    """A host, or the beginning of addresses, in one spelling. Raises AddressError."""
    address, bare = site_address(text), text.strip().rstrip("/")
    if "/" in bare or "?" in bare:
        return address
    return address.removeprefix("https://").rstrip("/")


def _limit(value: float | None) -> str:
    return "no limit" if value is None else f"{value:,.10g}"
