"""The password of the web UI: kept as an scrypt hash in the data folder."""

import hashlib
import hmac
import secrets
from pathlib import Path

from forager.errors import StoreError, UsageError
from forager.util.files import placed

NAME = "ui-password"
LEAST = 10
"""Characters that a password has at the least."""
COST = 2**15, 8, 1
"""scrypt's n, r and p: 32 MB and a tenth of a second (OWASP's second choice)."""
MOST_MEMORY = 64 * 2**20


def keep(folder: Path, password: str) -> None:
    """Set the password. Raises UsageError for one that is too short, and StoreError."""
    if len(password) < LEAST:
        raise UsageError("The password is too short.", f"Take {LEAST} characters or more.")
    salt = secrets.token_bytes(16)
    n, r, p = COST
    line = f"scrypt${n}${r}${p}${salt.hex()}${_hash(password, salt, *COST).hex()}"
    path = folder / NAME
    try:
        with placed(path) as fresh:
            fresh.write_text(f"{line}\n", encoding="ascii")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Make it writable.") from error


def kept(folder: Path) -> str | None:
    """The hash of the password, or None where none is set. Raises StoreError."""
    path = folder / NAME
    try:
        line = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}.", "Set the password anew.") from error
    if len(line.split("$")) != len(("scrypt", *COST, "salt", "hash")):
        raise StoreError(f"{path} holds no password.", "Set it anew: ./run ui --set-password.")
    return line


def fits(password: str, line: str) -> bool:
    """Is it the password whose hash is kept?"""
    _, n, r, p, salt, wanted = line.split("$")
    found = _hash(password, bytes.fromhex(salt), int(n), int(r), int(p))
    return hmac.compare_digest(found, bytes.fromhex(wanted))


def _hash(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=MOST_MEMORY, dklen=32)
