"""The search tree's open ends: actions that were proposed and not yet done, the best one first.

The priority of a candidate is worked out anew before each step, from 0 to 1:

    priority = worth * patience * near

    worth     p + (1 - p) * (1 - 1/v) / 2       of progress p and v votes: agreement closes up to
                                                half of what lacks, and no number of votes adds up
                                                to more than 1
    patience  safe         1
              duplicate    1 / (1 + n)          done n times before where the page looked the same,
                                                or leading to a page that was opened
              destructive  (1 + s) / (2 + 2 h)  of the share s of the steps that is spent and h
                                                destructive steps done: late rather than early,
                                                and a second one later still
              termination  s, but 1 once two contexts answer alike; 0 without an answer
    near      1 where the browser stands now, else 0.9: a way that is replayed may have gone

A termination is taken only when two contexts answer alike, when the steps are spent, or when
nothing else is left; a duplicate without progress is never done. Of candidates alike in priority
the one with more votes comes first, then the newest: the search goes deeper before it goes back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from forager.domain.actions import Candidate

AGREED_VOTES = 2
"""So many contexts that answer alike end a search."""
ELSEWHERE_FACTOR = 0.9

StepClass = Literal["safe", "duplicate", "destructive", "termination"]
STEP_CLASS_COUNT = len(get_args(StepClass))


@dataclass(frozen=True, kw_only=True)
class SearchProgress:
    """Where the search stands: the step whose view is shown, and what was done so far.

    `spent` is the share of the steps, `harmed` counts destructive ones; `done` counts habits, and
    `opened` holds the effects of opening the pages that were opened.
    """

    here: str = ""
    spent: float = 0.0
    harmed: int = 0
    done: Mapping[str, int] = field(default_factory=dict)
    opened: frozenset[str] = frozenset()


def classify_candidate(candidate: Candidate, past: SearchProgress) -> StepClass:
    """What kind of step it would be."""
    if candidate.action.kind == "stop":
        return "termination"
    if candidate.harm:
        return "destructive"
    return "duplicate" if _times_done(candidate, past) else "safe"


def candidate_worth(candidate: Candidate) -> float:
    """Progress and votes in one number, from progress to 1."""
    lacking = 1 - candidate.progress
    return candidate.progress + lacking * (1 - 1 / candidate.votes) / 2


def candidate_priority(candidate: Candidate, past: SearchProgress) -> float:
    """From 0 to 1; the formula stands above."""
    near = 1.0 if candidate.action.at == past.here else ELSEWHERE_FACTOR
    return candidate_worth(candidate) * _candidate_patience(candidate, past) * near


def is_agreed_answer(candidate: Candidate) -> bool:
    """Does it end the search with an answer that two contexts share?"""
    action = candidate.action
    return action.kind == "stop" and bool(action.value) and candidate.votes >= AGREED_VOTES


def rank_candidates(frontier: Iterable[Candidate], past: SearchProgress) -> list[Candidate]:
    """The best first, whatever the order they are in."""
    return sorted(
        frontier,
        key=lambda each: (candidate_priority(each, past), each.votes, each.number),
        reverse=True,
    )


def merge_candidates(frontier: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Candidates of equal effect are one, with the votes of all; stops are, wherever proposed."""
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for each in frontier:
        at = "" if each.action.kind == "stop" else each.action.at
        groups.setdefault((at, each.effect), []).append(each)
    return tuple(sorted(map(_merge_alike, groups.values()), key=lambda each: each.number))


def prune_frontier(
    frontier: Sequence[Candidate], past: SearchProgress, bound: int
) -> tuple[Candidate, ...]:
    """At most `bound` of them, or one of each class: these stay, and then the best."""
    order = rank_candidates(frontier, past)
    first: dict[StepClass, Candidate] = {}
    for each in order:
        first.setdefault(classify_candidate(each, past), each)
    best = list(first.values())
    rest = [each for each in order if each not in best]
    kept = best + rest[: max(0, bound - len(best))]
    return tuple(sorted(kept, key=lambda each: each.number))


def choose_candidate(frontier: Sequence[Candidate], past: SearchProgress) -> Candidate | None:
    """The one to do next; a termination only when it may be taken, a repetition if worth it."""
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
    """How often it was done before."""
    return past.done.get(candidate.habit, 0) + (candidate.effect in past.opened)


def _merge_alike(alike: Sequence[Candidate]) -> Candidate:
    """One for several of equal effect: the most promising, as old as the oldest."""
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
