"""A page and its translations have one key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.state import Page
from forager.domain.translations import read_twins, twin_key

SITE = "http://host"


@pytest.mark.parametrize(
    "path",
    ["/intro", "/de/intro", "/pt-BR/intro", "/zh_hant/intro"],
)
def test_a_folder_that_names_a_language_does_not_count(path: str) -> None:
    assert twin_key(SITE + path) == f"{SITE}/intro"


@pytest.mark.parametrize("name", ["", "index.html", "index.de.html", "index.en.html", "de/"])
def test_a_file_name_that_names_a_language_does_not_count(name: str) -> None:
    assert twin_key(f"{SITE}/doc/{name}") == f"{SITE}/doc/"


@pytest.mark.parametrize("path", ["/src/intro", "/v2/intro", "/a.py.html", "/de", "/intro.md"])
def test_other_folders_and_endings_count(path: str) -> None:
    assert twin_key(SITE + path) == SITE + path


def test_a_page_is_read_in_the_languages_that_it_links_to() -> None:
    page = Page(url=f"{SITE}/rules", twins=(f"{SITE}/regeln",))
    assert read_twins([page]) == {f"{SITE}/rules", f"{SITE}/regeln"}


@given(st.lists(st.sampled_from(["de", "doc", "a", "pt-br", "x.fr.html", "index.html"])))
def test_a_key_is_its_own_key(path: list[str]) -> None:
    key = twin_key("/".join([SITE, *path]))
    assert twin_key(key) == key
