"""The frontier of the search tree: priorities, merging and pruning."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from forager.browsing.search_frontier import (
    AGREED_VOTES,
    STEP_CLASS_COUNT,
    SearchProgress,
    candidate_priority,
    candidate_worth,
    choose_candidate,
    classify_candidate,
    is_agreed_answer,
    merge_candidates,
    prune_frontier,
    rank_candidates,
)
from forager.domain.actions import Action, Candidate

SHARES = st.floats(0, 1)
STATES = st.sampled_from(["1.1", "1.2", "1.3"])
EFFECTS = st.sampled_from(["goto a", "goto b", "click e1", "click e2", "stop ten", "stop"])
PASTS = st.builds(
    SearchProgress,
    here=STATES,
    spent=SHARES,
    harmed=st.integers(0, 3),
    done=st.dictionaries(st.sampled_from(["h1", "h2"]), st.integers(1, 4)),
    opened=st.frozensets(st.just("goto a")),
)


@st.composite
def frontiers(draw: st.DrawFn) -> tuple[Candidate, ...]:
    """Candidates of all classes, each with a number of its own."""
    made: list[Candidate] = []
    for number in range(draw(st.integers(0, 12))):
        effect = draw(EFFECTS)
        kind, _, rest = effect.partition(" ")
        value = rest if kind == "stop" else ""
        contexts = draw(st.frozensets(st.sampled_from(["a", "b", "c"]), min_size=1))
        action = Action.model_validate({"kind": kind, "target": rest, "value": value})
        made.append(
            Candidate(
                number=number,
                action=action.model_copy(update={"at": draw(STATES)}),
                progress=draw(SHARES),
                votes=len(contexts),
                contexts=tuple(sorted(contexts)),
                harm="" if kind == "stop" else draw(st.sampled_from(["", "It posts."])),
                effect=effect,
                habit=draw(st.sampled_from(["h1", "h2", "h3"])),
            )
        )
    return tuple(made)


def candidate(progress: float, *, number: int = 1, votes: int = 1, harm: str = "") -> Candidate:
    action = Action(kind="click", target=f"e{number}", at="1.1")
    return Candidate(
        number=number,
        action=action,
        progress=progress,
        votes=votes,
        harm=harm,
        effect=f"click e{number}",
    )


def stop(answer: str, *contexts: str, number: int = 9, at: str = "1.1") -> Candidate:
    action = Action(kind="stop", value=answer, at=at)
    return Candidate(
        number=number,
        action=action,
        progress=0.9,
        votes=len(contexts),
        contexts=contexts,
        effect=f"stop {answer}".strip(),
    )


# ---- priority


@given(frontiers(), PASTS)
def test_a_priority_is_a_share(frontier: Sequence[Candidate], past: SearchProgress) -> None:
    for each in frontier:
        assert 0 <= candidate_priority(each, past) <= 1
        assert each.progress <= candidate_worth(each) <= 1


@given(frontiers(), PASTS, SHARES)
def test_more_progress_is_never_less_priority(
    frontier: Sequence[Candidate], past: SearchProgress, progress: float
) -> None:
    for each in frontier:
        more = each.model_copy(update={"progress": max(progress, each.progress)})
        assert candidate_priority(more, past) >= candidate_priority(each, past)


@given(st.data(), PASTS)
def test_the_order_they_come_in_does_not_matter(data: st.DataObject, past: SearchProgress) -> None:
    frontier = data.draw(frontiers())
    shuffled = data.draw(st.permutations(frontier))
    assert rank_candidates(shuffled, past) == rank_candidates(frontier, past)
    assert merge_candidates(shuffled) == merge_candidates(frontier)
    assert choose_candidate(shuffled, past) == choose_candidate(frontier, past)
    assert prune_frontier(shuffled, past, 5) == prune_frontier(frontier, past, 5)


def test_votes_never_add_up_beyond_a_better_rating() -> None:
    assert candidate_worth(candidate(0.5, votes=100)) < candidate_worth(candidate(0.76))
    assert candidate_worth(candidate(0.5, votes=2)) > candidate_worth(candidate(0.5))


def test_destructive_steps_wait_and_wait_longer_after_the_first() -> None:
    past = SearchProgress(here="1.1", spent=0.2)
    risky, safe = candidate(0.9, harm="It deletes."), candidate(0.6, number=2)
    assert rank_candidates([risky, safe], past)[0] == safe
    late = SearchProgress(here="1.1", spent=0.9)
    assert rank_candidates([risky, safe], late)[0] == risky
    again = SearchProgress(here="1.1", spent=0.9, harmed=1)
    assert rank_candidates([risky, safe], again)[0] == safe


def test_duplicates_come_later() -> None:
    done = candidate(0.9).model_copy(update={"habit": "pressed"})
    past = SearchProgress(here="1.1", done={"pressed": 1}, opened=frozenset({"click e2"}))
    assert classify_candidate(done, past) == "duplicate"
    assert candidate_priority(done, past) == 0.45
    assert classify_candidate(candidate(0.9, number=2), past) == "duplicate"
    assert candidate_priority(candidate(0.9, number=2), past) == 0.45


def test_candidates_at_the_current_view_come_first() -> None:
    here = candidate(0.5)
    there = candidate(0.5, number=2)
    assert rank_candidates([here, there], SearchProgress(here="1.1"))[0] == there, "the newest"
    away = there.model_copy(update={"action": there.action.model_copy(update={"at": "1.0"})})
    assert rank_candidates([here, away], SearchProgress(here="1.1"))[0] == here


# ---- endings


@given(frontiers(), PASTS)
def test_a_termination_waits_for_agreement_or_spent_steps(
    frontier: Sequence[Candidate], past: SearchProgress
) -> None:
    taken = choose_candidate(frontier, past)
    if taken is None or classify_candidate(taken, past) != "termination" or is_agreed_answer(taken):
        return
    others = [each for each in frontier if classify_candidate(each, past) != "termination"]
    idle = [
        each
        for each in others
        if classify_candidate(each, past) == "duplicate" and not each.progress
    ]
    assert past.spent >= 1 or others == idle


def test_two_contexts_with_the_same_answer_end_the_search() -> None:
    past = SearchProgress(here="1.1", spent=0.1)
    waiting = [candidate(0.9), stop("ten", "long", number=2)]
    assert choose_candidate(waiting, past) == waiting[0]
    once_more = merge_candidates([*waiting, stop("ten", "short", number=3, at="1.2")])
    taken = choose_candidate(once_more, past)
    assert taken is not None
    assert (taken.action.value, taken.votes) == ("ten", AGREED_VOTES)


def test_answers_that_differ_do_not_agree() -> None:
    past = SearchProgress(here="1.1", spent=0.1)
    both = merge_candidates(
        [candidate(0.2), stop("ten", "a", number=2), stop("six", "b", number=3)]
    )
    assert len(both) == 3
    assert choose_candidate(both, past) == both[0]


def test_giving_up_comes_last_however_many_agree() -> None:
    past = SearchProgress(here="1.1", spent=0.1)
    none = stop("", "a", "b", "c")
    assert choose_candidate([candidate(0.0), none], past) == candidate(0.0)
    assert choose_candidate([none], past) == none


def test_a_duplicate_without_progress_is_never_chosen() -> None:
    past = SearchProgress(here="1.1", opened=frozenset({"click e1"}))
    assert choose_candidate([candidate(0.0)], past) is None
    assert choose_candidate([candidate(0.0), stop("", "a")], past) == stop("", "a")
    assert choose_candidate([candidate(0.1), stop("", "a")], past) == candidate(0.1)


def test_at_the_end_an_answer_is_taken() -> None:
    spent = SearchProgress(here="1.1", spent=1.0)
    assert choose_candidate(
        [candidate(0.9), stop("ten", "a"), stop("", "a", number=8)], spent
    ) == stop("ten", "a")
    assert choose_candidate([], spent) is None


# ---- merging and pruning


@given(frontiers())
def test_merging_keeps_every_effect_and_every_vote(frontier: Sequence[Candidate]) -> None:
    once = merge_candidates(frontier)
    assert merge_candidates(once) == once
    keys = [(c.action.kind != "stop" and c.action.at, c.effect) for c in once]
    assert len(keys) == len(set(keys))
    assert {each.effect for each in once} == {each.effect for each in frontier}
    for each in once:
        assert each.votes == len(each.contexts)
        alike = [one for one in frontier if one.effect == each.effect]
        assert each.progress <= max(one.progress for one in alike)


def test_merged_candidates_keep_the_reason_for_harm() -> None:
    risky = candidate(0.4, harm="It posts.").model_copy(update={"contexts": ("a",)})
    calm = candidate(0.6).model_copy(update={"contexts": ("b",), "number": 2})
    [one] = merge_candidates([calm, risky])
    assert (one.progress, one.votes, one.harm, one.number) == (0.6, 2, "It posts.", 1)


@given(frontiers(), PASTS, st.integers(STEP_CLASS_COUNT, 8))
def test_pruning_keeps_the_best_of_each_class(
    frontier: Sequence[Candidate], past: SearchProgress, bound: int
) -> None:
    kept = prune_frontier(frontier, past, bound)
    assert len(kept) == min(bound, len(frontier))
    assert set(kept) <= set(frontier)
    for name in {classify_candidate(each, past) for each in frontier}:
        alike = [
            each
            for each in rank_candidates(frontier, past)
            if classify_candidate(each, past) == name
        ]
        assert alike[0] in kept
    gone = [each for each in frontier if each not in kept]
    for each in gone:
        own = [
            one for one in kept if classify_candidate(one, past) == classify_candidate(each, past)
        ]
        assert max(candidate_priority(one, past) for one in own) >= candidate_priority(each, past)
