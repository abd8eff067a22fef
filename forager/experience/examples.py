"""Earlier steps as examples for a step: how prompts show them, and which actions they support.

Examples contain words of pages, so prompts show them as material. An example supports an action if
it was done to an element of the same role and name, or led to the same page, for a question with
similar words.
"""

from collections.abc import Sequence
from urllib.parse import urldefrag

from forager.domain.actions import Action, Element
from forager.domain.experience import Snippet
from forager.domain.urls import page_identity
from forager.prompts.sections import Item, Section, one_line
from forager.text.tokens import keywords

SECTION_TOKENS = 900
PAGE_LINES = 15
"""How many lines of an example's page are shown, around its element."""
ACTIONS_BEFORE = 4
"""How many of the actions before an example are shown."""
EXAMPLE_WEIGHT = 0.8
"""Bonus of an action that an example for the same question supports; negative if it was in vain."""
OUTCOMES = {"moved": "", "failed": " (failed)", "vain": " (led to no answer)"}
OPENS = frozenset({"click", "visit", "goto"})


def example_sections(examples: Sequence[Snippet]) -> tuple[Section, ...]:
    """The prompt section with the examples; empty without any. The best is dropped last."""
    if not examples:
        return ()
    items = [
        Item(text=_format_example(each), relevance=-place) for place, each in enumerate(examples)
    ]
    title = "Steps like this one, from earlier questions; they may not fit here"
    return (Section(title=title, items=tuple(items), tokens=SECTION_TOKENS),)


def example_bonus(
    examples: Sequence[Snippet], question: str, action: Action, url: str = ""
) -> float:
    """The bonus of an action, at most `EXAMPLE_WEIGHT`; `url` is where it leads, if known.

    The first example of it counts, the less the further down it is.
    """
    for place, each in enumerate(examples):
        if each.outcome != "failed" and _is_example_of(each, action, url):
            weight = EXAMPLE_WEIGHT if each.outcome == "moved" else -EXAMPLE_WEIGHT
            return weight * question_similarity(question, each.moment.instruction) / (1 + place)
    return 0.0


def clicked_elements(examples: Sequence[Snippet]) -> tuple[Element, ...]:
    """The elements that the examples clicked, not in vain, the best example's first."""
    useful = (each.action for each in examples if each.outcome != "vain")
    clicked = (action.element for action in useful if action.kind in OPENS)
    return tuple(dict.fromkeys(element for element in clicked if element))


def question_similarity(one: str, other: str) -> float:
    """The share of words that two questions have in common (Jaccard), 0 to 1."""
    left, right = set(keywords(one)), set(keywords(other))
    return len(left & right) / (len(left | right) or 1)


def _is_example_of(example: Snippet, action: Action, url: str) -> bool:
    done = example.action
    if url and done.kind in OPENS and done.element is None:
        return _page_identity(done.target) == _page_identity(url)
    if done.element is None or action.element is None:
        return False
    same = (done.element.role, done.element.name) == (action.element.role, action.element.name)
    kinds = done.kind == action.kind or {done.kind, action.kind} <= OPENS
    return same and kinds and bool(done.element.name)


def _page_identity(url: str) -> str:
    return page_identity(urldefrag(url).url)


def _format_example(example: Snippet) -> str:
    before = "; ".join(example.moment.before[-ACTIONS_BEFORE:]) or "nothing"
    came = OUTCOMES[example.outcome]
    lines = [
        f"- {one_line(example.told)}{came}",
        f"  wanted: {one_line(example.moment.instruction)}",
        f"  done before: {one_line(before)}",
    ]
    if example.rationale:
        lines.append(f"  why: {one_line(example.rationale)}")
    return "\n".join([*lines, *(f"  > {one_line(each)}" for each in _lines_around(example))])


def _lines_around(example: Snippet) -> list[str]:
    """The lines of the example's page around its element."""
    lines = example.page.splitlines()
    name = example.action.element.name if example.action.element else ""
    at = next((n for n, line in enumerate(lines) if name and f"“{name}”" in line), 0)
    first = max(0, min(at - PAGE_LINES // 2, len(lines) - PAGE_LINES))
    return lines[first : first + PAGE_LINES]
