"""The password of the web UI, kept as an scrypt hash in the data folder."""

import hashlib
import hmac
import secrets
from pathlib import Path

from forager.errors import StoreError, UsageError
from forager.util.files import atomic_write

FILE = "ui-password"
SHORTEST = 10
"""Characters of the shortest password."""
COST = 2**15, 8, 1
"""scrypt's n, r and p: 32 MB and a tenth of a second (OWASP's second choice)."""
MAX_MEMORY = 64 * 2**20


def hash_password(password: str) -> str:
    """The hash to keep of a password. Raises UsageError for one that is too short."""
    if len(password) < SHORTEST:
        raise UsageError("The password is too short.", f"Use {SHORTEST} characters or more.")
    salt = secrets.token_bytes(16)
    n, r, p = COST
    return f"scrypt${n}${r}${p}${salt.hex()}${_hash(password, salt, *COST).hex()}"


def save_password(folder: Path, password: str) -> None:
    """Set the password. Raises UsageError for one that is too short, and StoreError."""
    line = hash_password(password)
    path = folder / FILE
    try:
        with atomic_write(path) as fresh:
            fresh.write_text(f"{line}\n", encoding="ascii")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Make it writable.") from error


def read_hash(folder: Path) -> str | None:
    """The hash of the password, or None if none is set. Raises StoreError."""
    path = folder / FILE
    try:
        line = path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}.", "Set the password again.") from error
    if len(line.split("$")) != len(("scrypt", *COST, "salt", "hash")):
        raise StoreError(
            f"{path} does not hold a password.", "Set it again: ./run ui --set-password."
        )
    return line


def matches_hash(password: str, line: str) -> bool:
    """Whether this is the password of the hash."""
    _, n, r, p, salt, wanted = line.split("$")
    found = _hash(password, bytes.fromhex(salt), int(n), int(r), int(p))
    return hmac.compare_digest(found, bytes.fromhex(wanted))


def _hash(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=MAX_MEMORY, dklen=32)
