"""Without a model: search boxes, filter forms, results, lists, and what stands between."""

import pytest

from forager.browsing.page.aria import parse_aria
from forager.domain.actions import Action
from forager.offline.browser_actions import Guess, guess_actions
from forager.text.tokens import keywords

HERE = "http://host/page"
SEARCH_PAGE = """
- navigation:
  - link "Imprint" [ref=e1]:
    - /url: imprint.html
- search [ref=e2]:
  - textbox "{name}" [ref=e3]
  - button "{button}" [ref=e4]
- main [ref=e5]:
  - heading "Welcome" [level=1] [ref=e6]
"""
RESULTS = """
- navigation:
  - link "Voltage of the home page" [ref=e1]:
    - /url: index.html
- main [ref=e2]:
  - textbox "Search" [ref=e3]: voltage
  - button "Search" [ref=e4]
  - list [ref=e5]:
    - listitem [ref=e6]:
      - link "Chapter 7" [ref=e7]:
        - /url: seven.html
      - paragraph [ref=e8]: "...the voltage of the reed relay..."
    - listitem [ref=e9]:
      - link "Chapter 9" [ref=e10]:
        - /url: nine.html
      - paragraph [ref=e11]: "...voltage..."
"""
TABLE = """
- generic [ref=e1]:
  - combobox [ref=e2]:
    - option "- column -" [selected]
    - option "id"
    - option "name"
    - option "height"
  - combobox [ref=e3]:
    - option "=" [selected]
    - option "!="
    - option "contains"
    - option "starts with"
  - textbox [ref=e4]
  - button "Apply" [ref=e5]
- table [ref=e6]:
  - rowgroup:
    - row [ref=e7]:
      - columnheader "id" [ref=e8]
      - columnheader "name" [ref=e9]
      - columnheader "height" [ref=e10]
  - rowgroup:
    - row [ref=e11]:
      - cell "1" [ref=e12]
      - cell "Ulvik" [ref=e13]
      - cell "45" [ref=e14]
    - row [ref=e15]:
      - cell "2" [ref=e16]
      - cell "Vardal" [ref=e17]
      - cell "12" [ref=e18]
"""
VOLTAGE = "Which voltage does the reed relay need?"
TOWER = "What is the height of the tower Norvik?"


BROKEN = '- main [ref=e1]:\n  - link "Voltage" [ref=e2]:\n    - /url: "http://["'


def thought(
    tree: str, text: str, *done: Action, seen: frozenset[str] = frozenset()
) -> tuple[Guess, ...]:
    terms = dict.fromkeys(keywords(text), 1.0)
    return guess_actions(parse_aria(tree), (text,), terms, url=HERE, done=done, seen=seen)


@pytest.mark.parametrize(
    ("name", "button"),
    [
        ("Search", "Go"),
        ("Quick search", "Go"),
        ("Suche", "Suchen"),
        ("Rechercher", "OK"),
        ("Búsqueda", "Buscar"),
        ("Поиск", "Найти"),
        ("搜索文档", "搜索"),
        ("検索", "検索する"),
        ("", "Search"),
    ],
)
def test_a_sites_own_search_is_found_in_any_language(name: str, button: str) -> None:
    [best, *_] = thought(SEARCH_PAGE.format(name=name, button=button), VOLTAGE)
    assert (best.action.kind, best.action.target, best.action.submit) == ("type", "e3", True)
    assert best.action.value == "voltage reed relay"


def test_a_newsletter_is_no_search() -> None:
    tree = SEARCH_PAGE.format(name="Your e-mail", button="Subscribe")
    assert not thought(tree, VOLTAGE)


def test_a_search_that_found_nothing_is_made_with_fewer_words_and_not_twice() -> None:
    tree = SEARCH_PAGE.format(name="Search", button="Go")
    done: list[Action] = []
    while found := thought(tree, VOLTAGE, *done):
        done.append(found[0].action)
    typed = [action.value for action in done]
    assert typed[0] == "voltage reed relay"
    assert [len(words.split()) for words in typed] == [3, 2, 1, 1]
    assert len(set(typed)) == len(typed)


def test_results_are_followed_by_what_they_say_and_where_they_stand() -> None:
    searched = Action(kind="type", target="e3", value="voltage", submit=True)
    found = [guess.action for guess in thought(RESULTS, VOLTAGE, searched)]
    assert (found[0].kind, found[0].target) == ("click", "e7")
    assert [action.target for action in found if action.kind == "click"][:2] == ["e7", "e10"]
    opened = frozenset({"http://host/seven.html"})
    assert thought(RESULTS, VOLTAGE, searched, seen=opened)[0].action.target == "e10"


def test_a_filter_form_is_filled_field_by_field_and_sent() -> None:
    column = thought(TABLE, TOWER)[0].action
    assert (column.kind, column.target, column.value) == ("select", "e2", "name")
    tree = TABLE.replace('"- column -" [selected]', '"- column -"')
    tree = tree.replace('option "name"', 'option "name" [selected]')
    operator = thought(tree, TOWER, column)[0].action
    assert (operator.kind, operator.target, operator.value) == ("select", "e3", "contains")
    tree = tree.replace('"=" [selected]', '"="')
    tree = tree.replace('option "contains"', 'option "contains" [selected]')
    typed = thought(tree, TOWER, column, operator)[0].action
    assert (typed.kind, typed.target, typed.value) == ("type", "e4", "Norvik")
    assert typed.submit
    tree = tree.replace("textbox [ref=e4]", "textbox [ref=e4]: Norvik")
    after = thought(tree, TOWER, column, operator, typed)
    assert "Norvik" not in {guess.action.value for guess in after}


def test_a_number_is_looked_for_where_numbers_name_things() -> None:
    best = thought(TABLE, "What height has the tower with the id 3817?")[0].action
    assert (best.kind, best.value) == ("select", "id")


def test_a_field_that_does_not_keep_what_is_filled_in_is_given_up() -> None:
    column = thought(TABLE, TOWER)[0].action
    again = [guess.action.value for guess in thought(TABLE, TOWER, column, column)]
    assert "name" not in again


def test_lists_and_labelled_fields_take_what_the_question_names() -> None:
    tree = """
- generic [ref=e1]:
  - combobox "Region" [ref=e2]:
    - option "All" [selected]
    - option "North"
    - option "Far East"
  - textbox "Station code" [ref=e3]
  - button "Filter" [ref=e4]
"""
    text = "Which rainfall has the station code QX-71 in the Far East?"
    region = thought(tree, text)[0].action
    assert (region.kind, region.value) == ("select", "Far East")
    tree = tree.replace('"All" [selected]', '"All"').replace('East"', 'East" [selected]')
    code = thought(tree, text, region)[0].action
    assert (code.kind, code.target, code.value) == ("type", "e3", "QX-71")


def test_hidden_content_is_opened() -> None:
    tree = """
- tablist:
  - tab "Overview" [selected] [ref=e1]
  - tab "Voltage" [ref=e2]
- button "Show details" [ref=e3]
"""
    first, second = thought(tree + WORDY, VOLTAGE)
    assert (first.action.target, second.action.target) == ("e2", "e3")


def test_a_list_is_gone_through_page_by_page() -> None:
    rows = "".join(f'  - listitem [ref=e{row}]: "row {row}"\n' for row in range(10))
    tree = f"- list:\n{rows}- link {{}} [ref=e99]:\n  - /url: '?page=2'\n"
    for name in ('"Next page"', '"Weiter"', '"»"', '"次へ"'):
        assert [guess.action.target for guess in thought(tree.format(name), VOLTAGE)] == ["e99"]


WORDY = f"- paragraph [ref=e90]: {'word ' * 100}\n"


def test_overlays_are_dismissed_with_as_little_consent_as_possible() -> None:
    banner = """
- dialog "Cookies" [ref=e1]:
  - button "Accept all" [ref=e2]
  - button "Reject all" [ref=e3]
"""
    targets = [guess.action.target for guess in thought(WORDY + banner, VOLTAGE)]
    assert targets[:2] == ["e3", "e2"]
    gate = '- heading "Adults only"\n- button "I am over 18" [ref=e1]\n'
    [past] = thought(gate, VOLTAGE)
    assert (past.action.kind, past.action.target) == ("click", "e1")
    assert not thought(gate + WORDY, VOLTAGE)


def test_other_sites_data_files_and_what_was_clicked_are_no_ways_on() -> None:
    tree = """
- link "Voltage elsewhere" [ref=e1]:
  - /url: http://other/voltage
- link "Voltage as CSV" [ref=e2]:
  - /url: voltage.csv
- link "Voltage here" [ref=e3]:
  - /url: voltage.html
"""
    [best] = thought(tree, VOLTAGE)
    assert best.action.target == "e3"
    assert not thought(tree, VOLTAGE, best.action)


def test_a_link_with_a_broken_address_is_passed_over() -> None:
    assert thought(BROKEN, VOLTAGE) == ()


@pytest.mark.parametrize(
    ("there", "reads"),
    [
        ("index.php?title=Diving_bell&action=edit&redlink=1", False),
        ("doku.php?id=bell&do=edit", False),
        ("index.php/Diving_bell", True),
        ("doku.php?id=bell&do=search", True),
    ],
)
def test_a_page_to_write_on_is_no_way_on(there: str, reads: bool) -> None:
    tree = f'- link "Diving bell" [ref=e1]:\n  - /url: {there}'
    found = guess_actions(parse_aria(tree), ["diving bell"], {"diving": 1.0, "bell": 1.0}, url=HERE)
    assert bool(found) is reads
