"""Packages that are reserved or were used before are refused, in other languages, too."""

from pathlib import Path

import pytest

from bench.make_set.package_lists import (
    OWN_LISTS,
    package_stem,
    read_lists,
    read_packages,
    refuse_known,
)
from forager.errors import UsageError


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gimp-help-en", "gimp-help-de"),
        ("python3.11-doc", "python3-doc"),
        ("linux-doc-6.1", "linux-doc"),
        ("debian-reference-zh-cn", "debian-reference-en"),
        ("lilypond-doc-html-fr", "lilypond-doc-html"),
        ("hugin-data", "hugin"),
    ],
)
def test_languages_versions_and_parts_have_one_stem(one: str, other: str) -> None:
    assert package_stem(one) == package_stem(other)


def test_other_packages_have_other_stems() -> None:
    names = ("git-doc", "go-doc", "r-doc-html", "python-flask-doc", "python3-doc", "doc")
    assert len({package_stem(name) for name in names}) == len(names)


def test_a_reserved_package_is_refused_with_its_translations(tmp_path: Path) -> None:
    listed = tmp_path / "reserved.txt"
    listed.write_text("# Do not use these.\ngimp-help-en\n\nabs-guide\n")
    reserved = read_lists([listed])
    assert list(reserved) == ["gimp-help-en", "abs-guide"]
    for name in ("abs-guide", "gimp-help-ja"):
        with pytest.raises(UsageError, match=r"is reserved.*reserved\.txt"):
            refuse_known(name, reserved, {})
    refuse_known("gnubg-data", reserved, {})


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (
            "sites.toml",
            '[png]\npackage = "png-guide"\n[mutt]\nfolder = "."\n',
            ["png-guide", "mutt"],
        ),
        ("rows.jsonl", '{"sites": ["git", "zsh"]}\n{"site": "m4"}\n', ["git", "zsh", "m4"]),
    ],
)
def test_lists_of_sites_and_of_questions_are_read(
    tmp_path: Path, name: str, text: str, found: list[str]
) -> None:
    (tmp_path / name).write_text(text)
    assert read_packages(tmp_path / name) == found


@pytest.mark.parametrize("name", ["missing.txt", "broken.jsonl", "broken.toml"])
def test_what_is_no_list_is_told(tmp_path: Path, name: str) -> None:
    if name != "missing.txt":
        (tmp_path / name).write_text("{")
    with pytest.raises(UsageError, match=name):
        read_packages(tmp_path / name)


def test_the_projects_own_packages_are_used() -> None:
    own = read_lists(path for path in OWN_LISTS if path.exists())
    for name in ("valgrind", "python3-doc", "zsh-doc", "git"):
        with pytest.raises(UsageError, match="was used before"):
            refuse_known(name, {}, own)
