"""What a session was allowed and what it spent, in words."""

from collections.abc import Iterator

from forager.domain.spend import Budget
from graphs.reports.report import ReportedSpend


def spend_facts(used: ReportedSpend) -> Iterator[tuple[str, str]]:
    """What was used, and how much of it; what models cost only where one was asked."""
    yield "Rounds", f"{used.rounds:,}"
    yield "Actions", f"{used.actions:,}"
    yield "Pages fetched", f"{used.pages_fetched:,}"
    yield "Pages from the cache", f"{used.pages_cached:,}"
    yield "Model calls", f"{used.model_calls:,}"
    if used.tokens_in or used.tokens_out:
        cached = f", {used.tokens_cached:,} of them cached" if used.tokens_cached else ""
        yield "Tokens read", f"{used.tokens_in:,}{cached}"
        yield "Tokens written", f"{used.tokens_out:,}"
    if used.usd:
        yield "US dollars", f"{used.usd:.4f}"
    if used.refused:
        yield "Calls beyond the budget", f"{used.refused:,}"
    yield "Seconds", f"{used.seconds:,.1f}"


def format_limits(budget: Budget) -> str:
    """The limits of a question, as the command line takes them."""
    said = budget.model_dump(exclude_none=True)
    return ", ".join(f"{name}={value:g}" for name, value in said.items())
