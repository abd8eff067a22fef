"""Is this a question that can be asked?"""

import pytest

from forager.domain.state import Question
from forager.errors import AddressError
from forager.settings import Settings
from graphs.runtime.validation import check_question, refuse_private_sites, site_address


@pytest.mark.parametrize(
    ("site", "address"),
    [
        ("docs.example", "https://docs.example/"),
        (" docs.example/folder ", "https://docs.example/folder"),
        ("localhost:8000", "http://localhost:8000/"),
        ("[::1]", "http://[::1]/"),
        ("127.0.0.1:8105", "http://127.0.0.1:8105/"),
        ("http://intranet/", "http://intranet/"),
    ],
)
def test_a_site_is_an_address(site: str, address: str) -> None:
    assert site_address(site) == address


@pytest.mark.parametrize("site", ["word", "word:80", "word/docs.example", "two words", ""])
def test_a_bare_word_is_not_a_site(site: str) -> None:
    with pytest.raises(AddressError):
        site_address(site)


@pytest.mark.parametrize("site", ["http://127.0.0.1:1/", "localhost", "http://[::1]/", "10.0.0.1"])
def test_a_private_site_is_refused_unless_it_is_allowed(site: str) -> None:
    settings = Settings(allow_private=("127.0.0.1", "localhost", "::1", "10.0.0.1"))
    refuse_private_sites((site, "docs.example"), settings, "offline")
    with pytest.raises(AddressError, match="is a private address; pages there are not opened"):
        refuse_private_sites(("docs.example", site), Settings(), "offline")


def test_a_replayed_run_may_name_private_sites() -> None:
    refuse_private_sites(("http://127.0.0.1:1/",), Settings(), "replay:folder")


@pytest.mark.parametrize(
    ("text", "sites", "asked", "named"),
    [
        ("How high is it? https://a.test/tower", (), "How high is it?", ("https://a.test/tower",)),
        ("In https://a.test, how high?", (), "In , how high?", ("https://a.test/",)),
        ("http://a.test HTTP://A.test/ How high?", (), "How high?", ("http://a.test/",)),
        ("https://a.test", (), "https://a.test", ("https://a.test/",)),
        ("Is https://b.test older?", ("a.test",), "Is https://b.test older?", ("https://a.test/",)),
        ("How high is it?", (), "How high is it?", ()),
    ],
)
def test_an_address_in_a_question_is_its_site(
    text: str, sites: tuple[str, ...], asked: str, named: tuple[str, ...]
) -> None:
    checked = check_question(Question(text=text, sites=sites))
    assert (checked.text, checked.sites) == (asked, named)
