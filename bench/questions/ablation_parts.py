"""The parts of the default graph that can be switched off: rules, signals and nodes.

A rule is switched off where it is used: there, another value takes the place of its function or
weight. A part of the graph is switched off by other parameters of its node.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, NamedTuple

from forager.adapters.memory.embeddings.embedder import LexicalOnly
from forager.domain.base import FiniteJson
from forager.questions.followups import without_context
from forager.questions.subquestions import PlannedLookup
from graphs.spec.spec import GraphSpec


class Replacement(NamedTuple):
    """A name of a module and the value that it has instead."""

    module: str
    name: str
    value: Any


class Part(NamedTuple):
    """What is switched off: names of modules, and parameters by node type."""

    summary: str
    replaced: tuple[Replacement, ...] = ()
    params: Mapping[str, Mapping[str, FiniteJson]] = {}


def _one_look_up(question: str, context: str, waited: object) -> tuple[list[PlannedLookup], str]:
    return ([] if waited else [PlannedLookup(ask=without_context(question, context))]), context


@contextmanager
def _no_embedder(*_: object) -> Iterator[LexicalOnly]:
    yield LexicalOnly("it is switched off")


ANSWERER, AGGREGATOR = "forager.offline.answerer", "forager.offline.aggregator"
CRITIC, SCORING = "forager.offline.critic", "forager.ranking.scoring"
PARTS: Mapping[str, Part] = {
    "survey": Part("the map: the front page is the only arm", params={"surveyor": {"pages": 0}}),
    "search": Part("searches that add arms", params={"surveyor": {"search": 0}}),
    "sampling": Part(
        "Thompson sampling: the best arm is drawn", params={"selector": {"strategy": "greedy"}}
    ),
    "split": Part(
        "splitting a question into look-ups",
        (Replacement("nodes.surveyor", "plan_look_ups", _one_look_up),),
    ),
    "embeddings": Part(
        "embeddings, ratings, and with them the likelihood",
        (Replacement("graphs.runtime.composition", "closing_embedder", _no_embedder),),
    ),
    "ratings": Part(
        "the cross-encoder when passages are ranked",
        (Replacement(SCORING, "_add_ratings", lambda *_: None),),
    ),
    "similarity": Part(
        "the similarity of embeddings when passages are ranked",
        (Replacement(SCORING, "_add_similarity", lambda *_: None),),
    ),
    "languages": Part(
        "stems in the languages of the pages",
        (Replacement("forager.adapters.web.web_port", "own_stems", lambda *_: {}),),
    ),
    "surroundings": Part("the words around a passage", (Replacement(SCORING, "SURROUNDINGS", {}),)),
    "headings": Part("the heading above a passage", (Replacement(SCORING, "HEADING_WEIGHT", 0.0),)),
    "pages": Part("the page of a passage", (Replacement(SCORING, "PAGE_WEIGHT", 0.0),)),
    "unnamed": Part(
        "the lower rating of a passage without the names in code of the question",
        (Replacement(SCORING, "UNNAMED_PENALTY", 0.0),),
    ),
    "kinds": Part(
        "the kind of value that is asked for",
        (Replacement(SCORING, "expected_types", lambda *_: ()),),
    ),
    "gate": Part(
        "the likelihood that a look-up is answered",
        (Replacement(CRITIC, "is_likely_answered", lambda *_: True),),
    ),
    "required": Part(
        "terms that an answer must mention",
        (
            Replacement(CRITIC, "mentions_required", lambda *_: True),
            Replacement(ANSWERER, "keep_mentioning", lambda ledger, _: tuple(ledger)),
        ),
    ),
    "elsewhere": Part(
        "looking on while pages that are not opened may hold the answer",
        params={"critic": {"elsewhere": 1.0}},
    ),
    "look": Part(
        "one look at another page if a quote lacks the kind of value asked for",
        (Replacement("nodes.critic", "_parts_to_confirm", lambda *_: {}),),
    ),
    "agreement": Part(
        "passages that agree or conflict",
        (Replacement(AGGREGATOR, "compare_with_ledger", lambda *_: ([], [])),),
    ),
    "repeats": Part(
        "leaving out what another passage says",
        (Replacement(AGGREGATOR, "repeats_passage", lambda *_: False),),
    ),
    "newest": Part(
        "the newer of two versions first",
        (Replacement("forager.answers.conflicts", "newest_first", list),),
    ),
    "tables": Part(
        "answers as tables",
        (Replacement("forager.answers.answer_table", "table_by_rule", lambda *_: None),),
    ),
    "lists": Part(
        "lists and tables of a page taken as a whole",
        (Replacement("nodes.extractor", "rank_enumerations", lambda *_: []),),
    ),
}


@contextmanager
def switched_off(part: Part) -> Iterator[None]:
    """While this lasts, the part is off in this process. Raises AttributeError for a lost name."""
    with ExitStack() as stack:
        for module, name, value in part.replaced:
            home = import_module(module)
            stack.callback(setattr, home, name, getattr(home, name))
            setattr(home, name, value)
        yield


def without_part(spec: GraphSpec, part: Part) -> GraphSpec:
    """The graph with the parameters that switch the part off."""
    nodes = {
        name: node.model_copy(update={"params": {**node.params, **part.params[node.type]}})
        if node.type in part.params
        else node
        for name, node in spec.nodes.items()
    }
    return spec.model_copy(update={"nodes": nodes})
