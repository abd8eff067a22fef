"""The form of a package: a TOML file to fill in, beside the texts of the sampled pages."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.make_set.set_questions import FORMS
from bench.make_set.site_pages import SitePages
from forager.domain.documents import Document
from forager.errors import UsageError
from forager.text.languages import page_language

TEXTS = "pages"
HEAD = """\
# Questions on {name}. Fill in an entry for each question; delete those that you do not need.
# Read the page in the file that the entry names, and ask what somebody would ask who has not seen
# it, in other words than the page's. `./run bench check-set` says what is wrong with an entry.
#
# type      single, multi (two pages), cross (two packages), table, number, yesno, howto, abstain
# lang      of the question: two letters
# answer    strings that an answer must have, a|b for alternatives; of yesno: ["no"], ["no|nein"]
# quote     the passage that answers, copied from the page's file
# derived   true if the answer is computed from the quotes and does not stand in them
# more      of multi and cross: [{{ page = "/other.html", quote = "…" }}]; of cross also site = "…"
# rare      of abstain, which has no answer and no quote: words of the question that no passage has
"""
ENTRY = """
# {title}: {words:,} words, in {text}
[[question]]
type = {type}
lang = {lang}
question = {question}
answer = {answer}
page = {page}
quote = {quote}
"""
EMPTY: Mapping[str, object] = {"type": "", "question": "", "answer": [], "quote": ""}

Filled = Mapping[str, object]
"""The fields of an entry that are known."""


def refuse_overwriting(folder: Path, name: str) -> None:
    """Raise UsageError if the package has a form: somebody may have filled it in."""
    form = folder / FORMS / f"{name}.toml"
    if form.exists():
        raise UsageError(f"{form} exists.", "Move it away, or name another folder with --out.")


def write_form(
    folder: Path, site: SitePages, paths: Sequence[str], filled: Mapping[str, Filled]
) -> Path:
    """Write the form of a site, and the texts of the pages at `paths` beside it.

    `filled` has what is known of the entries, by path. The file of the form is returned.
    """
    texts = folder / TEXTS / site.name
    shutil.rmtree(texts, ignore_errors=True)
    texts.mkdir(parents=True)
    entries = [HEAD.format(name=site.name)]
    for number, path in enumerate(paths, 1):
        page = site.pages[path]
        text = texts / f"{number:02}-{Path(path).stem}.md"
        text.write_text(page.text + "\n", encoding="utf-8")
        entries.append(_entry(page, path, text.relative_to(folder), filled.get(path, {})))
    form = folder / FORMS / f"{site.name}.toml"
    form.parent.mkdir(parents=True, exist_ok=True)
    form.write_text("".join(entries), encoding="utf-8")
    return form


def _entry(page: Document, path: str, text: Path, filled: Filled) -> str:
    given = {"lang": page_language(page.lang, page.text), **EMPTY, **filled, "page": path}
    fields = {key: _toml(value) for key, value in given.items()}
    title = " ".join((page.title or path).split())
    words = len(page.text.split())
    return ENTRY.format(title=title, words=words, text=text, **fields)


def _toml(value: object) -> str:
    """A text or a list of texts in TOML, which writes them as JSON does but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
