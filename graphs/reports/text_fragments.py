"""Text fragments: the end of an address that makes a browser show a quote on its page.

(WICG, URL Fragment Text Directives: `#:~:text=[prefix-,]start[,end][,-suffix]`.) A browser looks
for each of the four within one block of the page, as whole words, ignoring case. So a quote is
named by its first and last words, with as many words around them as make it unique.
"""

import re
import unicodedata
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

HAN = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts that put no space between words."""
WORD_ENDING_SIGNS = frozenset("，。、；：！？）」』】》…")
"""Signs that end a word without a space."""
PIECE = re.compile(rf"(?P<gap>\n|\s{{2,}}| \| )|[{HAN}]|[^\W{HAN}]+|\S")
BLOCK_START = re.compile(r"(?m)^ *(?:#{1,6} |- |`{3,}$|\|)")
"""Marks of blocks in a document's text, which its page does not have."""
GAP = "\n"
PIECE_SEPARATOR = "\0"
WINDOW = 200_000
"""Characters of a long page that are searched on each side of a quote."""
SHORT_QUOTE, WHOLE_QUOTE = 4, 8
"""Words: a quote below the first is named with its context, one up to the second in full."""
END_SIZES = (4, 6, 9)
"""Words that the start and the end may have."""
CONTEXT_SIZES = ((0, 0), (3, 0), (0, 3), (3, 3), (6, 6), (12, 12))
"""Words of a prefix and a suffix. They are swapped where the quote opens a block, as the page may
have a menu before it that its document does not have."""
LONG_WORD = 12
MAX_TRIES = 1000

Span = tuple[int, int]
NOTHING: Span = (0, 0)


class Directive(NamedTuple):
    """What a browser looks for; each is a span of pieces, or NOTHING."""

    prefix: Span
    start: Span
    end: Span
    suffix: Span


def link_to_quote(url: str, text: str, start: int, end: int) -> str:
    """The address that shows text[start:end] on its page; the plain address if it has no words.

    So it is where no browser can go, such as to the result of a tool.
    """
    found = text_fragment(text, start, end)
    if not found or not url.startswith("http"):
        return url
    return f"{url}{':~:' if '#' in url else '#:~:'}text={found}"


def text_fragment(text: str, start: int, end: int) -> str:
    """The value of `text=` for text[start:end], percent-encoded; empty if it has no words."""
    left = max(0, start - WINDOW)
    page = _parse_page(text[left : end + WINDOW])
    wanted = page.touched_pieces(start - left, end - left)
    if wanted is None:
        return ""
    candidates = page.list_directives(wanted)
    fitting = (each for each in candidates if page.find_directive(each) == wanted)
    return page.encode_directive(next(fitting, candidates[-1]))


class _Page:
    """A text as the pieces that a browser compares: words, signs, and gaps between blocks."""

    def __init__(self, text: str) -> None:
        self._text = text
        bare = BLOCK_START.sub(lambda mark: GAP + " " * (len(mark[0]) - 1), text)
        found = list(PIECE.finditer(bare))
        self._spans = [piece.span() for piece in found]
        self._pieces = [GAP if piece["gap"] else piece[0].casefold() for piece in found]
        self._joined = PIECE_SEPARATOR + PIECE_SEPARATOR.join([*self._pieces, ""])
        self._offsets = [0]
        for piece in self._pieces:
            self._offsets.append(self._offsets[-1] + len(piece) + 1)

    def touched_pieces(self, start: int, end: int) -> Span | None:
        """The span of pieces in text[start:end], without signs at its ends; None without words."""
        inside = [
            place
            for place, (left, right) in enumerate(self._spans)
            if right > start and left < end and _is_word(self._pieces[place])
        ]
        return (inside[0], inside[-1] + 1) if inside else None

    def list_directives(self, wanted: Span) -> list[Directive]:
        """Directives that name a span of pieces, from the shortest to the safest."""
        first, last = wanted
        opening = first, min(last, self._block_end(first))
        closing = max(first, self._block_start(last)), last
        words = self._count_words(wanted) if opening == wanted else WHOLE_QUOTE + 1
        ends = [
            (self._first_words(opening, size), self._last_words(closing, size))
            for size in END_SIZES
        ]
        ends = [pair if pair[0][1] <= pair[1][0] else (wanted, NOTHING) for pair in ends]
        opens = self._block_start(first) == first
        made = [
            Directive(self._words_before(first, before), start, end, self._words_after(last, after))
            for before, after in ((pair[::-1] if opens else pair) for pair in CONTEXT_SIZES)
            for start, end in dict.fromkeys(ends if words > WHOLE_QUOTE else [(wanted, NOTHING)])
        ]
        if min(words, self._count_words(opening)) >= SHORT_QUOTE:
            return made
        return [each for each in made if (each.prefix, each.suffix) != (NOTHING, NOTHING)] or made

    def find_directive(self, directive: Directive) -> Span | None:
        """The span of pieces that a browser would show; None where it finds nothing."""
        prefix, start, end, suffix = directive
        at = 0
        for _ in range(MAX_TRIES):
            place = self._seek_span(start if prefix == NOTHING else prefix, at)
            if place is None:
                return None
            at = place + 1
            if prefix != NOTHING:
                place = self._over_gap(place + prefix[1] - prefix[0])
            if self._stands_at(start, place):
                stop = self._find_ending(end, suffix, place + start[1] - start[0])
                if stop is not None:
                    return place, stop
        return None

    def encode_directive(self, directive: Directive) -> str:
        """The directive as it stands in an address."""
        prefix, start, end, suffix = (self._encode_span(span) for span in directive)
        named = f"{start},{end}" if end else start
        return f"{f'{prefix}-,' if prefix else ''}{named}{f',-{suffix}' if suffix else ''}"

    def _find_ending(self, end: Span, suffix: Span, stop: int) -> int | None:
        """Where a match ends whose start ends at `stop`; None where it does not match."""
        for _ in range(MAX_TRIES):
            if end != NOTHING:
                found = self._seek_span(end, stop)
                if found is None:
                    return None
                stop = found + end[1] - end[0]
            if self._stands_at(suffix, self._over_gap(stop)):
                return stop
            if end == NOTHING:
                return None
        return None

    def _search_text(self, span: Span) -> str:
        return self._joined[self._offsets[span[0]] : self._offsets[span[1]] + 1]

    def _seek_span(self, span: Span, place: int) -> int | None:
        """The first place, from this one on, where the same pieces are."""
        found = self._joined.find(self._search_text(span), self._offsets[place])
        return bisect_left(self._offsets, found) if found >= 0 else None

    def _stands_at(self, span: Span, place: int) -> bool:
        return self._joined.startswith(self._search_text(span), self._offsets[place])

    def _over_gap(self, place: int) -> int:
        while place < len(self._pieces) and self._pieces[place] == GAP:
            place += 1
        return place

    def _block_start(self, place: int) -> int:
        """The start of the block that reaches to `place`."""
        while place > 0 and self._pieces[place - 1] != GAP:
            place -= 1
        return place

    def _block_end(self, place: int) -> int:
        while place < len(self._pieces) and self._pieces[place] != GAP:
            place += 1
        return place

    def _words_before(self, place: int, words: int) -> Span:
        """At most this many words before a place, from one block."""
        while place > 0 and self._pieces[place - 1] == GAP:
            place -= 1
        return self._if_words(self._last_words((self._block_start(place), place), words), words)

    def _words_after(self, place: int, words: int) -> Span:
        place = self._over_gap(place)
        return self._if_words(self._first_words((place, self._block_end(place)), words), words)

    def _if_words(self, span: Span, words: int) -> Span:
        """The span, if words are wanted and it has any."""
        return span if words and any(map(_is_word, self._pieces[slice(*span)])) else NOTHING

    def _first_words(self, span: Span, words: int) -> Span:
        """The first words of a span."""
        cuts = [cut for cut in range(span[0] + 1, span[1] + 1) if self._word_ends_at(cut)]
        ends = (cut for cut in cuts if self._count_words((span[0], cut)) >= words)
        return span[0], next(ends, span[1])

    def _last_words(self, span: Span, words: int) -> Span:
        cuts = [cut for cut in range(span[1] - 1, span[0] - 1, -1) if self._word_ends_at(cut)]
        starts = (cut for cut in cuts if self._count_words((cut, span[1])) >= words)
        return next(starts, span[0]), span[1]

    def _count_words(self, span: Span) -> int:
        """The words of a span; a long word, as in a script without spaces, counts as several."""
        total, start = 0, span[0]
        for cut in range(span[0] + 1, span[1] + 1):
            if cut == span[1] or self._word_ends_at(cut):
                length = self._spans[cut - 1][1] - self._spans[start][0]
                total, start = total + 1 + length // LONG_WORD, cut
        return total

    def _word_ends_at(self, place: int) -> bool:
        """Whether a word ends before this piece."""
        if place in (0, len(self._pieces)):
            return True
        before, here = self._spans[place - 1], self._spans[place]
        return before[1] < here[0] or self._pieces[place - 1] in WORD_ENDING_SIGNS | {GAP}

    def _encode_span(self, span: Span) -> str:
        if span == NOTHING:
            return ""
        words = self._text[self._spans[span[0]][0] : self._spans[span[1] - 1][1]]
        return quote(" ".join(words.split()), safe="").replace("-", "%2D")


@lru_cache(maxsize=4)
def _parse_page(text: str) -> _Page:
    return _Page(text)


def _is_word(piece: str) -> bool:
    """Whether the piece is part of a word, and not a sign or a gap."""
    return unicodedata.category(piece[0])[0] in "LNM"
