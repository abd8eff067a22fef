"""Splits a question into the things it asks, with their common context, and plans look-ups."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from forager.data.word_lists import all_words, match_any, match_words, spaced_words
from forager.questions import dependencies, list_intent
from forager.questions.dependencies import WaitingSubQuestion
from forager.questions.followups import without_context
from forager.questions.list_intent import ListIntent
from forager.questions.question_words import WORDS
from forager.questions.subquestions import PlannedLookup
from forager.text.answer_types import default_keyword
from forager.text.tokens import keywords

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])\s*(?=\S)")
CLAUSE_HEAD = (
    rf"(?=(?:(?:{match_any(all_words(WORDS.prepositions))})\s+)?"
    rf"(?:{match_any(spaced_words(WORDS.question_words))})\b)"
)
CONJUNCTION = re.compile(
    rf"[,;]?\s+(?:{match_any(all_words(WORDS.conjunctions))})\s+{CLAUSE_HEAD}|(?<=[,;:])\s+{CLAUSE_HEAD}|[，；]\s*",
    re.IGNORECASE,
)
QUESTION_WORD = re.compile(match_words(WORDS.question_words), re.IGNORECASE)
SETS_SCENE = re.compile(rf"(?:{match_any(all_words(WORDS.scenes))})\b.*,$", re.IGNORECASE)
ORDER = re.compile(rf"(?:please )?(?:{match_any(all_words(WORDS.orders))})\b", re.IGNORECASE)
AND_CLAUSE = re.compile(r",? and (?=(?:the|its|their|his|her|what|which|who|how|when|where)\b)")
MAX_PARTS = 6
MAX_ASKS = 30
MAX_ASK_LENGTH = 400
MAX_CELLS = 12


class SplitQuestion(NamedTuple):
    """The things asked, in order, and the rest of the question as context.

    For a comparison, `cells` holds the row and column of each.
    """

    asked: tuple[str, ...]
    context: str
    cells: tuple[tuple[str, str], ...] = ()


def split_question(question: str) -> SplitQuestion:
    """Split a question into the things it asks and their common context.

    A list is a single ask, with all its columns; a comparison has one ask for each cell.
    """
    intent = list_intent.parse_list_intent(question)
    if intent:
        return _split_list(intent, question)
    sentences = [piece for piece in SENTENCE.split(question.strip()) if piece.strip()]
    asking = [piece for piece in sentences if piece.rstrip().endswith(("?", "？"))]
    asking = asking or sentences[-1:]
    clauses = [clause for piece in asking for clause in _split_clauses(piece)]
    asked = [clause for clause in clauses if _is_asking(clause)]
    asked = asked or clauses
    context = [piece for piece in sentences if piece not in asking]
    context += [clause for clause in clauses if clause not in asked]
    if len(asked) > MAX_PARTS:
        asked = [" ".join(asking)]
    return SplitQuestion(tuple(clause.strip() for clause in asked), " ".join(context).strip())


def new_lookups(
    planned: Sequence[PlannedLookup],
    question: str,
    made: Collection[str] = (),
    quotes: Iterable[str] = (),
) -> list[PlannedLookup]:
    """The planned sub-questions that are new and share a term with the question or a quote."""
    known = set(keywords(question)).union(*map(keywords, quotes))
    kept: dict[tuple[str, int], PlannedLookup] = {}
    places = {0: 0}
    for number, each in enumerate(planned, start=1):
        text = each.ask.strip()[:MAX_ASK_LENGTH]
        unknown = keywords(text) and known.isdisjoint(keywords(text))
        if not text or text in made or unknown:
            continue
        update = {"ask": text, "needs": places.get(each.needs, 0)}
        kept.setdefault((text, each.site), each.model_copy(update=update))
        places[number] = list(kept).index((text, each.site)) + 1
    return list(kept.values())[:MAX_ASKS]


def _split_list(intent: ListIntent, question: str) -> SplitQuestion:
    if not intent.is_comparison:
        return SplitQuestion((question.strip(),), "")
    cells = list_intent.comparison_cells(intent)[:MAX_CELLS]
    asked = tuple(ask for _, _, ask in cells)
    return SplitQuestion(asked, "", tuple((row, column) for row, column, _ in cells))


def _split_clauses(sentence: str) -> list[str]:
    """The clauses of a sentence; for a request such as "name A and B", one for each thing."""
    order = ORDER.match(sentence)
    if not order:
        return [clause for clause in CONJUNCTION.split(sentence) if clause and clause.strip()]
    things = AND_CLAUSE.split(sentence[order.end() :])
    return [f"{order[0]} {thing.strip()}" for thing in things if thing.strip()]


def _is_asking(clause: str) -> bool:
    asks = ORDER.match(clause) or QUESTION_WORD.search(clause)
    return bool(asks) and not SETS_SCENE.match(clause)


def plan_look_ups(
    question: str, context: str, waited: WaitingSubQuestion | None
) -> tuple[list[PlannedLookup], str]:
    """The look-ups of a question, and the context they share.

    `context` is what a follow-up depends on; it is not looked up again. If a look-up `waited`, only
    that one is rewritten with the result it needed; none is if the quotes do not say it clearly.
    """
    if waited:
        result = dependencies.find_result(waited, question)
        rewritten = dependencies.insert_result(waited.ask, result) if result else ""
        return ([PlannedLookup(ask=rewritten)] if rewritten else []), ""
    found = split_question(without_context(question, context))
    cells = found.cells or (("", ""),) * len(found.asked)
    needs = (0,) * len(cells) if found.cells else dependencies.find_dependencies(found.asked)
    look_ups = [
        PlannedLookup(ask=ask, search=default_keyword(ask), needs=needed, row=row, column=column)
        for ask, needed, (row, column) in zip(found.asked, needs, cells, strict=True)
    ]
    return look_ups, f"{context} {found.context}".strip()
