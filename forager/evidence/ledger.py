"""The ledger as a whole: entries that repeat one another merged, and how the others relate.

Relations are mutual: two entries that agree, or conflict, name each other; a dropped one is named
by none.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from forager.domain.state import Evidence, Part, Passage
from forager.evidence.agreement import compare_passages, repeats_passage
from forager.ranking.scoring import shares

Pairs = Iterable[tuple[str, str]]


def absorb_passage(item: Evidence, passage: Passage) -> Evidence:
    """The entry, with the address and the higher scores of a passage that repeats it."""
    also = tuple(url for url in (passage.url,) if url != item.passage.url and url not in item.also)
    scores = _highest_scores(item.passage.scores, passage.scores)
    if not also and scores == item.passage.scores:
        return item
    part = max(scores, key=lambda id: scores[id], default=item.passage.part)
    held = item.passage.model_copy(update={"scores": scores, "part": part})
    return item.model_copy(update={"passage": held, "also": (*item.also, *also)})


def find_near_duplicate(passage: Passage, ledger: Iterable[Evidence]) -> Evidence | None:
    """The entry of another document that says what a passage says, nearly word for word.

    Rows of lists are no repetitions, however alike.
    """
    if passage.row:
        return None
    ledger = [item for item in ledger if item.passage.row is None]
    others = (item for item in ledger if item.passage.blob != passage.blob)
    return next((item for item in others if repeats_passage(passage, item.passage)), None)


def contains_passage(known: Passage, passage: Passage) -> bool:
    """Is a passage a piece of one that is known, or the very same words?"""
    if known.blob == passage.blob:
        return known.start <= passage.start and passage.end <= known.end
    return known.text == passage.text


def compare_with_ledger(
    passage: Passage, ledger: Sequence[Evidence], parts: Sequence[Part]
) -> tuple[list[str], list[str]]:
    """The ids of the entries that agree with a passage, and of those that conflict, by rule."""
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
    """The entries with these relations added to those they have, both ways, between those kept."""
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


def join_ledgers(
    before: Sequence[Evidence], branches: Iterable[Sequence[Evidence]], parts: Sequence[Part]
) -> tuple[Evidence, ...]:
    """What several branches did to a ledger, each entry once, theirs compared with one another."""
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
    """Two versions of the same entry in one: dropped if either is, and all that either gained."""
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
    """The entry that has the passage: of the same page, or in nearly the same words."""
    own = (item for item in ledger if item.passage.blob == passage.blob)
    return next(
        (item for item in own if contains_passage(item.passage, passage)), None
    ) or find_near_duplicate(passage, ledger)


def rename_relations(item: Evidence, ids: Mapping[str, str]) -> Evidence:
    """The entry, with the entries that it names under their new ids."""
    named = {
        key: tuple(ids.get(id, id) for id in getattr(item, key)) for key in ("agrees", "conflicts")
    }
    return item.model_copy(update=named)


def _inherit_relations(item: Evidence, same: Evidence) -> Evidence:
    """The entry that another one repeats, with what that one has gained."""
    also = tuple(url for url in item.also if url != same.passage.url)
    gained = {"also": also, "agrees": item.agrees, "conflicts": item.conflicts}
    return same.model_copy(update=gained)


def _mutual_relations(pairs: Pairs, kept: Sequence[str]) -> dict[str, list[str]]:
    """For each kept id those it is paired with, in the ledger's order."""
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
    held = [sum(of.values()) for of in shares([passage.scores for passage in passages])]
    order = sorted(range(len(passages)), key=lambda place: -held[place])
    return [passages[place] for place in order[:count]]


def share_gained(ledger: Sequence[Evidence], ids: Collection[str], parts: int) -> float:
    """The share of the odds of all parts that the entries with these ids hold, 0 to 1."""
    held = shares([item.passage.scores for item in ledger])
    ours = [of for item, of in zip(ledger, held, strict=True) if item.id in ids]
    return min(1.0, sum(share for of in ours for share in of.values()) / max(1, parts))
