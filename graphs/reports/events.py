"""What a node did, in one line and a few numbers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from forager.browsing.action_text import in_words
from forager.domain.actions import IN_BROWSER
from forager.domain.state import Evidence, Lesson, Step, Update

Data = dict[str, JsonValue]
Emit = Callable[[str, str, str, Data], Awaitable[None]]
"""Called with node, kind, a one-line message and small data.

Nodes have started, made progress, finished, failed, warned or asked; a run has begun, resumed,
decided or warned.
"""

MAX_MESSAGE = 240
MAX_IDS = 6
FIRST_IDS = 3


async def silent(node: str, kind: str, message: str, data: Data) -> None:
    """An Emit that tells nobody."""


def tell(update: Update) -> tuple[str, Data]:
    """The message and the data of one node's update."""
    told = [TELL[key](value) for key, value in update.items() if key in TELL]
    message = " · ".join(text for text, _ in told if text)
    data = {name: value for _, part in told for name, value in part.items()}
    return shorten(message), data


def judged(data: Mapping[str, JsonValue]) -> str:
    """How a node judged, a visit ended, or the run came out, by what its event tells; or empty."""
    if "sufficient" in data:
        return "sufficient" if data["sufficient"] else "insufficient"
    if "passages" in data:
        return "found" if data["passages"] else "nothing"
    return str(data.get("status") or data.get("outcome") or "")


def shorten(text: str, limit: int = MAX_MESSAGE) -> str:
    """One line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def plural(count: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _meaning(meaning: Any) -> tuple[str, Data]:
    about = f" (about {meaning.context})" if meaning.context else ""
    return f"asks: {meaning.text}{about}" if meaning.text else "a question of its own", {}


def _survey(survey: Any) -> tuple[str, Data]:
    pages = sum(survey.pages.values())
    text = f"{plural(pages, 'page')} known, {plural(len(survey.parts), 'part')} to look up"
    return text, {
        "pages": dict(survey.pages),
        "parts": [shorten(part.text) for part in survey.parts],
        "notes": [shorten(note) for note in survey.notes[:5]],
    }


def _arms(arms: Any) -> tuple[str, Data]:
    return plural(len(arms), "arm"), {"arms": len(arms)}


def _draw(draw: Any) -> tuple[str, Data]:
    text = f"round {draw.round}: {', '.join(draw.urls)}" if draw.urls else "no arm is left"
    reason = f" ({draw.reason})" if draw.reason else ""
    return text + reason, {"round": draw.round, "urls": list(draw.urls)}


def _recall(recall: Any) -> tuple[str, Data]:
    count = len(recall.lessons)
    lessons = f"{plural(count, 'lesson')} recalled" if count else ""
    way = "a way that worked before" if recall.recipe else ""
    before = _episodes(recall.episodes)
    text = " and ".join(filter(None, (lessons, way, before))) or "nothing to recall"
    data: Data = {"lessons": count, **({"recipe": len(recall.recipe.actions)} if way else {})}
    return text, {**data, **_brought(recall.episodes)}


def _episodes(found: Any) -> str:
    """How many were brought back from earlier sessions, and why the best of them."""
    if not found:
        return ""
    why = found[0].why or f"asked there before: {found[0].episode.question}"
    return f"{plural(len(found), 'attempt')} of earlier sessions ({why})"


def _brought(found: Any) -> Data:
    """Their number and the best: at every arm most of them are those of the arm before."""
    if not found:
        return {}
    best, episode = found[0], found[0].episode
    told: Data = {
        "id": episode.id,
        "url": episode.url,
        "question": shorten(episode.question),
        "outcome": episode.outcome,
        "weight": round(best.weight, 3),
        "why": shorten(best.why),
    }
    return {"episodes": len(found), "best": told}


def _proposal(proposal: Any) -> tuple[str, Data]:
    action = proposal.action
    reason = f": {action.reason}" if action.reason else ""
    bare = f"{action.kind} {action.target}".strip()
    return (in_words(action) if action.kind in IN_BROWSER else bare) + reason, {
        "action": action.kind,
        "target": action.target,
    }


def _frontier(frontier: Any) -> tuple[str, Data]:
    text = f"{plural(len(frontier), 'action')} waiting" if frontier else ""
    return text, {"waiting": len(frontier)} if frontier else {}


def _steps(steps: tuple[Step, ...]) -> tuple[str, Data]:
    if not steps:
        return "", {}
    step = steps[-1]
    if step.action.kind == "search" and step.found:
        text = f"{plural(len(step.found), 'result')} for {step.action.target}"
        return text, {"outcome": step.outcome, "results": len(step.found)}
    if step.action.kind in IN_BROWSER:
        return _browsed(step)
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


def _browsed(step: Step) -> tuple[str, Data]:
    """An action in a browser, in words."""
    what = in_words(step.action)
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


def _rationales(rationales: Any) -> tuple[str, Data]:
    return (rationales[-1].text, {"step": rationales[-1].id}) if rationales else ("", {})


def _reading(reading: Any) -> tuple[str, Data]:
    count = len(reading.passages)
    return plural(count, "passage"), {"passages": count}


def _evidence(evidence: tuple[Evidence, ...]) -> tuple[str, Data]:
    kept = [item.id for item in evidence if not item.dropped]
    gone = [item.id for item in evidence if item.dropped]
    text = f"kept {_first(kept) or 'nothing'}" + (f", dropped {_first(gone)}" if gone else "")
    return text, {"evidence": list(kept), "dropped": list(gone)}


def _first(ids: Sequence[str]) -> str:
    """The ids, or of many their number and the first of them."""
    if len(ids) <= MAX_IDS:
        return ", ".join(ids)
    return f"{len(ids)} ({', '.join(ids[:FIRST_IDS])} …)"


def _feedback(feedback: Any) -> tuple[str, Data]:
    """What is open by what was just read; where that is nothing, the critic has yet to say so."""
    lacking = [shorten(text) for text in feedback.open]
    text = f"still open: {'; '.join(feedback.open)}" if lacking else ""
    return text, {"open": list(lacking), "added": feedback.added}


def _verdict(verdict: Any) -> tuple[str, Data]:
    text = "enough" if verdict.sufficient else "not enough"
    reason = f": {verdict.reason}" if verdict.reason else ""
    return text + reason, {"sufficient": verdict.sufficient, "open": list(verdict.open)}


def _lessons(lessons: tuple[Lesson, ...]) -> tuple[str, Data]:
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


def _answer(answer: Any) -> tuple[str, Data]:
    return f"{answer.status}: {answer.text}", {
        "status": answer.status,
        "citations": len(answer.citations),
    }


TELL: Mapping[str, Callable[[Any], tuple[str, Data]]] = {
    "meaning": _meaning,
    "survey": _survey,
    "arms": _arms,
    "draw": _draw,
    "recall": _recall,
    "proposal": _proposal,
    "frontier": _frontier,
    "steps": _steps,
    "rationales": _rationales,
    "reading": _reading,
    "evidence": _evidence,
    "feedback": _feedback,
    "verdict": _verdict,
    "lessons": _lessons,
    "answer": _answer,
}
