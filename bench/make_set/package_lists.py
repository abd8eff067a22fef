"""Which packages may not be used: those that are reserved, and those that were used before."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from forager.errors import UsageError

BENCH = Path(__file__).parent.parent
OWN_LISTS = (
    BENCH / "ranker" / "questions" / "sites.toml",
    BENCH / "make_set" / "used.txt",
    BENCH / "make_set" / "questions" / "packages.toml",
)
"""The lists of packages that the project's own questions are about."""
VERSION = re.compile(r"-?\d[\d.]*$")
PARTS = re.compile("data|docs?|common|guide|help|html|manuals?|te?xt")
LANGUAGES = re.compile(
    "br|ca|cn|cs|da|de|el|en|es|et|eu|fi|fr|gl|hu|id|it|ja|ko|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sv|tr|tw"
    "|uk|vi|zh"
)


def package_stem(name: str) -> str:
    """The name without version, language and part: gimp-help-de and gimp-help-en have one stem."""
    words = [VERSION.sub("", word) or word for word in VERSION.sub("", name.lower()).split("-")]
    while len(words) > 1 and (PARTS.fullmatch(words[-1]) or LANGUAGES.fullmatch(words[-1])):
        words.pop()
    return "-".join(words)


def read_packages(path: Path) -> list[str]:
    """The packages or sites that a file names. Raises UsageError.

    A TOML file has a table for each, a file of JSON lines has questions with their sites, any other
    file has a name on each line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix == ".toml":
            tables = tomllib.loads(text)
            return [str(table.get("package", name)) for name, table in tables.items()]
        if path.suffix == ".jsonl":
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
            return [site for row in rows for site in row.get("sites") or [row["site"]]]
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise UsageError(
            f"{path} cannot be read as a list of packages: {error}.",
            "Name a TOML file of sites, a file of questions, or a text file with a name per line.",
        ) from error
    return [line.split()[0] for line in text.splitlines() if line.strip() and line[0] != "#"]


def read_lists(paths: Iterable[Path]) -> dict[str, Path]:
    """The packages of several files, each with its file. Raises UsageError."""
    return {name: path for path in paths for name in read_packages(path)}


def refuse_known(package: str, reserved: Mapping[str, Path], used: Mapping[str, Path]) -> None:
    """Raise UsageError for a package, or a translation or version of it, that a list names."""
    stem = package_stem(package)
    for listed, why in ((reserved, "is reserved"), (used, "was used before")):
        for name, path in listed.items():
            if package_stem(name) == stem:
                same = "" if name == package else f" ({package} has the same pages)"
                raise UsageError(
                    f"{name} {why}{same}: {path} names it.", "Choose a package in no list."
                )
