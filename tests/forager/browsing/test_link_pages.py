"""Contents and indexes are told from pages that say something."""

import pytest

from forager.browsing.link_pages import is_link_list
from forager.domain.documents import Document
from tests.nodes.states import document, url

NAMES = [f"Chapter on subject {number}" for number in range(12)]
LINKS = [f"{url(str(number))} {name}" for number, name in enumerate(NAMES)]


def page(text: str) -> Document:
    return document("contents", text, LINKS)


@pytest.mark.parametrize(
    "text",
    [
        "# Contents\n\n" + "\n".join(f"- {name}" for name in NAMES),
        "\n".join(f"{number}.2. {name}" for number, name in enumerate(NAMES)),
        " | ".join(NAMES[:6]) + "\n" + ", ".join(NAMES[6:]),
        "Read on:\n\n" + "\n".join(f"* {name.upper()}" for name in NAMES),
    ],
)
def test_a_list_of_links_is_one(text: str) -> None:
    assert is_link_list(page(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n".join(f"- {name}" for name in NAMES[:4]),
        "\n".join(f"- {name}: what it is for, and when" for name in NAMES),
        "\n".join(f"- {name}" for name in NAMES) + "\n\n" + "It says what it says. " * 4,
    ],
)
def test_a_page_that_says_something_is_none(text: str) -> None:
    assert not is_link_list(page(text))
