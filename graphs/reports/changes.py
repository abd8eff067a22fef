"""How the state changed from one checkpoint to the next, in plain words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any, Literal, cast

from forager.bandit.posterior import Belief, arm_beliefs
from forager.domain.base import Frozen
from forager.domain.spend import Budget, Spend
from forager.domain.state import Arm, Evidence, Question, State, Survey, Update
from graphs.reports.events import DESCRIPTIONS, format_count, shorten
from graphs.spec.resolved_graph import KEYS_MERGED

MAX_CHARACTERS = 160
SPEND_NAMES = {"actions": "pages", "model_calls": "calls", "pages_fetched": "fetched"}
"""The counts of a spend, as a budget names them."""
DIGITS = 4


class Change(Frozen):
    """Something added (+), removed (-) or changed (~): what it is, its text before and after."""

    sign: Literal["+", "-", "~"]
    what: str
    before: str = ""
    after: str = ""

    def __str__(self) -> str:
        values = " → ".join(filter(None, (self.before, self.after)))
        return f"{self.sign} {self.what} {values}".strip()


Values = Mapping[str, Any]
Compare = Callable[[Any, Any, Values, Values], Iterator[Change]]


def state_changes(before: Values, after: Values) -> tuple[Change, ...]:
    """What changed between the values of two checkpoints, in the order of the state's keys.

    `before` is empty for the first checkpoint; the defaults of a state are no changes then.
    """
    then, now = _with_defaults(before), _with_defaults(after)
    found: list[Change] = []
    for key in then:
        if key in now and then[key] != now[key]:
            found += _comparison_for(key)(then[key], now[key], then, now)
    found += _compare_posteriors(then, now)
    return tuple(found)


def new_values(before: Values, after: Values) -> Update:
    """The written values as an update; of lists with ids, the items that are new or changed."""
    found: dict[str, Any] = {}
    for key in (each.name for each in fields(State) if each.name in after):
        if key not in KEYS_MERGED:
            found[key] = after[key]
            continue
        known = {item.id: item for item in before.get(key, ())}
        if new := tuple(item for item in after[key] if known.get(item.id) != item):
            found[key] = new
    return cast(Update, found)


def _with_defaults(values: Values) -> dict[str, Any]:
    """The state's keys with these values, or else their defaults."""
    found: dict[str, Any] = {"question": Question(text="", sites=())}
    for each in fields(State):
        if each.name in {"past", "state_version"}:
            continue
        if each.default_factory is not MISSING:
            found[each.name] = each.default_factory()
        elif each.default is not MISSING:
            found[each.name] = each.default
    return {key: values.get(key, default) for key, default in found.items()}


def _comparison_for(key: str) -> Compare:
    if key in COMPARISONS:
        return COMPARISONS[key]
    if key in ITEM_LABELS:
        label = ITEM_LABELS[key]
        return lambda then, now, _, __: _compare_items(key, label, then, now)
    return lambda then, now, _, __: _compare_descriptions(key, then, now)


def _compare_items(key: str, label: Callable[[Any], str], then: Any, now: Any) -> Iterator[Change]:
    """Compare items by their ids."""
    old, new = {item.id: item for item in then}, {item.id: item for item in now}
    for id, item in new.items():
        if id not in old:
            yield Change(sign="+", what=f"{key} {id}", after=label(item))
        elif old[id] != item:
            yield Change(sign="~", what=f"{key} {id}", after=_altered_fields(old[id], item, label))
    for id in old.keys() - new.keys():
        yield Change(sign="-", what=f"{key} {id}", before=label(old[id]))


def _altered_fields(then: Any, now: Any, label: Callable[[Any], str]) -> str:
    """The fields of an item that changed; its label where none has a text."""
    if isinstance(now, Evidence) and now.dropped and not then.dropped:
        return "dropped"
    names = [name for name in type(now).model_fields if getattr(then, name) != getattr(now, name)]
    plain = [
        f"{name} {_field_text(getattr(now, name))}"
        for name in names
        if _field_text(getattr(now, name))
    ]
    return "; ".join(plain) or label(now)


def _field_text(value: object) -> str:
    if isinstance(value, tuple) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return shorten(str(value), MAX_CHARACTERS) if isinstance(value, str | int | float) else ""


def _compare_arms(then: Any, now: Any, before: Values, after: Values) -> Iterator[Change]:
    known = {arm.url: arm for arm in then}
    for number, arm in enumerate(now, 1):
        if arm.url not in known:
            belief = _format_beta(Belief(alpha=arm.alpha, beta=arm.beta))
            yield Change(sign="+", what=f"arms[{number}]", after=f"{arm.url} {belief}")
        elif known[arm.url].part != arm.part:
            change = {"before": known[arm.url].part, "after": arm.part}
            yield Change(sign="~", what=f"arms[{number}] part", **change)
    left = {arm.url for arm in now}
    for number, arm in enumerate(then, 1):
        if arm.url not in left:
            yield Change(sign="-", what=f"arms[{number}]", before=arm.url)


def _compare_posteriors(then: Values, now: Values) -> Iterator[Change]:
    """Compare the posteriors of the arms that were there before."""
    old = arm_beliefs(then["arms"], then["lessons"])
    new = arm_beliefs(now["arms"], now["lessons"])
    for number, arm in enumerate(cast(Iterable[Arm], now["arms"]), 1):
        if arm.url in old and _format_beta(old[arm.url]) != _format_beta(new[arm.url]):
            retired = ", retired" if new[arm.url].retired and not old[arm.url].retired else ""
            yield Change(
                sign="~",
                what=f"arms[{number}]",
                before=_format_beta(old[arm.url]),
                after=_format_beta(new[arm.url]) + retired,
            )


def _format_beta(belief: Belief) -> str:
    return f"Beta({belief.alpha:.4g}, {belief.beta:.4g})"


def _compare_spend(then: Spend, now: Spend, _: Values, __: Values) -> Iterator[Change]:
    yield from _compare_numbers("spend", then, now, SPEND_NAMES)


def _compare_numbers(
    key: str, then: Frozen, now: Frozen, names: Mapping[str, str]
) -> Iterator[Change]:
    for name in type(now).model_fields:
        old, new = (
            _format_number(name, getattr(then, name)),
            _format_number(name, getattr(now, name)),
        )
        if old != new:
            yield Change(sign="~", what=f"{key} {names.get(name, name)}", before=old, after=new)


def _format_number(name: str, value: float | None) -> str:
    digits = 1 if name == "seconds" else DIGITS
    return "no limit" if value is None else f"{round(value, digits):,.10g}"


def _compare_question(then: Question, now: Question, _: Values, __: Values) -> Iterator[Change]:
    if then.text != now.text:
        sign: Literal["+", "~"] = "~" if then.text else "+"
        yield Change(
            sign=sign, what="question", before=_in_quotes(then.text), after=_in_quotes(now.text)
        )
    yield from _compare_lines("site", then.sites, now.sites)
    yield from _compare_lines("hint", then.hints, now.hints)
    yield from _compare_lines("forbidden", then.forbidden, now.forbidden)
    if then.text:
        yield from _compare_numbers("budget", then.budget, now.budget, {})
    elif now.budget != Budget():
        yield from _compare_numbers("budget", Budget(), now.budget, {})


def _compare_survey(then: Survey, now: Survey, before: Values, after: Values) -> Iterator[Change]:
    for site, pages in now.pages.items():
        if then.pages.get(site) != pages:
            yield Change(sign="+", what=f"survey of {site}", after=format_count(pages, "page"))
    yield from _compare_items("part", lambda part: _in_quotes(part.text), then.parts, now.parts)
    yield from _compare_lines("note", then.notes, now.notes)


def _compare_lines(what: str, then: Iterable[str], now: Iterable[str]) -> Iterator[Change]:
    """Compare lists of texts: which were added, which removed."""
    old, new = list(then), list(now)
    for text in new:
        if text not in old:
            yield Change(sign="+", what=what, after=_in_quotes(text))
    for text in old:
        if text not in new:
            yield Change(sign="-", what=what, before=_in_quotes(text))


def _compare_descriptions(key: str, then: Any, now: Any) -> Iterator[Change]:
    """Compare the one-line descriptions of a value."""
    tell = DESCRIPTIONS[key]
    begun = then is not None and getattr(then, "round", None) != 0
    old = shorten(tell(then)[0], MAX_CHARACTERS) if begun else ""
    new = shorten(tell(now)[0], MAX_CHARACTERS) if now is not None else ""
    if not old or old == new:
        yield Change(sign="~" if begun else "+", what=key, after=new)
    else:
        yield Change(sign="~", what=key, before=old, after=new)


def _in_quotes(text: str) -> str:
    return f"“{shorten(text, MAX_CHARACTERS)}”" if text else ""


ITEM_LABELS: Mapping[str, Callable[[Any], str]] = {
    "steps": lambda step: shorten(DESCRIPTIONS["steps"]((step,))[0], MAX_CHARACTERS),
    "rationales": lambda item: _in_quotes(item.text),
    "evidence": lambda item: _in_quotes(item.passage.text),
    "lessons": lambda lesson: shorten(DESCRIPTIONS["lessons"]((lesson,))[0], MAX_CHARACTERS),
}
COMPARISONS: Mapping[str, Compare] = {
    "question": _compare_question,
    "survey": _compare_survey,
    "arms": _compare_arms,
    "spend": _compare_spend,
}
