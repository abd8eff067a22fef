"""Parses conditions such as `open == 0 and (quotes >= 3 or kind == "date")`. No code is run.

condition  = all-of {"or" all-of}
all-of     = one {"and" one}
one        = "not" one | value [("==" | "!=" | "<" | "<=" | ">" | ">=") value]
value      = number | "text" | 'text' | true | false | figure | "(" condition ")"
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple, NoReturn

from forager.errors import ConditionError

Value = bool | int | float | str
"""What a figure, a literal or a comparison is."""
MAX_LENGTH = 1000
MAX_DEPTH = 25
COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
WORDS = ("and", "or", "not", "true", "false")
STRING = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
TOKEN: Final = re.compile(
    rf"\s*(?:(?P<number>-?\d+(?:\.\d+)?)(?![\w.])|(?P<text>{STRING})|"
    r"(?P<name>[A-Za-z_]\w*)|(?P<sign>==|!=|<=|>=|<|>|\(|\)))",
    re.DOTALL,
)
REFERENCE: Final = re.compile(rf"{STRING}|\$([a-z][a-z0-9_]*)", re.DOTALL)
"""A reference to a parameter, unless it stands in a quoted text."""
FOREIGN: Final = {
    "=": "Write == to compare.",
    "&": "Write `and`.",
    "|": "Write `or`.",
    "!": "Write `not`, or != for “is not”.",
    "“": 'Use straight quotes: "text".',
    "„": 'Use straight quotes: "text".',
    "‘": 'Use straight quotes: "text".',
    '"': "Close the text with the same quote.",
    "'": "Close the text with the same quote.",
    "$": "A parameter's name has lower-case letters, digits and _, and begins with a letter.",
}
OPERATORS = "Known are ==, !=, <, <=, >, >=, and, or, not and brackets; nothing is calculated."


@dataclass(frozen=True)
class Literal:
    """A number, a text, true or false."""

    value: Value
    place: int


@dataclass(frozen=True)
class Named:
    """A figure of the state."""

    name: str
    place: int


@dataclass(frozen=True)
class Comparison:
    """Two values with a sign of `COMPARISONS` between them."""

    left: "Tree"
    sign: str
    right: "Tree"
    place: int


@dataclass(frozen=True)
class Negation:
    """`not` and what it negates."""

    of: "Tree"
    place: int


@dataclass(frozen=True)
class Joined:
    """Conditions with `and` or `or` between them."""

    word: str
    items: tuple["Tree", ...]
    place: int


Tree = Literal | Named | Comparison | Negation | Joined


class Token(NamedTuple):
    """A piece of a text: a number, a text, a name or a sign; the last one is the end."""

    kind: str
    text: str
    place: int


def parse_tree(text: str) -> Tree:
    """The condition in a text; places are counted from 1. Raises ConditionError."""
    if len(text) > MAX_LENGTH:
        raise ConditionError(
            f"It is longer than {MAX_LENGTH} characters.", "Divide it into several cases.", 1
        )
    parser = _Parser(list(_split_tokens(text)))
    tree = parser.read_any(0)
    parser.expect_end()
    return tree


def quote_value(value: Value) -> str:
    """A value as it is written in a condition."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    digits = f"{Decimal(repr(value)):f}"
    return digits if isinstance(value, int) or "." in digits else f"{digits}.0"


def _split_tokens(text: str) -> Iterator[Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            _refuse_character(text, at)
        yield Token(found.lastgroup, found[found.lastgroup], found.start(found.lastgroup) + 1)
        at = found.end()
    yield Token("end", "", end + 1)


def _refuse_character(text: str, at: int) -> NoReturn:
    at += len(text[at:]) - len(text[at:].lstrip())
    if found := re.compile(r"-?\d[\w.]*").match(text, at):
        raise ConditionError(
            f"{found[0]!r} is not a number.",
            "Write it with digits, such as 3 or 0.5, without a unit.",
            at + 1,
        )
    raise ConditionError(
        f"{text[at]!r} has no meaning here.", FOREIGN.get(text[at], OPERATORS), at + 1
    )


class _Parser:
    """Reads tokens from left to right; `or` binds weakest, then `and`, then `not`."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self, *texts: str) -> Token | None:
        """The next token if it is one of these words or signs."""
        token = self.next
        if token.kind not in {"name", "sign"} or token.text not in texts:
            return None
        self.at += 1
        return token

    def read_any(self, depth: int) -> Tree:
        return self._read_joined("or", depth)

    def _read_joined(self, word: str, depth: int) -> Tree:
        def read_item() -> Tree:
            return self._read_joined("and", depth) if word == "or" else self._read_one(depth)

        items, place = [read_item()], self.next.place
        while self.take(word):
            items.append(read_item())
        return items[0] if len(items) == 1 else Joined(word, tuple(items), place)

    def _read_one(self, depth: int) -> Tree:
        self._refuse_depth(depth)
        if token := self.take("not"):
            return Negation(self._read_one(depth + 1), token.place)
        left = self._read_value(depth)
        if sign := self.take(*COMPARISONS):
            right = self._read_value(depth)
            if self.next.text in COMPARISONS and self.next.kind == "sign":
                raise ConditionError(
                    f"{self.next.text!r} follows another comparison.",
                    "Join two comparisons with `and`, such as 1 < open and open < 4.",
                    self.next.place,
                )
            return Comparison(left, sign.text, right, sign.place)
        return left

    def _read_value(self, depth: int) -> Tree:
        token = self.next
        if opened := self.take("("):
            self._refuse_depth(depth)
            tree = self.read_any(depth + 1)
            if not self.take(")"):
                raise ConditionError("A bracket is not closed.", "Add the ).", opened.place)
            return tree
        self.at += 1
        if token.kind == "number":
            number = token.text
            return Literal(float(number) if "." in number else int(number), token.place)
        if token.kind == "text":
            return Literal(re.sub(r"\\(.)", r"\1", token.text[1:-1], flags=re.S), token.place)
        if token.text in {"true", "false"} and token.kind == "name":
            return Literal(token.text == "true", token.place)
        if token.kind == "name" and token.text not in WORDS:
            return Named(token.text, token.place)
        what = (
            f"{token.text!r} stands where a figure or a value should be."
            if token.text
            else "It ends where a figure or a value should be."
        )
        raise ConditionError(what, "For example: open == 0.", token.place)

    def expect_end(self) -> None:
        token = self.next
        if token.kind == "end":
            return
        if token.text == ")":
            raise ConditionError("A ) has no bracket before it.", "Remove it.", token.place)
        if token.text.lower() in WORDS:
            raise ConditionError(
                f"{token.text!r} is not known.", f"Write {token.text.lower()}.", token.place
            )
        raise ConditionError(
            f"{token.text!r} stands after the end of a comparison.",
            "Join comparisons with `and` or `or`; put a text in quotes.",
            token.place,
        )

    def _refuse_depth(self, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise ConditionError(
                f"It has more than {MAX_DEPTH} brackets or `not` inside each other.",
                "Divide it into several cases.",
                self.next.place,
            )
