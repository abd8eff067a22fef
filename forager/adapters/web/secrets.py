"""Secrets: typed or sent where {{name}} stands, and masked everywhere else."""

import html
import json
import re
import stat
import sys
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import quote, quote_plus, urlsplit

from pydantic import SecretStr, TypeAdapter, ValidationError

from forager.browsing.page.gates import PLACEHOLDER
from forager.domain.base import Frozen
from forager.errors import ActionError, UsageError
from forager.util.yaml_reader import read_yaml

SHORTEST: Final = 4
"""A shorter value is part of too many words; masking it would garble texts."""
DOT: Final = "•"
FORMAT_HINT: Final = "Write it as `name: {domain: example.org, value: …}`, one secret a line."


class Secret(Frozen):
    """A value to type or send, and the domain (with its subdomains) that may get it."""

    domain: str
    value: SecretStr

    def belongs_to(self, url: str) -> bool:
        """May a frame at this URL get it?"""
        host = (urlsplit(url).hostname or "").lower().rstrip(".")
        domain = self.domain.lower().strip(".")
        return bool(domain) and (host == domain or host.endswith(f".{domain}"))


SECRETS_ADAPTER: Final = TypeAdapter(dict[str, Secret])


class Secrets:
    """The secrets of a run; without any, texts stay unchanged."""

    def __init__(self, known: Mapping[str, Secret] | None = None) -> None:
        self._known = dict(known or {})
        spelled = [
            (spelling, name)
            for name, secret in self._known.items()
            for spelling in _spellings_of(secret.value.get_secret_value())
        ]
        self._spelled = sorted(set(spelled), key=lambda pair: -len(pair[0]))

    def plain_values(self) -> tuple[str, ...]:
        """The values in plain text."""
        return tuple(secret.value.get_secret_value() for secret in self._known.values())

    def names_for(self, url: str) -> tuple[str, ...]:
        """The names of the secrets that a page at `url` may get; none over http but loopback."""
        if not is_confidential(url):
            return ()
        return tuple(name for name, secret in self._known.items() if secret.belongs_to(url))

    def reveal(self, text: str, url: str) -> str:
        """Fill in the placeholders of a text for a frame at `url`. Raises ActionError."""
        return (
            PLACEHOLDER.sub(lambda found: self._fill_placeholder(found, url), text)
            if self._known
            else text
        )

    def mask(self, text: str) -> str:
        """Replace secrets in a text by their placeholders."""
        for spelling, name in self._spelled:
            if spelling in text:
                text = text.replace(spelling, f"{{{{{name}}}}}")
        return text

    def mask_cut(self, text: str) -> str:
        """The same for a text that may have been cut off within a secret."""
        text = self.mask(text)
        for spelling, name in self._spelled:
            for length in range(min(len(spelling) - 1, len(text)), SHORTEST - 1, -1):
                if text.endswith(spelling[:length]):
                    return f"{text[:-length]}{{{{{name}}}}}"
        return text

    def blot_out(self, text: str) -> str:
        """Replace secrets by dots, which keeps the length of the text and all offsets."""
        for spelling, _ in self._spelled:
            if spelling in text:
                text = text.replace(spelling, DOT * len(spelling))
        return text

    def _fill_placeholder(self, found: re.Match[str], url: str) -> str:
        secret = self._known.get(found[1])
        if secret is None:
            names = ", ".join(f"{{{{{name}}}}}" for name in self.names_for(url)) or "none"
            raise ActionError(f"There is no secret {found[0]}.", f"Secrets for this page: {names}.")
        if not secret.belongs_to(url):
            host = urlsplit(url).hostname or "a page without a host"
            mend = f"It is only for {secret.domain}."
            raise ActionError(f"The secret {found[0]} must not be sent to {host}.", mend)
        if not is_confidential(url):
            raise ActionError(
                f"The secret {found[0]} must not be sent to {url}, which is not encrypted.",
                "Use https.",
            )
        return secret.value.get_secret_value()


def read_secrets(path: Path | None) -> Secrets:
    """Read the secrets from a YAML file; without a file there are none. Raises UsageError."""
    if path is None:
        return Secrets()
    try:
        mode = path.stat().st_mode
        told, _ = read_yaml(path.read_text(encoding="utf-8"), str(path), UsageError)
        known = SECRETS_ADAPTER.validate_python(told or {})
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The secrets file {path} cannot be read.", "Check the path.") from error
    except UsageError:  # its message may quote a secret
        raise UsageError(f"The secrets file {path} is not valid YAML.", FORMAT_HINT) from None
    except ValidationError as error:
        named = (str(each["loc"][0]) for each in error.errors() if each["loc"])
        faulty = ", ".join(dict.fromkeys(named)) or "it needs names with a domain and a value each"
        raise UsageError(
            f"The secrets file {path} is not as expected: {faulty}.", FORMAT_HINT
        ) from None
    if sys.platform != "win32" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"Other users can read the secrets file {path}.", f"Run: chmod 600 {path}")
    short = [name for name, each in known.items() if len(each.value.get_secret_value()) < SHORTEST]
    if short:
        mend = f"Use at least {SHORTEST} characters."
        raise UsageError(f"{', '.join(short)} in {path}: too short to be masked.", mend)
    return Secrets(known)


def is_confidential(url: str) -> bool:
    """Can no one listen to what is sent to a URL? That is so for https, and on this machine."""
    parts = urlsplit(url)
    try:
        loopback = ip_address(parts.hostname or "").is_loopback
    except ValueError:
        loopback = (parts.hostname or "") == "localhost"
    return parts.scheme == "https" or (parts.scheme == "http" and loopback)


def _spellings_of(value: str) -> set[str]:
    """How a value may be spelled in a page, a URL, a form, JSON or YAML."""
    plain = {value, " ".join(value.split()), value.strip()}
    spellings = (
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
    return {spelling for spelling in spellings if len(spelling) >= SHORTEST}
