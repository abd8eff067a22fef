"""Moments of a run, and how similar they are, facet by facet.

Vectors find candidates, shared words rank them. A moment's vector has three blocks: the
instruction, the trajectory (recent actions weigh more) and the hashed words of the trajectory. Each
block is scaled by the root of its weight, so that the dot product of two vectors is the weighted
sum of the blocks' cosines; a query zeroes the facets it leaves out. Candidates are then ranked by
that product and by shared words, rare words weighing more. Candidates of equal content form
clusters and vote together:

    score of a cluster = sum over its members of exp(similarity / TEMPERATURE)
"""

import hashlib
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from forager.browsing.action_text import ACTION_PHRASES, ROLE_NAMES, describe_action
from forager.domain.experience import Facets, Moment, Snippet
from forager.domain.state import State, Step
from forager.ports import Embedder, Vectors
from forager.text.tokens import tokenize


def current_moment(state: State) -> Moment:
    """The moment now: what is asked, and all actions of this turn."""
    return moment_at_step(state, len(state.steps))


def moment_at_step(state: State, count: int) -> Moment:
    """The moment when the turn had `count` steps."""
    return Moment(
        instruction=state.asked,
        before=tuple(describe_step(step) for step in state.steps[:count]),
        site=current_site(state, state.steps[:count]),
    )


def describe_step(step: Step) -> str:
    """Describe a step's action; a page that was opened is named by its title, not its URL."""
    if step.action.kind == "visit" and step.page and step.page.title:
        return f"Open “{step.page.title}”"
    return describe_action(step.action)


def current_site(state: State, steps: Sequence[Step]) -> str:
    """The host that was shown last, or else the one where the trajectory starts."""
    shown = (place for each in reversed(steps) if (place := _step_url(each)))
    urls = (*shown, *state.draw.urls, *state.question.sites)
    return next((name for url in urls if (name := host_of(url))), "")


def host_of(url: str) -> str:
    """The host of a URL without `www.`, with its port if it has one."""
    return urlsplit(url).netloc.rpartition("@")[2].lower().removeprefix("www.")


def _step_url(step: Step) -> str:
    shown = step.view or step.page
    return shown.url if shown else ""


HASHED_DIMENSIONS = 128
"""Dimensions of a trajectory's hashed words."""
DIMENSIONS = 384
"""Dimensions of a text's vector of hashed words, used when there is no embedder."""
DECAY = 0.5
"""Weight of an action in a trajectory's vector, relative to the action after it."""
NO_ACTION = "Nothing was done yet"
"""Stands for the missing actions before a first step, so that first steps are similar."""
INSTRUCTION, TRAJECTORY, WORDS = 0.3, 0.7, 1.0
"""Weights of a vector's three blocks."""
INSTRUCTION_WORDS, TRAJECTORY_WORDS = 0.6, 1.2
"""Weights of shared words when candidates are ranked."""
SAME_SITE_BONUS = 0.3
"""Bonus of a candidate from the site where the trajectory is."""
TEMPERATURE = 0.07
VOTING_CANDIDATES = 60
"""How many candidates vote for the best cluster."""
COMMON_WEIGHT = 0.15
COMMON_WORDS = frozenset(
    tokenize(re.sub(r"\{\w+\}", " ", " ".join([*ACTION_PHRASES.values(), *ROLE_NAMES.values()])))
)
COMMON_WORDS |= frozenset(
    tokenize(" ".join([*ROLE_NAMES, "button link tab heading row cell type press"]))
)
"""Words of most action descriptions, such as verbs and roles; they weigh little."""

Hashes = NDArray[np.uint64]
_OF: Mapping[Facets, tuple[bool, bool]] = MappingProxyType(
    {"semantic": (True, False), "trajectory": (False, True), "both": (True, True)}
)


@dataclass(frozen=True)
class MomentCandidate:
    """A candidate: its moment, its content, and the dot product of its vector with the query.

    Candidates with equal `content` teach the same.
    """

    id: str
    moment: Moment
    content: Hashable
    score: float


def uses_similarity(facets: Facets) -> bool:
    """Are snippets chosen by similarity, rather than by time or not at all?"""
    return facets in _OF


def moment_vectors(moments: Sequence[Moment], embedder: Embedder) -> Vectors:
    """One row of length 1 per moment, float32, shape (len(moments), dimensions)."""
    texts = [
        text for each in moments for text in (each.instruction, *(each.before or (NO_ACTION,)))
    ]
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    embedded = _embed_texts(list(places), embedder)
    rows = [_moment_vector(each, embedded, places) for each in moments]
    width = 2 * embedded.shape[1] + HASHED_DIMENSIONS
    return np.stack(rows) if rows else np.zeros((0, width), np.float32)


def query_vector(moment: Moment, facets: Facets, embedder: Embedder) -> Vectors:
    """The unit vector to search candidates with, shape (dimensions,), other facets zeroed."""
    [row] = moment_vectors([moment], embedder)
    semantic, trajectory = _OF[facets]
    wide = (len(row) - HASHED_DIMENSIONS) // 2
    row[:wide] *= semantic
    row[wide:] *= trajectory
    return _unit_vector(row)


def best_of_clusters(
    moment: Moment, found: Sequence[MomentCandidate], facets: Facets, count: int
) -> list[str]:
    """The ids of the best candidate of each of the `count` best clusters, best cluster first."""
    if not found:
        return []
    semantic, trajectory = _OF[facets]
    total = semantic * INSTRUCTION + trajectory * (TRAJECTORY + WORDS)
    likeness = np.array([total * each.score for each in found])
    if semantic:
        others = [hash_terms(each.moment.instruction) for each in found]
        likeness += INSTRUCTION_WORDS * _term_cosines(hash_terms(moment.instruction), others)
    if trajectory:
        others = [_hash_actions(each.moment.before) for each in found]
        likeness += TRAJECTORY_WORDS * _term_cosines(_hash_actions(moment.before), others)
    likeness += [
        SAME_SITE_BONUS * bool(moment.site and each.moment.site == moment.site) for each in found
    ]
    return _rank_clusters(found, likeness, count)


def _rank_clusters(
    found: Sequence[MomentCandidate], likeness: NDArray[np.float64], count: int
) -> list[str]:
    order = np.argsort(-likeness, kind="stable")[:VOTING_CANDIDATES]
    votes = np.exp((likeness[order] - likeness[order[0]]) / TEMPERATURE)
    scores: dict[Hashable, float] = {}
    first: dict[Hashable, str] = {}
    for place, vote in zip(order, votes, strict=True):
        each = found[place]
        scores[each.content] = scores.get(each.content, 0.0) + float(vote)
        first.setdefault(each.content, each.id)
    ranked = sorted(scores, key=lambda content: -scores[content])
    return [first[content] for content in ranked[:count]]


def snippet_content(snippet: Snippet) -> tuple[str, ...]:
    """A key for what a snippet teaches: the element to use on a site, or the page to open."""
    action, element = snippet.action, snippet.action.element
    if element is None:
        return snippet.moment.site, action.kind, action.target
    return snippet.moment.site, element.role, element.name


@lru_cache(maxsize=50_000)
def hash_terms(text: str) -> Hashes:
    """Hashes of a text's index terms and of adjacent pairs of them, uint64, in order."""
    words = tokenize(text)
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    return np.array([_hash_text(each) for each in (*words, *pairs)], np.uint64)


@lru_cache(maxsize=200_000)
def _hash_text(text: str) -> int:
    """A 64-bit hash; its lowest bit says whether all words of the text are common."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") & ~1 | COMMON_WORDS.issuperset(text.split())


def _hash_actions(actions: Sequence[str]) -> Hashes:
    return np.concatenate([hash_terms(each) for each in actions or (NO_ACTION,)])


def _moment_vector(moment: Moment, embedded: Vectors, places: Mapping[str, int]) -> Vectors:
    recent = [places[each] for each in reversed(moment.before or (NO_ACTION,))]
    fading = (DECAY ** np.arange(len(recent))).astype(np.float32)
    blocks = (
        (INSTRUCTION, embedded[places[moment.instruction]]),
        (TRAJECTORY, _unit_vector(fading @ embedded[recent])),
        (WORDS, hashed_vector(_hash_actions(moment.before), HASHED_DIMENSIONS)),
    )
    total = INSTRUCTION + TRAJECTORY + WORDS
    return np.concatenate([np.float32((weight / total) ** 0.5) * each for weight, each in blocks])


def hashed_vector(terms: Hashes, dimensions: int) -> Vectors:
    """A unit vector of hashed terms, shape (dimensions,), by signed feature hashing."""
    different, counts = np.unique(terms, return_counts=True)
    common = (different & np.uint64(1)).astype(bool)
    signs = np.where((different >> np.uint64(40)) & np.uint64(1), 1.0, -1.0)
    worth = signs * np.sqrt(counts) * np.where(common, COMMON_WEIGHT, 1.0)
    places = ((different >> np.uint64(1)) % np.uint64(dimensions)).astype(np.intp)
    return _unit_vector(np.bincount(places, worth, dimensions).astype(np.float32))


def _embed_texts(texts: Sequence[str], embedder: Embedder) -> Vectors:
    if embedder.available and texts:
        return embedder.embed(texts)
    rows = [hashed_vector(hash_terms(each), DIMENSIONS) for each in texts]
    return np.stack(rows) if rows else np.zeros((0, DIMENSIONS), np.float32)


def _unit_vector(vector: Vectors) -> Vectors:
    """Scale to length 1; a zero vector stays zero."""
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector


def _term_cosines(asked: Hashes, others: Sequence[Hashes]) -> NDArray[np.float64]:
    """Cosines, 0 to 1, between `asked` and each of `others`, by root counts times rarity."""
    sizes = [len(each) for each in (*others, asked)]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    names, term = np.unique(np.concatenate([*others, asked]), return_inverse=True)
    pairs, counts = np.unique(owner * len(names) + term, return_counts=True)
    owner, term = pairs // len(names), pairs % len(names)
    held = np.bincount(term[owner < len(others)], minlength=len(names))
    rare = np.log1p(len(others) / np.maximum(1, held))
    worth = np.sqrt(counts) * rare[term]
    own = np.zeros(len(names))
    own[term[owner == len(others)]] = worth[owner == len(others)]
    lengths = np.sqrt(np.bincount(owner, worth**2, len(sizes)))
    shared = np.bincount(owner, worth * own[term], len(sizes))
    products = np.maximum(lengths * lengths[-1], 1e-12)
    cosines: NDArray[np.float64] = (shared / products)[:-1]
    return cosines
