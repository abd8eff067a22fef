"""Questions of a set as they are written: in the forms of a folder, or as JSON lines."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from forager.domain.base import Frozen
from forager.errors import UsageError

FORMS = "forms"
TABLE = re.compile(r"^\[\[question\]\]", re.M)
HALVES = ("first.jsonl", "second.jsonl")


class QuotedPage(Frozen):
    """A page and its words that answer; in a form, the site may be that of the form."""

    site: str = ""
    path: str
    quote: str


class Question(Frozen):
    """A question, its gold, and the line of the file that it begins on.

    Each string of `answer` must be in an answer, `a|b` are alternatives. `derived` answers are
    computed from the quotes. `rare` are the words of a question without an answer that no passage
    has together.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    type: str = ""
    sites: tuple[str, ...] = Field(min_length=1)
    question: str
    answer: tuple[str, ...] = ()
    pages: tuple[QuotedPage, ...] = ()
    lang: str = ""
    derived: bool = False
    rare: tuple[str, ...] = ()
    file: str = Field("", exclude=True)
    line: int = Field(0, exclude=True)

    @property
    def golds(self) -> tuple[tuple[str, ...], ...]:
        """The alternatives of each string of the answer."""
        return tuple(tuple(gold.split("|")) for gold in self.answer)

    @property
    def where(self) -> str:
        """The place to look for it."""
        return f"{self.file}:{self.line}: {self.id}"


def load_questions(folder: Path) -> list[Question]:
    """The questions of a folder: of its forms or, without any, of its JSON lines.

    Entries of forms without a question are left out. Raises UsageError.
    """
    forms = sorted((folder / FORMS).glob("*.toml"))
    if forms:
        return [one for path in forms for one in _read_form(path)]
    lines = [folder / name for name in HALVES if (folder / name).exists()]
    if not lines:
        raise UsageError(
            f"{folder} has no forms and no questions.", "Name a folder of `bench make-set`."
        )
    return [one for path in lines for one in _read_lines(path)]


def write_questions(path: Path, questions: Iterable[Question]) -> None:
    """Write questions as JSON lines, in the form that `bench run questions` reads."""
    rows = [
        one.model_dump(mode="json", exclude=set() if one.rare else {"rare"}) for one in questions
    ]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _read_lines(path: Path) -> Iterator[Question]:
    for number, line in enumerate(_read_text(path).splitlines(), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError as error:
                raise UsageError(f"{path}:{number} is not JSON: {error}.", "Correct it.") from error
            yield _parse_question(row, path, number)


def _read_form(path: Path) -> Iterator[Question]:
    text = _read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(
            f"{path} is not TOML: {error}.", 'Correct that line; quotes in text are written \\".'
        ) from error
    lines = [text.count("\n", 0, match.start()) + 1 for match in TABLE.finditer(text)]
    tables = data.get("question") or []
    if len(lines) != len(tables):
        raise UsageError(f"{path} has other tables.", "Begin each question with [[question]].")
    for number, (line, table) in enumerate(zip(lines, tables, strict=True), 1):
        if str(table.get("question", "")).strip():
            yield _parse_question(_as_row(table, path.stem, number), path, line)


def _as_row(table: Mapping[str, Any], site: str, number: int) -> dict[str, Any]:
    """An entry of a form as a record: its page first, then those of `more`."""
    row = {key: value for key, value in table.items() if key not in {"page", "quote", "more"}}
    pages = [{"path": table.get("page", ""), "quote": table.get("quote", "")}, *_more(table)]
    quoted = [{"site": site, **page} for page in pages if page.get("quote")]
    sites = dict.fromkeys([site, *(page["site"] for page in quoted)])
    return {"id": f"{site}-{number:02}", "sites": list(sites), "pages": quoted, **row}


def _more(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The further pages of an entry, in which `page` is called `path` in records."""
    found = []
    for each in table.get("more") or []:
        page = dict(each) if isinstance(each, dict) else {"page": str(each)}
        page["path"] = page.pop("page", "")
        found.append(page)
    return found


def _parse_question(row: object, path: Path, line: int) -> Question:
    try:
        if not isinstance(row, dict):
            raise TypeError("it is no object")
        return Question.model_validate({**row, "file": str(path), "line": line})
    except (TypeError, ValidationError) as error:
        fault = error.errors()[0] if isinstance(error, ValidationError) else None
        place = ".".join(map(str, fault["loc"])) if fault else ""
        why = f"{place}: {fault['msg']}".lstrip(": ") if fault else str(error)
        raise UsageError(
            f"{path}:{line} is not a question: {why}.", "Correct or delete it."
        ) from error


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", "Write it in UTF-8.") from error
