"""Makes the archive of an attack from an honest one, by what the attack's case says.

`entry` names the file that is changed. `body` is its new content, `replace` words in it, `drop` and
`set` are members of its JSON by path, `checkpoint` members of the first checkpoint, `values` those
of all stored values of a type. `bomb` names a value that becomes so many zero bytes, compressed,
`long` a text of so many letters, `deep` JSON of so many lists in lists, `repeat` an item that
stands so often in its list, `write` a value written to a channel and not yet in a checkpoint. With
`cycle` each checkpoint comes after itself. Of the ZIP file, `packing` and `flag` change.
The file may `add` entries and `many` empty ones, have an entry `twice`, and the first one `claims`
another size. `raw` is the whole file.
"""

import base64
import io
import json
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from forager.adapters.store.checkpoints.saver import PackedSerializer, types_within
from graphs.runtime.branches import JoiningState

CHANGES = {
    *("set", "drop", "bomb", "checkpoint", "values"),
    *("repeat", "write", "long", "deep", "cycle"),
}
FLAGS, SIZE = 8, 24
"""Where these stand in an entry of the directory."""
PACKINGS = {"bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA, "stored": zipfile.ZIP_STORED}


def attack_archive(data: bytes, case: Mapping[str, Any]) -> bytes:
    """The archive after the changes of a case."""
    if "raw" in case:
        return str(case["raw"]).encode("latin-1")
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        entries = {name: file.read(name) for name in file.namelist()}
    entry = case.get("entry", "")
    entries[entry] = change_entry(entries.get(entry, b""), case)
    entries |= {name: _as_bytes(body) for name, body in case.get("add", {}).items()}
    if not entry or case.get("absent"):
        del entries[entry]
    return _relabelled(_zipped(entries, case), case)


def change_entry(body: bytes, case: Mapping[str, Any]) -> bytes:
    """The content of an entry after the changes of a case."""
    if "body" in case:
        return _as_bytes(case["body"])
    for old, new in case.get("replace", {}).items():
        assert old.encode() in body, old
        body = body.replace(old.encode(), new.encode())
    if not CHANGES & set(case):
        return body
    told = json.loads(body)
    _change_json(told, case)
    return json.dumps(told).encode()


def _change_json(told: Any, case: Mapping[str, Any]) -> None:
    for path, value in case.get("set", {}).items():
        _set(told, path, value)
    _grow_json(told, case)
    if path := case.get("drop"):
        _inside(told, path, delete=True)
    if "checkpoint" in case:
        _change_checkpoint(told["steps"]["1"]["checkpoints"][0], case["checkpoint"])
    for row in told["steps"]["1"]["checkpoints"] if case.get("cycle") else ():
        row[2] = row[1]
    for name, change in case.get("values", {}).items():
        _change_values(told["steps"]["1"]["pieces"], name, change)


def _grow_json(told: Any, case: Mapping[str, Any]) -> None:
    for path, count in case.get("bomb", {}).items():
        _set(told, path, "b64:" + base64.b64encode(zlib.compress(b"\0" * count)).decode())
    for path, count in case.get("repeat", {}).items():
        place, key = _inside(told, path)
        place[key:key] = [place[key]] * (count - 1)
    for path, count in case.get("long", {}).items():
        _set(told, path, "x" * count)
    for path, count in case.get("deep", {}).items():
        nested = b'{"step":' + b"[" * count + b"]" * count + b"}"
        _set(told, path, "b64:" + base64.b64encode(nested).decode())
    for channel, body in case.get("write", {}).items():
        rows = told["steps"]["1"]
        last = rows["checkpoints"][-1][1]
        rows["writes"].append(["", last, "task", "", 0, channel, "msgpack", f"b64:{body}"])


def _as_bytes(body: str | Mapping[str, Any]) -> bytes:
    """Words, or words `times` a number."""
    if isinstance(body, Mapping):
        return str(body["words"]).encode() * int(body["times"])
    return body.encode()


def _inside(told: Any, path: str, *, delete: bool = False) -> tuple[Any, Any]:
    """The container of a path and the key in it."""
    *way, last = path.split("/")
    for name in way:
        told = told[int(name) if isinstance(told, list) else name]
    key: int | str = int(last) if isinstance(told, list) else last
    if delete:
        del told[key]
    return told, key


def _set(told: Any, path: str, value: Any) -> None:
    place, key = _inside(told, path)
    if isinstance(place, list) and key == len(place):
        place.append(value)
    else:
        place[key] = value


def _change_checkpoint(row: list[Any], change: Mapping[str, Any]) -> None:
    serde = PackedSerializer(())
    checkpoint = serde.loads_typed((row[3], base64.b64decode(row[4].removeprefix("b64:"))))
    kind, body = serde.dumps_typed({**checkpoint, **change})
    row[3:5] = [kind, "b64:" + base64.b64encode(body).decode()]


def _change_values(pieces: list[list[Any]], name: str, change: Mapping[str, Any]) -> None:
    serde, changed = PackedSerializer(types_within(JoiningState)), 0
    for row in pieces:
        value = serde.loads_typed((row[1], base64.b64decode(row[2].removeprefix("b64:"))))
        if type(value).__name__ == name:
            kind, body = serde.dumps_typed(_changed_model(value, change))
            row[1:] = [kind, "b64:" + base64.b64encode(body).decode()]
            changed += 1
    assert changed, name


def _changed_model(value: BaseModel, change: Mapping[str, Any]) -> BaseModel:
    update: dict[str, Any] = {}
    for name, new in change.items():
        if isinstance(new, Mapping):
            update[name] = (had := getattr(value, name)) and _changed_model(had, new)
        else:
            update[name] = tuple(new) if isinstance(new, list) else new
    return value.model_copy(update=update)


def _zipped(entries: Mapping[str, bytes], case: Mapping[str, Any]) -> bytes:
    body = io.BytesIO()
    packing = PACKINGS.get(case.get("packing", ""), zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(body, "w", packing, compresslevel=1) as file:
        for name, content in entries.items():
            file.writestr(name, content)
        with warnings.catch_warnings(action="ignore"):  # zipfile tells of a second one
            for name in [case["twice"]] if "twice" in case else []:
                file.writestr(name, entries[name])
        for number in range(case.get("many", 0)):
            file.writestr(f"blobs/{number}", b"")
    return body.getvalue()


def _relabelled(data: bytes, case: Mapping[str, Any]) -> bytes:
    """The archive with another flag and size of its first entry, as the directory has them."""
    changed = bytearray(data)
    entry = data.index(b"PK\x01\x02")
    changed[entry + FLAGS] |= case.get("flag", 0)
    if "claims" in case:
        changed[entry + SIZE : entry + SIZE + 4] = int(case["claims"]).to_bytes(4, "little")
    return bytes(changed)
