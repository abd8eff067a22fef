"""The forms of a page are found."""

import pytest

from forager.adapters.web.read.page_reader import read_page
from forager.domain.survey import Form

PLENTY = "<p>" + "word " * 100 + "</p>"


def forms(html: str) -> tuple[Form, ...]:
    return read_page(html.encode(), "text/html", "http://host/page").forms


@pytest.mark.parametrize(
    "html",
    [
        '<form><input type="search" name="x"><button>Los</button></form>',
        '<form action="/search"><input name="x"></form>',
        '<form role="search" style="display:none"><input name="x"></form>',
        '<form><input name="q"><input type="submit" value="Go"></form>',
        '<form><input name="a"><button>Suchen</button></form>',
        '<input placeholder="Rechercher">',
        '<form><select name="in"><option>A<option>B</select><input name="q"></form>',
    ],
)
def test_a_search_box_is_noted(html: str) -> None:
    assert [form.kind for form in forms(PLENTY + html)] == ["search"]


def test_a_filter_form_is_noted_with_its_words() -> None:
    html = """<form><label>Column <select name=c><option>id<option>name</select></label>
        <input name=v><button>Apply</button></form>"""
    [form] = forms(PLENTY + html)
    assert form.kind == "filter"
    assert {"Column", "id", "name", "Apply"} <= set(form.says.split())


@pytest.mark.parametrize(
    "html",
    [
        '<form method="post"><input name="q"><button>Search</button></form>',
        '<form><input name="user"><input type="password" name="p"><button>OK</button></form>',
        '<form><input type="email" name="mail"><button>Subscribe</button></form>',
        "<form><textarea name=sql></textarea><button>Run</button></form>",
    ],
)
def test_forms_that_send_or_sign_in_are_not_noted(html: str) -> None:
    assert not forms(PLENTY + html)


def test_a_page_with_only_a_button_is_a_gate() -> None:
    gate = "<h1>Adults only</h1><form method=post><button>Enter</button></form>"
    assert [form.kind for form in forms(gate)] == ["gate"]
    assert not forms(gate + PLENTY)
    assert not forms("<h1>Hello</h1><button>Delete</button>")
