"""What a question gave, without what differs from run to run, and how two outcomes differ."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from forager.domain.base import Frozen
from forager.errors import UsageError
from graphs.experiments.scoring import missing_gold
from graphs.reports.report import Report


class CitedPassage(Frozen):
    """A quote of an answer and its page, as `SITE/path`."""

    page: str
    quote: str


class Counts(Frozen):
    """What a turn spent; `loads` are actions, `calls` those of models and built-in rules."""

    rounds: int
    loads: int
    fetched: int
    calls: int
    tokens_in: int
    tokens_out: int


class Outcome(Frozen):
    """A turn's outcome; `right` says whether it has all gold, or abstained where there is none.

    Left out is what differs between machines and runs: seconds, scores, and names of sessions.
    """

    question: str
    status: str
    right: bool
    answer: tuple[str, ...]
    """Its lines."""
    cited: tuple[CitedPassage, ...]
    opened: tuple[str, ...]
    """The pages opened, in order."""
    open: tuple[str, ...]
    """The sub-questions left open."""
    counts: Counts
    error: str = ""


Outcomes = Mapping[str, Outcome]
"""Outcomes by the id of the turn."""
OUTCOMES = TypeAdapter(dict[str, Outcome])
LABELS = {
    "rounds": "rounds",
    "loads": "page loads",
    "fetched": "pages fetched",
    "calls": "calls of models and rules",
    "tokens_in": "tokens in",
    "tokens_out": "tokens out",
}


def describe_outcome(
    question: str, gold: Sequence[str], report: Report, sites: Mapping[str, str]
) -> Outcome:
    """The outcome of a turn on sites that are served at these addresses."""
    given = report.answer if report.status in {"answered", "partial"} else ""
    missing = missing_gold(given, gold, whole=True)
    spent = report.spent
    return Outcome(
        question=question,
        status=report.status,
        right=not missing if gold else report.status == "abstained",
        answer=tuple(report.answer.splitlines()),
        cited=tuple(
            CitedPassage(page=_name_page(item.url, sites), quote=item.quote)
            for item in report.citations
        ),
        opened=tuple(_name_page(page.url, sites) for page in report.visited),
        open=report.open,
        counts=Counts(
            rounds=spent.rounds,
            loads=spent.actions,
            fetched=spent.pages_fetched,
            calls=spent.model_calls,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
        ),
        error=report.error,
    )


def _name_page(url: str, sites: Mapping[str, str]) -> str:
    """The address of a page with the name of its site, which may be served on any port."""
    for name, address in sites.items():
        if url.startswith(address):
            return f"{name}/{url[len(address) :]}"
    return url


def read_outcomes(path: Path) -> dict[str, Outcome]:
    """The outcomes of a file; none if there is no file. Raises UsageError."""
    try:
        return OUTCOMES.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError) as error:
        raise UsageError(
            f"{path} has no outcomes: {error}.", "Write it anew with --record."
        ) from error


def write_outcomes(path: Path, outcomes: Outcomes) -> None:
    """Write outcomes, with a line for each value so that a difference is read easily."""
    found = {id: one.model_dump(mode="json", exclude_defaults=True) for id, one in outcomes.items()}
    text = json.dumps(found, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def compare_outcomes(expected: Outcomes, found: Outcomes) -> list[str]:
    """What differs, in words, a paragraph for each difference."""
    lines = [f"{id}: it is not asked any more" for id in expected if id not in found]
    for id, outcome in found.items():
        if id in expected:
            lines += [f"{id}: {line}" for line in _compare_turn(expected[id], outcome)]
        else:
            lines.append(f"{id}: it was not asked when the outcomes were recorded")
    return lines


def _compare_turn(expected: Outcome, found: Outcome) -> Iterator[str]:
    was, now = _describe_values(expected), _describe_values(found)
    for label, old in was.items():
        new = now[label]
        if old == new:
            continue
        gone = [line for line in old if line not in new]
        come = [line for line in new if line not in old]
        if not gone and not come:
            gone, come = [" | ".join(old)], [" | ".join(new)]
        shown = [*(f"was: {line}" for line in gone), *(f"now: {line}" for line in come)]
        yield "\n    ".join([label, *shown])


def _describe_values(outcome: Outcome) -> dict[str, Sequence[str]]:
    """The lines of each value, under what it is called."""
    quotes = [(item.page, " ".join(item.quote.split())) for item in outcome.cited]
    return {
        "question": [outcome.question],
        "status": [outcome.status],
        "right": ["yes" if outcome.right else "no"],
        "answer": outcome.answer,
        "passages cited": [f"{page}: “{quote}”" for page, quote in quotes],
        "pages opened": outcome.opened,
        "sub-questions left open": outcome.open,
        **{LABELS[name]: [str(count)] for name, count in outcome.counts.model_dump().items()},
    }
