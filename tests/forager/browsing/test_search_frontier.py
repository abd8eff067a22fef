"""The frontier of the search tree: priorities, merging and pruning."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from forager.browsing.search_frontier import (
    AGREED,
    CLASSES,
    Past,
    agreed,
    best,
    classed,
    joined,
    priority,
    pruned,
    ranked,
    worth,
)
from forager.domain.actions import Action, Candidate

SHARES = st.floats(0, 1)
STATES = st.sampled_from(["1.1", "1.2", "1.3"])
EFFECTS = st.sampled_from(["goto a", "goto b", "click e1", "click e2", "stop ten", "stop"])
PASTS = st.builds(
    Past,
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
def test_a_priority_is_a_share(frontier: Sequence[Candidate], past: Past) -> None:
    for each in frontier:
        assert 0 <= priority(each, past) <= 1
        assert each.progress <= worth(each) <= 1


@given(frontiers(), PASTS, SHARES)
def test_more_progress_is_never_less_priority(
    frontier: Sequence[Candidate], past: Past, progress: float
) -> None:
    for each in frontier:
        more = each.model_copy(update={"progress": max(progress, each.progress)})
        assert priority(more, past) >= priority(each, past)


@given(st.data(), PASTS)
def test_the_order_they_come_in_does_not_matter(data: st.DataObject, past: Past) -> None:
    frontier = data.draw(frontiers())
    shuffled = data.draw(st.permutations(frontier))
    assert ranked(shuffled, past) == ranked(frontier, past)
    assert joined(shuffled) == joined(frontier)
    assert best(shuffled, past) == best(frontier, past)
    assert pruned(shuffled, past, 5) == pruned(frontier, past, 5)


def test_votes_never_add_up_beyond_a_better_rating() -> None:
    assert worth(candidate(0.5, votes=100)) < worth(candidate(0.76))
    assert worth(candidate(0.5, votes=2)) > worth(candidate(0.5))


def test_what_destroys_waits_and_waits_longer_after_it_was_done_once() -> None:
    past = Past(here="1.1", spent=0.2)
    risky, safe = candidate(0.9, harm="It deletes."), candidate(0.6, number=2)
    assert ranked([risky, safe], past)[0] == safe
    late = Past(here="1.1", spent=0.9)
    assert ranked([risky, safe], late)[0] == risky
    again = Past(here="1.1", spent=0.9, harmed=1)
    assert ranked([risky, safe], again)[0] == safe


def test_what_was_done_before_or_leads_back_comes_later() -> None:
    done = candidate(0.9).model_copy(update={"habit": "pressed"})
    past = Past(here="1.1", done={"pressed": 1}, opened=frozenset({"click e2"}))
    assert classed(done, past) == "duplicate"
    assert priority(done, past) == 0.45
    assert classed(candidate(0.9, number=2), past) == "duplicate"
    assert priority(candidate(0.9, number=2), past) == 0.45


def test_what_is_here_comes_before_the_same_elsewhere() -> None:
    here = candidate(0.5)
    there = candidate(0.5, number=2)
    assert ranked([here, there], Past(here="1.1"))[0] == there, "the newest"
    away = there.model_copy(update={"action": there.action.model_copy(update={"at": "1.0"})})
    assert ranked([here, away], Past(here="1.1"))[0] == here


# ---- endings


@given(frontiers(), PASTS)
def test_an_ending_waits_for_agreement_or_the_end(
    frontier: Sequence[Candidate], past: Past
) -> None:
    taken = best(frontier, past)
    if taken is None or classed(taken, past) != "termination" or agreed(taken):
        return
    others = [each for each in frontier if classed(each, past) != "termination"]
    idle = [each for each in others if classed(each, past) == "duplicate" and not each.progress]
    assert past.spent >= 1 or others == idle


def test_two_contexts_that_answer_alike_end_the_search() -> None:
    past = Past(here="1.1", spent=0.1)
    waiting = [candidate(0.9), stop("ten", "long", number=2)]
    assert best(waiting, past) == waiting[0]
    once_more = joined([*waiting, stop("ten", "short", number=3, at="1.2")])
    taken = best(once_more, past)
    assert taken is not None
    assert (taken.action.value, taken.votes) == ("ten", AGREED)


def test_answers_that_differ_do_not_agree() -> None:
    past = Past(here="1.1", spent=0.1)
    both = joined([candidate(0.2), stop("ten", "a", number=2), stop("six", "b", number=3)])
    assert len(both) == 3
    assert best(both, past) == both[0]


def test_giving_up_comes_last_however_many_agree() -> None:
    past = Past(here="1.1", spent=0.1)
    none = stop("", "a", "b", "c")
    assert best([candidate(0.0), none], past) == candidate(0.0)
    assert best([none], past) == none


def test_what_was_done_and_is_worth_nothing_is_never_done_again() -> None:
    past = Past(here="1.1", opened=frozenset({"click e1"}))
    assert best([candidate(0.0)], past) is None
    assert best([candidate(0.0), stop("", "a")], past) == stop("", "a")
    assert best([candidate(0.1), stop("", "a")], past) == candidate(0.1)


def test_at_the_end_an_answer_is_taken() -> None:
    spent = Past(here="1.1", spent=1.0)
    assert best([candidate(0.9), stop("ten", "a"), stop("", "a", number=8)], spent) == stop(
        "ten", "a"
    )
    assert best([], spent) is None


# ---- merging and pruning


@given(frontiers())
def test_merging_keeps_every_effect_and_every_vote(frontier: Sequence[Candidate]) -> None:
    once = joined(frontier)
    assert joined(once) == once
    keys = [(c.action.kind != "stop" and c.action.at, c.effect) for c in once]
    assert len(keys) == len(set(keys))
    assert {each.effect for each in once} == {each.effect for each in frontier}
    for each in once:
        assert each.votes == len(each.contexts)
        alike = [one for one in frontier if one.effect == each.effect]
        assert each.progress <= max(one.progress for one in alike)


def test_merged_candidates_keep_what_speaks_against_them() -> None:
    risky = candidate(0.4, harm="It posts.").model_copy(update={"contexts": ("a",)})
    calm = candidate(0.6).model_copy(update={"contexts": ("b",), "number": 2})
    [one] = joined([calm, risky])
    assert (one.progress, one.votes, one.harm, one.number) == (0.6, 2, "It posts.", 1)


@given(frontiers(), PASTS, st.integers(CLASSES, 8))
def test_pruning_keeps_the_best_of_each_class(
    frontier: Sequence[Candidate], past: Past, bound: int
) -> None:
    kept = pruned(frontier, past, bound)
    assert len(kept) == min(bound, len(frontier))
    assert set(kept) <= set(frontier)
    for name in {classed(each, past) for each in frontier}:
        alike = [each for each in ranked(frontier, past) if classed(each, past) == name]
        assert alike[0] in kept
    gone = [each for each in frontier if each not in kept]
    for each in gone:
        own = [one for one in kept if classed(one, past) == classed(each, past)]
        assert max(priority(one, past) for one in own) >= priority(each, past)
