"""GGUF files in the data folder, which hold models: listed, fetched by address, removed."""

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx2

from forager.domain.base import Frozen
from forager.errors import ModelError, StoreError, UsageError
from forager.settings import Settings
from forager.util.files import locked, make_private_folder
from forager.util.suggest import did_you_mean

FOLDER = "models"
PROVIDER = "local"
"""The provider of these files in a model line: local:NAME, without the ending .gguf."""
LIBRARY = "xllamacpp"
"""llama.cpp in this process: the extra `local`."""
ENDING = ".gguf"
MAGIC = b"GGUF"
"""How such a file begins: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md."""
FILE_NAME = re.compile(r"\w[\w.-]*\.gguf", re.IGNORECASE)
CHUNK_BYTES = 1 << 20
SECONDS = 60.0
PARTIAL, WHOLE, BEYOND = 206, 200, 416

Report = Callable[[str, int, int], None]
"""Told of progress: what is done, and how many of how many bytes (0 if that is not known)."""


class ModelFile(Frozen):
    """A file of a model; `name` is without its ending."""

    name: str
    path: Path
    bytes: int


def list_files(data: Path) -> tuple[ModelFile, ...]:
    """The files in the data folder, the one changed last first."""
    found = [
        path
        for path in (data / FOLDER).glob("*")
        if FILE_NAME.fullmatch(path.name) and path.is_file()
    ]
    found.sort(key=lambda path: (-path.stat().st_mtime, path.name))
    return tuple(ModelFile(name=path.stem, path=path, bytes=path.stat().st_size) for path in found)


def find_file(data: Path, name: str) -> ModelFile:
    """The file of a model. Raises UsageError if there is none."""
    files = {each.name: each for each in list_files(data)}
    if name in files:
        return files[name]
    advice = did_you_mean(name, files) or "Fetch one: forager model pull ADDRESS"
    raise UsageError(f"There is no file {name}{ENDING} in {data / FOLDER}.", advice)


def check_file(data: Path, name: str) -> None:
    """Raise UsageError if there is no such file, or nothing that runs it."""
    find_file(data, name)
    if find_spec(LIBRARY) is None:
        raise UsageError(
            f"{PROVIDER}:{name} needs the extra `local`, llama.cpp.",
            f"Install it: uv pip install --python .venv/bin/python {LIBRARY}",
        )


def remove_file(data: Path, name: str) -> None:
    """Delete the file of a model. Raises UsageError if there is none, and StoreError."""
    path = find_file(data, name).path
    with _writing(path):
        path.unlink()


def fetch_file(url: str, sha256: str, settings: Settings, report: Report) -> ModelFile:
    """Fetch a file by its address; a transfer that broke off is continued.

    `sha256` in hex is what it must have, empty for any. Raises UsageError for an address or a hash
    that is none, ModelError for what cannot be fetched or is no such file, and StoreError.
    """
    name = _file_name(url)
    if urlsplit(url).scheme == "http" and not sha256:
        raise UsageError(
            f"{url} is not encrypted, so anybody on the way could change the file.",
            "Name what it must have with --sha256, or write https.",
        )
    if sha256 and not re.fullmatch(r"[0-9a-fA-F]{64}", sha256):
        raise UsageError("A SHA-256 has 64 hexadecimal digits.", "Copy it whole.")
    target = settings.data / FOLDER / name
    with _writing(target):
        make_private_folder(target.parent)
        with locked(target):
            part = target.with_name(f"{name}.part")
            _transfer(url, part, settings, report)
            _check_file(part, sha256, report)
            part.replace(target)
    return find_file(settings.data, target.stem)


def read_hash(path: Path) -> str:
    """The SHA-256 of a file in hex. Raises StoreError."""
    with _writing(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _file_name(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise UsageError(f"{url} is not an address.", f"It ends in {ENDING}.") from error
    name = unquote(parts.path).rpartition("/")[2]
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{url} is not an address.", "Write it as https://host/NAME.gguf.")
    if not FILE_NAME.fullmatch(name):
        raise UsageError(f"{url} names no file that ends in {ENDING}.", "Copy its address whole.")
    return name


def _transfer(url: str, part: Path, settings: Settings, report: Report) -> None:
    """Fetch what `part` does not have yet."""
    begun = part.stat().st_size if part.exists() else 0
    headers = {"range": f"bytes={begun}-", "accept-encoding": "identity"} if begun else {}
    host = urlsplit(url).netloc
    try:
        with (
            httpx2.Client(
                proxy=settings.proxy_for(url),
                trust_env=False,
                timeout=SECONDS,
                follow_redirects=True,
            ) as client,
            client.stream("GET", url, headers=headers) as response,
        ):
            if response.status_code == BEYOND:
                return  # it is all there
            if response.status_code not in (WHOLE, PARTIAL):
                raise ModelError(
                    f"{host} replied with HTTP {response.status_code}.", "Is it the right address?"
                )
            _write(response, part, begun if response.status_code == PARTIAL else 0, report)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise ModelError(
            f"The transfer from {host} broke off: {error or type(error).__name__}.",
            "Start it again: what is there already is kept.",
        ) from error


def _write(response: httpx2.Response, part: Path, begun: int, report: Report) -> None:
    length = int(response.headers.get("content-length") or 0)
    free = shutil.disk_usage(part.parent).free
    if length > free:
        raise StoreError(
            f"The file needs {length / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free in "
            f"{part.parent}.",
            "Make room, or set FORAGER_DATA to a folder on a larger disk.",
        )
    total, done = begun + length if length else 0, begun
    with part.open("ab" if begun else "wb") as file:
        for chunk in response.iter_bytes(CHUNK_BYTES):
            if not done and not chunk.startswith(MAGIC):
                raise ModelError(
                    f"{response.url} is no GGUF file.", "Copy the address of the file itself."
                )
            file.write(chunk)
            done += len(chunk)
            report("fetching", done, total)


def _check_file(part: Path, sha256: str, report: Report) -> None:
    """Refuse and delete a file with another hash."""
    if not sha256:
        return
    report("checking", 0, 0)
    if (found := read_hash(part)) != sha256.lower():
        part.unlink()
        raise ModelError(
            f"The file has the SHA-256 {found}, not {sha256.lower()}; it was deleted.",
            "Compare the hash with the one that the site of the file shows.",
        )


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{path} cannot be read or written: {error.strerror or error}.",
            "Make the folder writable, or set FORAGER_DATA to another one.",
        ) from error
