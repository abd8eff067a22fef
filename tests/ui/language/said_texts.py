"""The texts that the web UI says, collected from its sources."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
SERVED = (ROOT / "ui/server/access/password_login.py", ROOT / "ui/server/shared_page.py")
"""Pages without a script of the browser's."""
PYTHON = sorted((*(ROOT / "ui" / "web").rglob("*.py"), *SERVED))
SCRIPTS = sorted(
    path
    for path in (ROOT / "ui" / "web" / "frontend" / "src").rglob("*.ts*")
    if path.name not in {"language.ts", "css.d.ts"}
)
SAYING = frozenset({"say", "later"})
STRING = r'"((?:[^"\\\n]|\\.)*)"'
SAID = re.compile(rf"(?<![.\w])(?:say|later|sayNodes)\(\s*{STRING}")
COUNTED = re.compile(rf'(?<![.\w])sayCount\([^"]*?{STRING},\s*{STRING}')
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def calls(path: Path) -> Iterator[ast.Call]:
    """The calls in a file of Python."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def called(call: ast.Call) -> str:
    """The name of what is called, without what it belongs to."""
    function = call.func
    return getattr(function, "attr", "") or getattr(function, "id", "")


def said_texts() -> tuple[set[str], set[str]]:
    """The texts, and those about a number."""
    plain: set[str] = set()
    counted: set[str] = set()
    for path in PYTHON:
        for call in calls(path):
            literals = [str(each.value) for each in call.args if isinstance(each, ast.Constant)]
            if called(call) in SAYING and literals:
                plain.add(literals[0])
            if called(call) == "say_count":
                counted.add(literals[-1])
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        plain.update(unescape(found) for found in SAID.findall(text))
        counted.update(unescape(many) for _, many in COUNTED.findall(text))
    return plain, counted


def unescape(literal: str) -> str:
    """A text of TypeScript as it is."""
    return re.sub(r"\\(.)", r"\1", literal)


def placeholders(text: str) -> set[str]:
    """The names in braces."""
    return set(PLACEHOLDER.findall(text))
