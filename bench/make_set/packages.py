"""Debian packages: fetched, unpacked, and where their pages begin."""

import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from bench.make_set.links import follow_links, html_files
from forager.domain.base import Frozen
from forager.errors import UsageError

LIST = "packages.toml"
NAME = re.compile(r"[a-z0-9][a-z0-9+.-]*")
INDEX = re.compile(r"(?:index|contents?|toc|start|manual)(?:[._-][\w.-]+)?\.html?", re.I)
MAX_STARTS = 60


class Package(Frozen):
    """A package with its version, the folder of its pages in it, and the page to begin with."""

    package: str
    version: str = ""
    folder: str
    root: str


class UnpackedPackage(NamedTuple):
    """A package and the folder that it was unpacked to."""

    site: Package
    files: Path

    @property
    def pages(self) -> Path:
        """The folder of its pages."""
        return self.files / self.site.folder


def unpack(source: str, packages: Path, start: str = "") -> UnpackedPackage:
    """Unpack a package of the archive, a .deb file or a folder of pages below `packages`.

    `start` is its first page, as a path in the package; without it, the page is chosen from which
    links lead to most pages. Raises UsageError.
    """
    path = Path(source)
    if path.is_dir():
        name, version = _checked_name(path.resolve().name.lower()), ""
        files = packages / name
        if files.resolve() != path.resolve():
            shutil.copytree(path, _fresh_folder(files), symlinks=True)
    else:
        name, version = unpack_deb(source, packages)
        files = packages / name
    folder, root = _split_start(files, start) if start else find_root(files, name)
    return UnpackedPackage(Package(package=name, version=version, folder=folder, root=root), files)


def unpack_deb(source: str, packages: Path) -> tuple[str, str]:
    """Unpack a .deb file, or one fetched with apt-get; its name and version. Raises UsageError."""
    with tempfile.TemporaryDirectory() as folder:
        deb = Path(source) if source.endswith(".deb") else _download(source, Path(folder))
        if not deb.is_file():
            raise UsageError(f"There is no file {source}.", "Name a package, a .deb or a folder.")
        fields = _run("dpkg-deb", "-W", "--showformat=${Package}\\n${Version}", str(deb.resolve()))
        name, version = fields.split("\n")
        files = _fresh_folder(packages / _checked_name(name))
        _run("dpkg-deb", "-x", str(deb.resolve()), str(files))
    return name, version


def _download(source: str, folder: Path) -> Path:
    _checked_name(source.partition("=")[0])
    _run("apt-get", "download", "-q", "-o", "APT::Sandbox::User=root", source, folder=folder)
    return next(folder.glob("*.deb"))


def _checked_name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is not the name of a package.",
            "It has lower-case letters, digits, and + - . between them.",
        )
    return name


def _fresh_folder(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    return folder


def _run(*words: str, folder: Path | None = None) -> str:
    """What a program prints. Raises UsageError if it fails or is not there."""
    try:
        done = subprocess.run(  # noqa: S603
            words, cwd=folder, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise UsageError(
            f"{words[0]} cannot be started: {error}.", "Give a folder of unpacked pages instead."
        ) from error
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise UsageError(
            f"{words[0]} failed: {said[-1] if said else f'exit code {done.returncode}'}.",
            "Check the name; `apt-get update` refreshes the lists of packages.",
        )
    return done.stdout


def find_root(files: Path, name: str) -> tuple[str, str]:
    """The folder of the pages, and in it the page that leads to most pages. Raises UsageError."""
    pages = html_files(files)
    if not pages:
        raise UsageError(f"{name} has no HTML pages.", "Choose another package.")
    starts = [page for page in pages if INDEX.fullmatch(page.rpartition("/")[2])] or pages
    starts.sort(key=lambda page: (page.count("/"), page))
    reached = {start: set(follow_links(files, start)) for start in starts[:MAX_STARTS]}
    best = max(reached, key=lambda start: len(reached[start]))
    return _common_folder(best, reached[best])


def _split_start(files: Path, start: str) -> tuple[str, str]:
    if start not in html_files(files):
        raise UsageError(f"There is no page {start} in {files}.", "Name its path in the package.")
    return _common_folder(start, follow_links(files, start))


def _common_folder(start: str, pages: Iterable[str]) -> tuple[str, str]:
    parents = [page.split("/")[:-1] for page in {start, *pages}]
    common: list[str] = []
    for names in zip(*parents, strict=False):
        if len(set(names)) > 1:
            break
        common.append(names[0])
    folder = "/".join(common)
    return folder or ".", start.removeprefix(f"{folder}/")


def read_list(folder: Path) -> dict[str, Package]:
    """The packages of a set, by their names. Raises UsageError."""
    path = folder / LIST
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: Package.model_validate(table) for name, table in tables.items()}
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise UsageError(
            f"{path} is no list of packages: {error}.", "Name a folder of `bench make-set`."
        ) from error


def write_list(folder: Path, packages: Mapping[str, Package]) -> None:
    """Write the packages of a set."""
    lines = []
    for name, site in packages.items():
        fields = [f'{key} = "{value}"' for key, value in site.model_dump().items()]
        lines += [f'["{name}"]', *fields, ""]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LIST).write_text("\n".join(lines), encoding="utf-8")


def open_packages(sites: Sequence[Package], packages: Path) -> list[UnpackedPackage]:
    """The packages of a set; what is not below `packages` is fetched. Raises UsageError.

    A newer version is fetched where the archive has the listed one no more.
    """
    for site in sites:
        if not (packages / site.package / site.folder / site.root).is_file():
            _fetch_again(site, packages)
    return [UnpackedPackage(site, packages / site.package) for site in sites]


def _fetch_again(site: Package, packages: Path) -> None:
    try:
        unpack_deb(f"{site.package}={site.version}", packages)
    except UsageError:
        unpack_deb(site.package, packages)
    if not (packages / site.package / site.folder / site.root).is_file():
        raise UsageError(
            f"{site.package} has no page {site.folder}/{site.root}.",
            f"Unpack version {site.version or 'that was used'} below {packages} yourself.",
        )
