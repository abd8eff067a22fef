"""From a task to a prompt: a prefix that never changes within a role, then sections that fit."""

from collections.abc import Sequence

from forager.domain.base import Frozen
from forager.models.fence import RULES, clean, fenced
from forager.ports import Reply, Task
from forager.prompts.sections import Item, Section
from forager.prompts.token_count import count, reach, weigh

CUT = " […]"
GAP = "\n[…]\n"
LINE_END = weigh("\n")
HALF = 0.5
"""What `count` adds to a weight, at the most, to come to a whole number of tokens."""


class Prompt(Frozen):
    """What a model is sent: `system` depends on the role alone, `parts` on the task and the tag."""

    role: str
    system: str
    parts: tuple[str, ...]

    @property
    def user(self) -> str:
        """The sections, one after the other."""
        return "\n\n".join(self.parts)


def render(task: Task[Reply], tag: str, scale: float = 1.0) -> Prompt:
    """The prompt of a task; `scale` is the share of each section's limit that may be used."""
    system = f"You are the {task.ROLE} of a team that answers questions from web pages.\n\n"
    parts = tuple(_section(section, tag, scale) for section in task.sections())
    return Prompt(role=task.ROLE, system=f"{system}{task.instructions}\n\n{RULES}", parts=parts)


def _section(section: Section, tag: str, scale: float) -> str:
    limit = max(1, round(section.tokens * scale))
    shown = fit(section.items, limit, gaps=section.running)
    text = (_running if section.running else _lines)(section.items, shown, limit)
    body = (fenced(text, tag) if section.material else clean(text)) if text else section.empty
    left = len(section.items) - len(shown)
    note = f"\n({left} more left out: less relevant, or too long.)" if left else ""
    return f"## {section.title}\n{body}{'' if section.running else note}"


def fit(items: Sequence[Item], limit: int, *, gaps: bool = False) -> list[int]:
    """The places of the most relevant items that fit into the limit, in order; at least one.

    With `gaps`, a mark stands wherever items are left out, and counts too.
    """
    order = sorted(range(len(items)), key=lambda place: (-items[place].relevance, place))
    mark = weigh(GAP) if gaps else 0.0
    kept = {-1, len(items)}
    left = limit - HALF - mark
    for place in order:
        beside = (place - 1 in kept) + (place + 1 in kept)
        cost = weigh(items[place].text) + LINE_END + (1 - beside) * mark
        if cost <= left:
            kept.add(place)
            left -= cost
    return sorted(kept - {-1, len(items)}) or order[:1]


def _lines(items: Sequence[Item], shown: Sequence[int], limit: int) -> str:
    return "\n".join(cut(items[place].text, limit) for place in shown)


def _running(items: Sequence[Item], shown: Sequence[int], limit: int) -> str:
    """The items as they follow one another, with a mark where some are left out."""
    pieces: list[str] = []
    for before, place in zip([-1, *shown], shown, strict=False):
        pieces += [GAP] * (place > before + 1) + [cut(items[place].text, limit)]
    return "".join(pieces) + GAP * (bool(shown) and shown[-1] < len(items) - 1)


def cut(text: str, limit: int) -> str:
    """The text, or as much of its beginning as so many tokens hold with the mark of the cut."""
    if count(text) <= limit:
        return text
    return text[: reach(text, limit - HALF - weigh(CUT))].rstrip() + CUT
