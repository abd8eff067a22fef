"""Packages are unpacked, their first page is found, and they are served."""

import http.client
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bench.make_set.links import follow_links
from bench.make_set.package_server import serve_packages
from bench.make_set.packages import Package, open_packages, read_list, unpack, write_list
from bench.make_set.site_pages import read_site, sample_pages
from forager.errors import UsageError
from tests.bench.make_set.harbour import NAME, PAGES, write_package

DEB = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb")


def make_deb(folder: Path) -> Path:
    """The harbour as a Debian package, with its pages where packages have them."""
    files = write_package(folder / "usr/share/doc").parents[3]
    (files / "DEBIAN").mkdir()
    fields = ("Package: harbour-doc", "Version: 1:2.3-4", "Architecture: all", "Description: x")
    (files / "DEBIAN/control").write_text("\n".join((*fields, "Maintainer: A <a@a.aa>", "")))
    subprocess.run(["dpkg-deb", "-b", str(files), str(files / "h.deb")], check=True)
    return files / "h.deb"


@DEB
def test_a_deb_is_unpacked_and_its_pages_found(tmp_path: Path) -> None:
    package = unpack(str(make_deb(tmp_path / "made")), tmp_path / "unpacked")
    folder = "usr/share/doc/harbour-doc"
    assert package.site == Package(
        package=NAME, version="1:2.3-4", folder=folder, root="index.html"
    )
    write_list(tmp_path, {NAME: package.site})
    assert read_list(tmp_path) == {NAME: package.site}
    assert open_packages([package.site], tmp_path / "unpacked") == [package]


def test_the_first_page_is_that_which_leads_to_most(tmp_path: Path) -> None:
    pages = {f"en/{path}": html for path, html in PAGES.items()}
    folder = write_package(tmp_path, {**pages, "index.html": "<p>Nothing.</p>"})
    package = unpack(str(folder), tmp_path / "unpacked")
    assert (package.site.folder, package.site.root) == ("en", "index.html")
    assert follow_links(package.pages, "index.html") == {
        "index.html": 0,
        "light/beacon.html": 1,
        "berths/fees.html": 1,
        "berths/fleet.html": 1,
    }
    chosen = unpack(str(folder), tmp_path / "unpacked", "en/berths/fees.html")
    assert (chosen.site.folder, chosen.site.root) == ("en/berths", "fees.html")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("No Such Name", "is not the name of a package"),
        ("missing.deb", "There is no file"),
        ("--option", "is not the name of a package"),
    ],
)
def test_what_is_no_package_is_told(tmp_path: Path, source: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        unpack(source, tmp_path)


def test_a_folder_below_that_of_packages_stays(tmp_path: Path) -> None:
    package = unpack(str(write_package(tmp_path)), tmp_path)
    assert (package.pages / "light/beacon.html").is_file()


def test_a_package_without_pages_is_told(tmp_path: Path) -> None:
    folder = write_package(tmp_path, {"README": "text"})
    with pytest.raises(UsageError, match="has no HTML pages"):
        unpack(str(folder), tmp_path / "unpacked")


def test_the_sample_is_spread_and_the_same_each_time(tmp_path: Path) -> None:
    site = read_site(unpack(str(write_package(tmp_path)), tmp_path / "unpacked"))
    assert "/lost.html" not in site.pages
    drawn = sample_pages(site, 2, seed=3)
    assert drawn == sample_pages(site, 2, seed=3)
    assert {path.split("/")[1] for path in drawn} == {"light", "berths"}
    assert "/index.html" not in sample_pages(site, 9, seed=0)


def get(address: str, path: str) -> tuple[int, str, bytes]:
    """The status, the address of a redirect, and the body."""
    with closing(http.client.HTTPConnection(urlsplit(address).netloc, timeout=5)) as connection:
        connection.request("GET", path)
        with connection.getresponse() as reply:
            return reply.status, reply.headers["Location"], reply.read()


def test_packages_are_served_and_nothing_beside_them(tmp_path: Path) -> None:
    package = unpack(str(write_package(tmp_path)), tmp_path / "unpacked")
    (tmp_path / "secret.html").write_text("secret")
    (package.pages / "away.html").symlink_to(tmp_path / "secret.html")
    (package.pages / "near.html").symlink_to("light/beacon.html")
    with serve_packages([package]) as addresses:
        address = addresses[NAME]
        assert get(address, "/")[:2] == (302, "/index.html")
        assert b"rape oil" in get(address, "/near.html?a=b")[2]
        for path in ("/away.html", "/../secret.html", "/%2e%2e/secret.html", "/light/", "/no.html"):
            assert get(address, path)[0] == 404
        taken = urlsplit(address).port or 0
        with pytest.raises(UsageError, match="cannot be opened"), serve_packages([package], taken):
            pass
