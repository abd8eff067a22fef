"""Events: what a node did, in one line and a few figures."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from forager.answers.ending import ROUNDS_USED
from forager.answers.likelihood import is_uncertain
from forager.browsing.action_text import describe_action
from forager.domain.actions import IN_BROWSER
from forager.domain.state import Evidence, Lesson, Step, Update

EventData = dict[str, JsonValue]
Emit = Callable[[str, str, str, EventData], Awaitable[None]]
"""Called with the node, the kind of event, a one-line message and small data.

Kinds of a node: started, progress, finished, failed, warned, asked. Kinds of a run, with an empty
node: begun, resumed, decided, warned, halted, steered, rewound, forked, imported.
"""

MAX_MESSAGE_CHARACTERS = 240
MAX_IDS = 6
FIRST_IDS = 3


async def emit_nothing(node: str, kind: str, message: str, data: EventData) -> None:
    """An Emit that does nothing."""


def describe_update(update: Update) -> tuple[str, EventData]:
    """The message and the data of a node's update."""
    found = [DESCRIPTIONS[key](value) for key, value in update.items() if key in DESCRIPTIONS]
    message = " · ".join(text for text, _ in found if text)
    data = {name: value for _, part in found for name, value in part.items()}
    return shorten(message), data


def event_outcome(data: Mapping[str, JsonValue]) -> str:
    """The verdict of a node, the end of a visit or of the run, from its event's data; or empty."""
    if "sufficient" in data:
        return "sufficient" if data["sufficient"] else "insufficient"
    if "passages" in data:
        return "found" if data["passages"] else "nothing"
    if data.get("uncertain"):
        return "partial"
    return str(data.get("status") or data.get("outcome") or "")


def shorten(text: str, limit: int = MAX_MESSAGE_CHARACTERS) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def format_count(count: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _describe_meaning(meaning: Any) -> tuple[str, EventData]:
    about = f" (about {meaning.context})" if meaning.context else ""
    return f"asks: {meaning.text}{about}" if meaning.text else "a question of its own", {}


def _describe_survey(survey: Any) -> tuple[str, EventData]:
    pages = sum(survey.pages.values())
    text = f"{format_count(pages, 'page')} known, {format_count(len(survey.parts), 'sub-question')}"
    return text, {
        "pages": dict(survey.pages),
        "parts": [shorten(part.text) for part in survey.parts],
        "notes": [shorten(note) for note in survey.notes[:5]],
    }


def _describe_arms(arms: Any) -> tuple[str, EventData]:
    return format_count(len(arms), "arm"), {"arms": len(arms)}


def _describe_draw(draw: Any) -> tuple[str, EventData]:
    data: EventData = {"round": draw.round, "urls": list(draw.urls)}
    if not draw.urls and draw.reason.startswith(ROUNDS_USED):
        return draw.reason, data  # arms may be left
    text = f"round {draw.round}: {', '.join(draw.urls)}" if draw.urls else "no arm is left"
    reason = f" ({draw.reason})" if draw.reason else ""
    return text + reason, data


def _describe_recall(recall: Any) -> tuple[str, EventData]:
    count = len(recall.lessons)
    lessons = f"{format_count(count, 'lesson')} recalled" if count else ""
    path = "a path that worked before" if recall.recipe else ""
    before = _describe_episodes(recall.episodes)
    text = " and ".join(filter(None, (lessons, path, before))) or "nothing to recall"
    data: EventData = {"lessons": count, **({"recipe": len(recall.recipe.actions)} if path else {})}
    return text, {**data, **_episode_data(recall.episodes)}


MAX_RECALLED_IDS = 10
"""The memory tells from them where an item was used."""


def _describe_episodes(found: Any) -> str:
    """How many attempts of earlier sessions were recalled, and why the best of them was."""
    if not found:
        return ""
    why = found[0].why or f"asked there before: {found[0].episode.question}"
    return f"{format_count(len(found), 'attempt')} of earlier sessions ({why})"


def _episode_data(found: Any) -> EventData:
    """Their number, and the best one. The others are mostly the same for every arm."""
    if not found:
        return {}
    best, episode = found[0], found[0].episode
    data: EventData = {
        "id": episode.id,
        "url": episode.url,
        "question": shorten(episode.question),
        "outcome": episode.outcome,
        "weight": round(best.weight, 3),
        "why": shorten(best.why),
    }
    ids = [each.episode.id for each in found[:MAX_RECALLED_IDS]]
    return {"episodes": len(found), "best": data, "recalled": ids}


def _describe_proposal(proposal: Any) -> tuple[str, EventData]:
    action = proposal.action
    reason = f": {action.reason}" if action.reason else ""
    bare = f"{action.kind} {action.target}".strip()
    return (describe_action(action) if action.kind in IN_BROWSER else bare) + reason, {
        "action": action.kind,
        "target": action.target,
    }


def _describe_frontier(frontier: Any) -> tuple[str, EventData]:
    text = f"{format_count(len(frontier), 'action')} waiting" if frontier else ""
    return text, {"waiting": len(frontier)} if frontier else {}


def _describe_steps(steps: tuple[Step, ...]) -> tuple[str, EventData]:
    if not steps:
        return "", {}
    step = steps[-1]
    if step.action.kind == "search" and step.found:
        text = f"{format_count(len(step.found), 'result')} for {step.action.target}"
        return text, {"outcome": step.outcome, "results": len(step.found)}
    if step.action.kind in IN_BROWSER:
        return _describe_browser_step(step)
    if step.page is None:
        return f"{step.outcome} {step.action.target}: {step.reason}", {
            "outcome": step.outcome,
            "url": step.action.target,
        }
    return f"{step.outcome} {step.page.title or step.page.url}", {
        "outcome": step.outcome,
        "url": step.page.url,
        "cached": step.cached,
        "step": step.id,
    }


def _describe_browser_step(step: Step) -> tuple[str, EventData]:
    """A browser action in words, with the page that it led to."""
    what = describe_action(step.action)
    if step.page is None:
        return f"{what}: {step.outcome}. {step.reason}", {"outcome": step.outcome, "step": step.id}
    harm = f"; {step.harm}" if step.harm else ""
    return f"{what} → {step.page.title or step.page.url}{harm}", {
        "outcome": step.outcome,
        "url": step.page.url,
        "cached": step.cached,
        "step": step.id,
        **({"harm": step.harm} if step.harm else {}),
    }


def _describe_rationales(rationales: Any) -> tuple[str, EventData]:
    return (rationales[-1].text, {"step": rationales[-1].id}) if rationales else ("", {})


def _describe_reading(reading: Any) -> tuple[str, EventData]:
    count = len(reading.passages)
    return format_count(count, "passage"), {"passages": count}


def _describe_evidence(evidence: tuple[Evidence, ...]) -> tuple[str, EventData]:
    kept = [item.id for item in evidence if not item.dropped]
    gone = [item.id for item in evidence if item.dropped]
    if not evidence:
        return "changed nothing", {"evidence": [], "dropped": []}
    text = f"kept {_shorten_ids(kept) or 'nothing'}" + (
        f", dropped {_shorten_ids(gone)}" if gone else ""
    )
    return text, {"evidence": list(kept), "dropped": list(gone)}


def _shorten_ids(ids: Sequence[str]) -> str:
    """The ids; of many, their number and the first ones."""
    if len(ids) <= MAX_IDS:
        return ", ".join(ids)
    return f"{len(ids)} ({', '.join(ids[:FIRST_IDS])} …)"


def _describe_feedback(feedback: Any) -> tuple[str, EventData]:
    """What is still open after the page just read. The critic confirms that nothing is."""
    lacking = [shorten(text) for text in feedback.open]
    text = f"still open: {'; '.join(feedback.open)}" if lacking else ""
    return text, {"open": list(lacking), "added": feedback.added}


def _describe_verdict(verdict: Any) -> tuple[str, EventData]:
    text = "enough" if verdict.sufficient else "not enough"
    reason = f": {verdict.reason}" if verdict.reason else ""
    return text + reason, {"sufficient": verdict.sufficient, "open": list(verdict.open)}


def _describe_lessons(lessons: tuple[Lesson, ...]) -> tuple[str, EventData]:
    if not lessons:
        return "", {}
    lesson = lessons[-1]
    return f"{lesson.outcome}: {lesson.text}", {
        "outcome": lesson.outcome,
        "url": lesson.url,
        "alpha": lesson.alpha,
        "beta": lesson.beta,
        "retired": lesson.retired,
    }


def _describe_answer(answer: Any) -> tuple[str, EventData]:
    uncertain: EventData = {"uncertain": True} if is_uncertain(answer) else {}
    return f"{answer.status}: {answer.text}", {
        "status": answer.status,
        **uncertain,
        "citations": len(answer.citations),
    }


DESCRIPTIONS: Mapping[str, Callable[[Any], tuple[str, EventData]]] = {
    "meaning": _describe_meaning,
    "survey": _describe_survey,
    "arms": _describe_arms,
    "draw": _describe_draw,
    "recall": _describe_recall,
    "proposal": _describe_proposal,
    "frontier": _describe_frontier,
    "steps": _describe_steps,
    "rationales": _describe_rationales,
    "reading": _describe_reading,
    "evidence": _describe_evidence,
    "feedback": _describe_feedback,
    "verdict": _describe_verdict,
    "lessons": _describe_lessons,
    "answer": _describe_answer,
}
