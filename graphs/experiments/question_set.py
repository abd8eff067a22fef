"""Question sets: JSON lines with gold answers and pages, and the addresses of their sites."""

import json
import random
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from pydantic import ConfigDict, Field, ValidationError, model_validator

from forager.domain import urls
from forager.domain.base import Frozen
from forager.errors import UsageError
from forager.settings import Settings
from forager.util.suggest import did_you_mean

Sites = dict[str, str]
"""The root address of each site, by the id that records use."""


class GoldPage(Frozen):
    """A page with the answer or a part of it, and the words that give it."""

    site: str
    path: str
    quote: str = ""

    def key(self, sites: Sites) -> str:
        """The page's identity where its site is served (see forager.domain.urls)."""
        return urls.page_key(urljoin(sites[self.site], self.path))


class Record(Frozen):
    """A question with its gold; of a conversation, the first of its `turns`.

    A gold string may hold alternatives separated by `|`. Without gold, no page has the answer.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    type: str
    sites: tuple[str, ...] = Field(min_length=1)
    question: str
    answer: tuple[str, ...] = ()
    pages: tuple[GoldPage, ...] = ()
    turns: int = 1

    @model_validator(mode="before")
    @classmethod
    def _first_turn(cls, data: Any) -> Any:
        turns = data.get("turns") if isinstance(data, dict) else None
        return data if not turns else {**data, **turns[0], "turns": len(turns)}

    def gold_keys(self, sites: Sites) -> tuple[str, ...]:
        """The identities of the gold pages, without duplicates."""
        return tuple(dict.fromkeys(page.key(sites) for page in self.pages))


def load_records(path: Path) -> tuple[Record, ...]:
    """The records of a question file. Raises UsageError with the line of a fault."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", "Name a question file.") from error
    found = [
        _parse_record(line, f"{path}, line {n}") for n, line in enumerate(lines, 1) if line.strip()
    ]
    if not found:
        raise UsageError(f"{path} has no questions.", "Write one JSON object per line.")
    seen: set[str] = set()
    for record in found:
        if record.id in seen:
            raise UsageError(f"{path} has the id {record.id!r} twice.", "Rename one.")
        seen.add(record.id)
    return tuple(found)


def _parse_record(line: str, where: str) -> Record:
    try:
        return Record.model_validate(json.loads(line))
    except (json.JSONDecodeError, ValidationError) as error:
        fault = error.errors()[0] if isinstance(error, ValidationError) else None
        place = ".".join(map(str, fault["loc"])) if fault else ""
        why = f"{place}: {fault['msg']}".lstrip(": ") if fault else str(error)
        raise UsageError(f"{where} is not a question: {why}.", "Correct the line.") from error


def choose_records(
    records: Sequence[Record], types: Collection[str] = (), limit: int = 0, seed: int = 0
) -> tuple[Record, ...]:
    """The records of these types (none: of all types), in file order.

    Of more than `limit`, as many are drawn at random; 0 is no limit. Raises UsageError for a type
    that no record has.
    """
    known = dict.fromkeys(record.type for record in records)
    for name in types:
        if name not in known:
            raise UsageError(f"No question is of type {name!r}.", did_you_mean(name, known))
    wanted = [record for record in records if not types or record.type in types]
    if not limit or limit >= len(wanted):
        return tuple(wanted)
    drawn = sorted(random.Random(seed).sample(range(len(wanted)), limit))
    return tuple(wanted[number] for number in drawn)


def read_sites(text: str) -> Sites:
    """Sites from `id=address,…`, or from a file with an id and an address on each line.

    Raises UsageError.
    """
    path = Path(text)
    if "=" in text and not path.is_file():
        pairs = [item.partition("=")[::2] for item in text.split(",") if item.strip()]
    else:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"There is no file of sites {text!r}.", "Or write them: id=address,id=address"
            ) from error
        kept = [line.split() for line in lines if line.strip() and line.lstrip()[0] != "#"]
        pairs = [(words[0], words[1] if len(words) > 1 else "") for words in kept]
    return {name.strip(): _site_address(name.strip(), address.strip()) for name, address in pairs}


def _site_address(name: str, address: str) -> str:
    if not name or "://" not in address:
        raise UsageError(
            f"The site {name!r} has the address {address!r}.", "Write it as id=https://host/path"
        )
    return urls.canonical_url(address)


def allow_sites(settings: Settings, sites: Sites) -> Settings:
    """The settings with these sites allowed even at private addresses."""
    hosts = dict.fromkeys(urlsplit(site).hostname or "" for site in sites.values())
    return settings.model_copy(update={"allow_private": (*settings.allow_private, *hosts)})


def refuse_unserved(records: Sequence[Record], sites: Sites) -> None:
    """Raise UsageError if a question is about a site without an address."""
    for record in records:
        for name in (*record.sites, *(page.site for page in record.pages)):
            if name not in sites:
                hint = did_you_mean(name, sites) or "Add it to --sites."
                raise UsageError(
                    f"The question {record.id} is about {name!r}, which has no address.", hint
                )
