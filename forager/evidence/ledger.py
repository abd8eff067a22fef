"""The ledger as a whole: merges near duplicates, and relates the remaining evidence.

Relations are mutual: two pieces of evidence that agree or conflict name each other. Nothing names
dropped evidence.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from forager.domain.state import Evidence, Passage, State, SubQuestion
from forager.evidence.agreement import compare_passages, repeats_passage
from forager.ranking.scoring import odds_shares

Pairs = Iterable[tuple[str, str]]


def absorb_passage(item: Evidence, passage: Passage) -> Evidence:
    """Merge a near duplicate into the evidence: add its URL and take the higher scores."""
    also = tuple(url for url in (passage.url,) if url != item.passage.url and url not in item.also)
    scores = _highest_scores(item.passage.scores, passage.scores)
    if not also and scores == item.passage.scores:
        return item
    part = max(scores, key=lambda id: scores[id], default=item.passage.part)
    held = item.passage.model_copy(update={"scores": scores, "part": part})
    return item.model_copy(update={"passage": held, "also": (*item.also, *also)})


def find_near_duplicate(passage: Passage, ledger: Iterable[Evidence]) -> Evidence | None:
    """The evidence from another document of which a passage is a near duplicate, or None.

    Rows of lists are never duplicates, however similar.
    """
    if passage.row:
        return None
    ledger = [item for item in ledger if item.passage.row is None]
    others = (item for item in ledger if item.passage.blob != passage.blob)
    return next((item for item in others if repeats_passage(passage, item.passage)), None)


def contains_passage(known: Passage, passage: Passage) -> bool:
    """Does a known passage contain this one, or have exactly the same text?"""
    if known.blob == passage.blob:
        return known.start <= passage.start and passage.end <= known.end
    return known.text == passage.text


def compare_with_ledger(
    passage: Passage, ledger: Sequence[Evidence], parts: Sequence[SubQuestion]
) -> tuple[list[str], list[str]]:
    """The ids of the evidence that agrees with a passage, and of that which conflicts with it."""
    ledger = [item for item in ledger if item.passage.row is None and passage.row is None]
    best = _best_scores([passage, *(item.passage for item in ledger)])
    found: dict[str, list[str]] = {"agree": [], "conflict": []}
    for item in ledger:
        said = {
            compare_passages(passage, item.passage, part, best.get(part.id, 0.0))
            for part in parts
            if part.id in passage.scores and part.id in item.passage.scores
        }
        for kind in ("conflict", "agree"):
            if kind in said:
                found[kind].append(item.id)
                break
    return found["agree"], found["conflict"]


def add_relations(
    entries: Iterable[Evidence], agreeing: Pairs, conflicting: Pairs
) -> list[Evidence]:
    """Add relations to the evidence, in both directions; dropped evidence loses all of its own."""
    entries = list(entries)
    kept = [item.id for item in entries if not item.dropped]
    agrees = _mutual_relations([*agreeing, *((e.id, id) for e in entries for id in e.agrees)], kept)
    against = _mutual_relations(
        [*conflicting, *((e.id, id) for e in entries for id in e.conflicts)], kept
    )
    return [
        item.model_copy(
            update={
                "agrees": tuple(
                    id for id in agrees.get(item.id, ()) if id not in against.get(item.id, ())
                ),
                "conflicts": tuple(against.get(item.id, ())),
            }
        )
        for item in entries
    ]


def drop_evidence(ledger: Sequence[Evidence], ids: Collection[str]) -> tuple[Evidence, ...]:
    """Drop the evidence with these ids. Returns what changes: also the evidence that named it.

    What a node changed in `ledger` before, as with `absorb_passage`, it returns along with this:
    the changes merge by id, and of two with one id the later holds.
    """
    marked = [
        item.model_copy(update={"dropped": True}) if item.id in ids else item for item in ledger
    ]
    pairs = zip(ledger, add_relations(marked, (), ()), strict=True)
    return tuple(after for before, after in pairs if after != before)


def join_ledgers(
    before: Sequence[Evidence], branches: Iterable[Sequence[Evidence]], parts: Sequence[SubQuestion]
) -> tuple[Evidence, ...]:
    """Merge the changes that several branches made to a ledger.

    Evidence that is new in one branch is compared with that of the other branches. Returns only
    the evidence that is new or has changed since `before`.
    """
    found: dict[str, Evidence] = {}
    known = {item.id: item for item in before}
    agreeing: list[tuple[str, str]] = []
    conflicting: list[tuple[str, str]] = []
    for branch in branches:
        others = [item for item in found.values() if item.id not in known and not item.dropped]
        for item in branch:
            entry = unite_entries(found[item.id], item) if item.id in found else item
            same = None if item.id in known else _find_known_passage(item.passage, others)
            if same:
                found[same.id] = unite_entries(
                    absorb_passage(found[same.id], item.passage), _inherit_relations(item, same)
                )
                entry = item.model_copy(update={"dropped": True})
            elif item.id not in known:
                agrees, against = compare_with_ledger(item.passage, others, parts)
                agreeing += [(item.id, id) for id in agrees]
                conflicting += [(item.id, id) for id in against]
            found[item.id] = entry
    entries = add_relations({**known, **found}.values(), agreeing, conflicting)
    return tuple(item for item in entries if item.id in found or item != known[item.id])


def unite_entries(one: Evidence, other: Evidence) -> Evidence:
    """Merge two versions of the same evidence: dropped if either is, else the union of both."""
    scores = _highest_scores(one.passage.scores, other.passage.scores)
    part = max(scores, key=lambda id: scores[id], default=one.passage.part)
    return one.model_copy(
        update={
            "passage": one.passage.model_copy(update={"scores": scores, "part": part}),
            "dropped": one.dropped or other.dropped,
            "also": _union_ids(one.also, other.also),
            "agrees": _union_ids(one.agrees, other.agrees),
            "conflicts": _union_ids(one.conflicts, other.conflicts),
        }
    )


def _find_known_passage(passage: Passage, ledger: Sequence[Evidence]) -> Evidence | None:
    """The evidence that already has the passage: from the same page, or as a near duplicate."""
    own = (item for item in ledger if item.passage.blob == passage.blob)
    return next(
        (item for item in own if contains_passage(item.passage, passage)), None
    ) or find_near_duplicate(passage, ledger)


def rename_relations(item: Evidence, ids: Mapping[str, str]) -> Evidence:
    """Replace the ids that the evidence refers to by their new ids."""
    named = {
        key: tuple(ids.get(id, id) for id in getattr(item, key)) for key in ("agrees", "conflicts")
    }
    return item.model_copy(update=named)


def _inherit_relations(item: Evidence, same: Evidence) -> Evidence:
    """Give `same` the URLs and relations of `item`, its near duplicate."""
    also = tuple(url for url in item.also if url != same.passage.url)
    gained = {"also": also, "agrees": item.agrees, "conflicts": item.conflicts}
    return same.model_copy(update=gained)


def _mutual_relations(pairs: Pairs, kept: Sequence[str]) -> dict[str, list[str]]:
    """For each kept id, the ids it is paired with, in the ledger's order."""
    found: dict[str, set[str]] = {}
    known = set(kept)
    for left, right in pairs:
        if left != right and {left, right} <= known:
            found.setdefault(left, set()).add(right)
            found.setdefault(right, set()).add(left)
    return {id: [other for other in kept if other in of] for id, of in found.items()}


def _highest_scores(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    return {id: max(one.get(id, 0.0), other.get(id, 0.0)) for id in dict.fromkeys([*one, *other])}


def _best_scores(passages: Iterable[Passage]) -> dict[str, float]:
    best: dict[str, float] = {}
    for passage in passages:
        best = _highest_scores(best, passage.scores)
    return best


def _union_ids(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def strongest_passages(passages: Sequence[Passage], count: int) -> list[Passage]:
    """At most `count` passages, those that hold the largest shares of the odds first."""
    held = [sum(of.values()) for of in odds_shares([passage.scores for passage in passages])]
    order = sorted(range(len(passages)), key=lambda place: -held[place])
    return [passages[place] for place in order[:count]]


def share_gained(ledger: Sequence[Evidence], ids: Collection[str], parts: int) -> float:
    """The share of the odds of all parts that the entries with these ids hold, 0 to 1."""
    held = odds_shares([item.passage.scores for item in ledger])
    ours = [of for item, of in zip(ledger, held, strict=True) if item.id in ids]
    return min(1.0, sum(share for of in ours for share in of.values()) / max(1, parts))


def best_scores(state: State) -> dict[str, float]:
    """The highest score of an arm or an entry for each part."""
    best: dict[str, float] = {}
    known = [arm.scores for arm in state.arms]
    known += [item.passage.scores for item in state.evidence if not item.dropped]
    for scores in known:
        for part, score in scores.items():
            best[part] = max(score, best.get(part, 0.0))
    return best
