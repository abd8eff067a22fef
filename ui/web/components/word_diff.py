"""Two texts compared word by word."""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

WORDS = re.compile(r"\s*\w+\s*|\s*[^\w\s]\s*|\s+")
CITATION = re.compile(r"\[([^\[\]\n]{1,60})\]")


class Piece(NamedTuple):
    """Some text, which may be in this text `only`; or a citation's number and no text."""

    text: str = ""
    only: bool = False
    cite: int = 0


def diff_words(
    one: str,
    other: str,
    own: Mapping[str, int] | None = None,
    others: Mapping[str, int] | None = None,
) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both texts in pieces. Citations are not words: their numbers are given by id."""
    left, right = _split_tokens(one, own or {}), _split_tokens(other, others or {})
    words = [[_word_of(token) for token in tokens if not token.cite] for tokens in (left, right)]
    blocks = SequenceMatcher(None, words[0], words[1], autojunk=False).get_matching_blocks()
    same = [
        {at for block in blocks for at in range(block[side], block[side] + block.size)}
        for side in (0, 1)
    ]
    return _join_pieces(left, same[0]), _join_pieces(right, same[1])


def _word_of(token: Piece) -> str:
    return token.text.strip() or " "


def _split_tokens(text: str, numbers: Mapping[str, int]) -> list[Piece]:
    found: list[Piece] = []
    last = 0
    for match in CITATION.finditer(text):
        cited = [numbers.get(id, 0) for id in re.split(r"[\s,;]+", match[1])]
        if not all(cited):
            continue  # brackets of the text itself
        found += [Piece(word) for word in WORDS.findall(text[last : match.start()])]
        found += [Piece(cite=number) for number in cited]
        last = match.end()
    return found + [Piece(word) for word in WORDS.findall(text[last:])]


def _join_pieces(tokens: Sequence[Piece], same: set[int]) -> tuple[Piece, ...]:
    """Neighbours of the same kind as one piece."""
    result: list[Piece] = []
    at = 0
    for token in tokens:
        if token.cite:
            result.append(token)
            continue
        piece = Piece(token.text, at not in same)
        at += 1
        if result and not result[-1].cite and result[-1].only == piece.only:
            piece = Piece(result.pop().text + piece.text, piece.only)
        result.append(piece)
    return tuple(result)
