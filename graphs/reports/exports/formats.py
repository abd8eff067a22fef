"""The formats of an export, the parts that each can have, and how its file is named."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args
from urllib.parse import quote

from forager.errors import UsageError
from forager.text.unicode import strip_invisible
from forager.util.suggest import did_you_mean

Part = Literal["answer", "sources", "evidence", "steps", "run"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)
"""The answer and what it leaves open, the quotes that it cites, all other quotes, the pages and
actions on the way to them, and the model, limits and spend."""
ALL: Final = "all"
TO_READ: Final[tuple[Part, ...]] = ("answer", "sources")
QUOTES: Final[tuple[Part, ...]] = ("sources", "evidence")


class Format(NamedTuple):
    """A format: its file names end in `.ending`; of the parts it can have it `usually` has some."""

    name: str
    ending: str
    media_type: str
    parts: tuple[Part, ...] = PARTS
    usually: tuple[Part, ...] = TO_READ


WORD: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
CSL: Final = "application/vnd.citationstyles.csl+json"
FORMATS: Final[Mapping[str, Format]] = {
    "md": Format("Markdown", "md", "text/markdown; charset=utf-8"),
    "json": Format("JSON", "json", "application/json", usually=PARTS),
    "csv": Format("CSV", "csv", "text/csv; charset=utf-8", ("answer", *QUOTES), PARTS),
    "html": Format("HTML", "html", "text/html; charset=utf-8"),
    "pdf": Format("PDF", "pdf", "application/pdf"),
    "docx": Format("Word", "docx", WORD),
    "bib": Format("BibTeX", "bib", "application/x-bibtex; charset=utf-8", QUOTES, ("sources",)),
    "ris": Format(
        "RIS", "ris", "application/x-research-info-systems; charset=utf-8", QUOTES, ("sources",)
    ),
    "csl": Format("CSL-JSON", "csl.json", CSL, QUOTES, ("sources",)),
}

MAX_NAME_BYTES = 120
"""Of a file name in UTF-8, without its ending; file systems take 255, some encrypted ones 143."""
RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=$|\.)", re.IGNORECASE
)
"""Names that mean a device on Windows, whatever their ending."""
WITHIN_A_WORD = re.compile(r"(?<=\w)['’`´](?=\w)")
KEPT_SIGNS = frozenset("._+-")


def find_format(name: str) -> Format:
    """The format of this name. Raises UsageError where there is none."""
    if name not in FORMATS:
        raise UsageError(f"There is no format {name!r}.", did_you_mean(name, FORMATS))
    return FORMATS[name]


def read_parts(text: str, format: str) -> tuple[Part, ...]:
    """The parts named in a text such as `answer,sources`, or `all`; without any, the usual ones.

    Raises UsageError for an unknown format or part, and for one that the format cannot have.
    """
    form = find_format(format)
    if not text.strip():
        return tuple(part for part in form.parts if part in form.usually)
    names = [name.strip().lower() for name in text.split(",")]
    if names == [ALL]:
        return form.parts
    for name in names:
        if name not in PARTS:
            known = f"The parts are {', '.join(PARTS)}; {ALL} names them all."
            raise UsageError(f"There is no part {name!r}.", known)
        if name not in form.parts:
            what = f"An export as {form.name} cannot have the part {name!r}."
            raise UsageError(what, f"It can have {', '.join(form.parts)}.")
    return tuple(part for part in form.parts if part in names)


def file_name(title: str, id: str, ending: str) -> str:
    """A file name from a title, valid on all systems and in a shell; from the id if none is left.

    Letters, digits and marks of all scripts stay, other signs become hyphens.
    """
    plain = WITHIN_A_WORD.sub("", unicodedata.normalize("NFC", strip_invisible(title)))
    signs = "".join(sign if _is_kept(sign) else "-" for sign in plain)
    joined = re.sub(r"\.{2,}", ".", re.sub(r"\.*-[.\-]*", "-", signs))
    stem = _cut_name(joined.strip(".-_+"), MAX_NAME_BYTES)
    if RESERVED.match(stem):
        stem = f"forager-{stem}"
    return f"{stem or f'forager-{id}'}.{ending}"


def _is_kept(sign: str) -> bool:
    return sign in KEPT_SIGNS or unicodedata.category(sign)[0] in "LMN"


def _cut_name(name: str, size: int) -> str:
    """At most `size` bytes of it, cut between words if there is a place in its second half."""
    data = name.encode("utf-8", "ignore")
    if len(data) <= size:
        return data.decode()
    cut = data[:size].decode("utf-8", "ignore")
    while cut and unicodedata.combining(name[len(cut)]):
        cut = cut[:-1]
    words = cut if name[len(cut)] == "-" else cut.rpartition("-")[0]
    return (words if len(words) > len(cut) // 2 else cut).rstrip(".-_+")


def content_disposition(name: str) -> str:
    """The header of an attachment of this name (RFC 6266), with a name in ASCII beside it."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"-{2,}", "-", re.sub(r"[^\w.+-]", "", plain)).strip("-")
    plain = plain if not plain.startswith(".") else f"forager{plain}"
    header = f'attachment; filename="{plain}"'
    return header if plain == name else f"{header}; filename*=UTF-8''{quote(name, safe='')}"
