"""Secrets: typed where an action says {{name}}, and nowhere else to be seen."""

import html
import json
import re
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote, quote_plus, urlsplit

from pydantic import SecretStr, TypeAdapter, ValidationError

from forager.browsing.page.gates import PLACEHOLDER
from forager.domain.base import Frozen
from forager.errors import ActionError, UsageError
from forager.util.yaml_reader import read_yaml

SHORTEST: Final = 4
"""A shorter value stands in words everywhere, and could not be hidden without garbling them."""
DOT: Final = "•"
FORMAT_HINT: Final = "Write it as `name: {domain: example.org, value: …}`, one secret a line."


class Secret(Frozen):
    """What is typed, and the domain whose pages may get it, with those below it."""

    domain: str
    value: SecretStr

    def belongs_to(self, url: str) -> bool:
        """May a frame at this address get it?"""
        host = (urlsplit(url).hostname or "").lower().rstrip(".")
        domain = self.domain.lower().strip(".")
        return bool(domain) and (host == domain or host.endswith(f".{domain}"))


SECRETS_ADAPTER: Final = TypeAdapter(dict[str, Secret])


class Secrets:
    """The secrets of a run; without any, texts pass as they are."""

    def __init__(self, known: Mapping[str, Secret] | None = None) -> None:
        self._known = dict(known or {})
        spelled = [
            (spelling, name)
            for name, secret in self._known.items()
            for spelling in _spellings_of(secret.value.get_secret_value())
        ]
        self._spelled = sorted(set(spelled), key=lambda pair: -len(pair[0]))

    def plain_values(self) -> tuple[str, ...]:
        """What must not be seen, in plain."""
        return tuple(secret.value.get_secret_value() for secret in self._known.values())

    def names_for(self, url: str) -> tuple[str, ...]:
        """The names of the secrets that a page may get."""
        return tuple(name for name, secret in self._known.items() if secret.belongs_to(url))

    def reveal(self, text: str, url: str) -> str:
        """The text with its placeholders filled, for a frame at `url`. Raises ActionError."""
        return (
            PLACEHOLDER.sub(lambda found: self._fill_placeholder(found, url), text)
            if self._known
            else text
        )

    def mask(self, text: str) -> str:
        """The text with placeholders in the place of secrets."""
        for spelling, name in self._spelled:
            if spelling in text:
                text = text.replace(spelling, f"{{{{{name}}}}}")
        return text

    def mask_cut(self, text: str) -> str:
        """The same for a text that was cut off, maybe within a secret."""
        text = self.mask(text)
        for spelling, name in self._spelled:
            for length in range(min(len(spelling) - 1, len(text)), SHORTEST - 1, -1):
                if text.endswith(spelling[:length]):
                    return f"{text[:-length]}{{{{{name}}}}}"
        return text

    def blot_out(self, text: str) -> str:
        """The text with dots in the place of secrets: its length, and places in it, stay."""
        for spelling, _ in self._spelled:
            if spelling in text:
                text = text.replace(spelling, DOT * len(spelling))
        return text

    def _fill_placeholder(self, found: re.Match[str], url: str) -> str:
        secret = self._known.get(found[1])
        if secret is None:
            names = ", ".join(f"{{{{{name}}}}}" for name in self.names_for(url)) or "none"
            raise ActionError(
                f"There is no secret {found[0]}.", f"For this page there are: {names}."
            )
        if not secret.belongs_to(url):
            host = urlsplit(url).hostname or "a page without a host"
            mend = f"It is for {secret.domain} alone."
            raise ActionError(f"The secret {found[0]} is not typed on {host}.", mend)
        return secret.value.get_secret_value()


def read_secrets(path: Path | None) -> Secrets:
    """The secrets of a file; none without a file. Raises UsageError."""
    if path is None:
        return Secrets()
    try:
        mode = path.stat().st_mode
        told, _ = read_yaml(path.read_text(encoding="utf-8"), str(path), UsageError)
        known = SECRETS_ADAPTER.validate_python(told or {})
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The secrets {path} cannot be read.", "Check the path.") from error
    except UsageError:  # which may quote what stands there
        raise UsageError(f"The secrets {path} are no YAML.", FORMAT_HINT) from None
    except ValidationError as error:
        named = (str(each["loc"][0]) for each in error.errors() if each["loc"])
        faulty = ", ".join(dict.fromkeys(named)) or "there are no names with a domain and a value"
        raise UsageError(
            f"The secrets {path} are not as expected: {faulty}.", FORMAT_HINT
        ) from None
    if sys.platform != "win32" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"Others may read the secrets {path}.", f"Run: chmod 600 {path}")
    short = [name for name, each in known.items() if len(each.value.get_secret_value()) < SHORTEST]
    if short:
        mend = f"{SHORTEST} characters are the least."
        raise UsageError(f"{', '.join(short)} in {path} would be too short to be hidden.", mend)
    return Secrets(known)


def _spellings_of(value: str) -> set[str]:
    """How a value may be written in a page, an address, a form, JSON or YAML."""
    plain = {value, " ".join(value.split()), value.strip()}
    ways = (
        *plain,
        *(quote(each, safe="") for each in plain),
        *(quote(each) for each in plain),
        *(quote_plus(each) for each in plain),
        *(html.escape(each) for each in plain),
        *(html.escape(each, quote=False) for each in plain),
        *(json.dumps(each)[1:-1] for each in plain),
        *(json.dumps(each, ensure_ascii=False)[1:-1] for each in plain),
        *(each.replace("'", "''") for each in plain),
    )
    return {way for way in ways if len(way) >= SHORTEST}
