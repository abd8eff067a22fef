"""Which endpoints failed when they were last asked with the present key; `auto` takes none."""

import json
from contextlib import suppress
from hashlib import sha256

from pydantic import SecretStr

from forager.settings import Settings
from forager.util.files import atomic_write, locked

FILE = "endpoints.json"
MOST = 50


def note_trial(url: str, key: SecretStr | None, settings: Settings, fault: str) -> None:
    """Keep why an endpoint failed with a key, which is not kept itself; no fault ends that."""
    name = _name_trial(url, key)
    faults = _read_faults(settings)
    if faults.get(name, "") == fault or not settings.data.is_dir():
        return
    path = settings.data / FILE
    with suppress(OSError), locked(path), atomic_write(path) as fresh:
        kept = {each: why for each, why in _read_faults(settings).items() if each != name}
        newest = {**kept, **({name: fault} if fault else {})}
        fresh.write_text(json.dumps(dict(list(newest.items())[-MOST:]), indent=1), "utf-8")


def last_fault_of(url: str, key: SecretStr | None, settings: Settings) -> str:
    """Why the last trial of an endpoint with this key failed; empty if it did not."""
    return _read_faults(settings).get(_name_trial(url, key), "")


def _name_trial(url: str, key: SecretStr | None) -> str:
    secret = key.get_secret_value() if key else ""
    return sha256(f"{url.rstrip('/')}\0{secret}".encode()).hexdigest()


def _read_faults(settings: Settings) -> dict[str, str]:
    with suppress(OSError, ValueError):
        found = json.loads((settings.data / FILE).read_text("utf-8"))
        if isinstance(found, dict):
            return {str(name): str(fault) for name, fault in found.items()}
    return {}
