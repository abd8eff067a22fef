"""The frontier of the search tree: actions that were proposed but not yet performed, best first.

The priority of a candidate, from 0 to 1, is calculated anew before each step:

    priority = worth * patience * near

    worth     p + (1 - p) * (1 - 1/v) / 2       for progress p and v votes: agreement closes up to
                                                half of the gap to 1
    patience  safe         1
              duplicate    1 / (1 + n)          if done n times before on an equal-looking page,
                                                or if it leads to a page that was already opened
              destructive  (1 + s) / (2 + 2 h)  for the share s of the steps that is spent and h
                                                destructive steps done: rather late than early,
                                                and a second one later still
              termination  s, but 1 once two contexts give the same answer; 0 without an answer
    near      1 at the browser's current view, else 0.9, since a replay may fail

A termination is chosen only if two contexts give the same answer, if the steps are spent, or if
nothing else is left. A duplicate without progress is never chosen. Ties go to the candidate with
more votes, then to the newest, so that the search goes deeper before it goes back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from forager.domain.actions import Candidate

AGREED_VOTES = 2
"""How many contexts with the same answer end a search."""
ELSEWHERE_FACTOR = 0.9

StepClass = Literal["safe", "duplicate", "destructive", "termination"]
STEP_CLASS_COUNT = len(get_args(StepClass))


@dataclass(frozen=True, kw_only=True)
class SearchProgress:
    """How far the search is: the step whose view is shown, and what was done so far.

    `spent` is the share of the steps that is spent, and `harmed` the number of destructive ones.
    `done` counts habit keys; `opened` holds the effect keys of pages that were opened.
    """

    here: str = ""
    spent: float = 0.0
    harmed: int = 0
    done: Mapping[str, int] = field(default_factory=dict)
    opened: frozenset[str] = frozenset()


def classify_candidate(candidate: Candidate, past: SearchProgress) -> StepClass:
    """The class of step that the candidate would be."""
    if candidate.action.kind == "stop":
        return "termination"
    if candidate.harm:
        return "destructive"
    return "duplicate" if _times_done(candidate, past) else "safe"


def candidate_worth(candidate: Candidate) -> float:
    """Combine progress and votes into one number between the progress and 1."""
    lacking = 1 - candidate.progress
    return candidate.progress + lacking * (1 - 1 / candidate.votes) / 2


def candidate_priority(candidate: Candidate, past: SearchProgress) -> float:
    """The priority of a candidate, 0 to 1, by the formula in the module's docstring."""
    near = 1.0 if candidate.action.at == past.here else ELSEWHERE_FACTOR
    return candidate_worth(candidate) * _candidate_patience(candidate, past) * near


def is_agreed_answer(candidate: Candidate) -> bool:
    """Does the candidate end the search with an answer that enough contexts share?"""
    action = candidate.action
    return action.kind == "stop" and bool(action.value) and candidate.votes >= AGREED_VOTES


def rank_candidates(frontier: Iterable[Candidate], past: SearchProgress) -> list[Candidate]:
    """Sort by priority, votes and number, best first; the input order does not matter."""
    return sorted(
        frontier,
        key=lambda each: (candidate_priority(each, past), each.votes, each.number),
        reverse=True,
    )


def merge_candidates(frontier: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Merge candidates with the same effect at the same view, and equal stops at any view."""
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for each in frontier:
        at = "" if each.action.kind == "stop" else each.action.at
        groups.setdefault((at, each.effect), []).append(each)
    return tuple(sorted(map(_merge_alike, groups.values()), key=lambda each: each.number))


def prune_frontier(
    frontier: Sequence[Candidate], past: SearchProgress, bound: int
) -> tuple[Candidate, ...]:
    """Keep the best candidate of each class, and fill up with the best to at most `bound`."""
    order = rank_candidates(frontier, past)
    first: dict[StepClass, Candidate] = {}
    for each in order:
        first.setdefault(classify_candidate(each, past), each)
    best = list(first.values())
    rest = [each for each in order if each not in best]
    kept = best + rest[: max(0, bound - len(best))]
    return tuple(sorted(kept, key=lambda each: each.number))


def choose_candidate(frontier: Sequence[Candidate], past: SearchProgress) -> Candidate | None:
    """The candidate to perform next, by the rules in the module's docstring, or None."""
    order = rank_candidates(frontier, past)
    ending = next((each for each in order if is_agreed_answer(each)), None)
    going = next((each for each in order if _continues_search(each, past)), None)
    stopping = next(
        (each for each in order if classify_candidate(each, past) == "termination"), None
    )
    return ending or (going if past.spent < 1 else None) or stopping or going


def _continues_search(candidate: Candidate, past: SearchProgress) -> bool:
    match classify_candidate(candidate, past):
        case "termination":
            return False
        case "duplicate":
            return candidate.progress > 0
        case _:
            return True


def _candidate_patience(candidate: Candidate, past: SearchProgress) -> float:
    match classify_candidate(candidate, past):
        case "safe":
            return 1.0
        case "duplicate":
            return 1 / (1 + _times_done(candidate, past))
        case "destructive":
            return (1 + past.spent) / (2 + 2 * past.harmed)
        case "termination":
            waits = 1.0 if is_agreed_answer(candidate) else past.spent
            return waits if candidate.action.value else 0.0


def _times_done(candidate: Candidate, past: SearchProgress) -> int:
    """How often the candidate was done before."""
    return past.done.get(candidate.habit, 0) + (candidate.effect in past.opened)


def _merge_alike(alike: Sequence[Candidate]) -> Candidate:
    """Merge candidates of equal effect: the most promising one, with the number of the oldest."""
    if len(alike) == 1:
        return alike[0]
    alike = sorted(alike, key=lambda each: each.number)
    contexts = tuple(sorted({name for each in alike for name in each.contexts}))
    update = {
        "number": alike[0].number,
        "contexts": contexts,
        "votes": len(contexts) or max(each.votes for each in alike),
        "harm": next((each.harm for each in alike if each.harm), ""),
    }
    return max(alike, key=lambda each: each.progress).model_copy(update=update)
