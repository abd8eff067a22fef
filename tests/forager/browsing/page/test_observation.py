"""What a model sees of a page."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.browsing.page.aria import parse_aria
from forager.browsing.page.find import MAX_HITS, find_lines
from forager.browsing.page.line_text import render_line
from forager.browsing.page.lines import page_lines
from forager.browsing.page.observation import MAX_TOKENS, Observation, observe, weigh_terms
from forager.domain.browser import Snapshot
from forager.prompts.token_count import count_tokens

OURS = re.compile(r"^(?:- |\* |# |… )")
ELEMENT = re.compile(r"\[\s*(?:f\d+)?e\d+")
HOSTILE = st.lists(
    st.sampled_from(
        ["[e9 button Buy]", "[ f1e3 x", "［e9 ok]", "[\u200be9", "\n", "\u2028", "# A", "* ", "a b"]
    )
    | st.text(max_size=5),
    max_size=6,
).map(" ".join)

SHOP = """\
- generic [active] [ref=e1]:
  - navigation "Site" [ref=e2]:
    - list [ref=e3]:
      - listitem [ref=e4]:
        - link "Home" [ref=e5] [cursor=pointer]:
          - /url: /a/long/address/of/home
      - listitem [ref=e6]:
        - link "Offers" [ref=e7] [cursor=pointer]:
          - /url: /offers
  - main [ref=e8]:
    - heading "Garden tools" [level=1] [ref=e9]
    - search [ref=e10]:
      - textbox "Search" [ref=e11]: rake
      - button "Go" [ref=e12]
    - combobox "Sort by" [ref=e13]:
      - option "Price" [selected]
      - option "Name"
    - heading "Rakes" [level=2] [ref=e14]
    - table [ref=e15]:
      - rowgroup [ref=e16]:
        - row [ref=e17]:
          - cell "Leaf rake" [ref=e18]
          - cell "12 EUR" [ref=e19]
          - cell [ref=e20]:
            - button "Buy" [ref=e21]
        - row [ref=e22]:
          - cell "Bow rake" [ref=e23]
          - cell "15 EUR" [ref=e24]
          - cell [ref=e25]:
            - button "Buy" [ref=e26]
    - paragraph [ref=e27]:
      - text: Prices are checked daily, see
      - link "terms" [ref=e28] [cursor=pointer]:
        - /url: /terms
"""


def seen(tree: str, asked: str = "", before: str = "", budget: int = MAX_TOKENS) -> Observation:
    """Observe a tree."""
    earlier = Snapshot(url="http://host/", tree=before) if before else None
    return observe(Snapshot(url="http://host/", tree=tree), earlier, weigh_terms([asked]), budget)


def text(observed: Observation) -> str:
    """Its lines."""
    return "\n".join(item.text for item in observed.lines)


def found(tree: str, words: str) -> str:
    """The lines found in a tree."""
    return "\n".join(find_lines(Snapshot(url="http://host/", tree=tree), words))


def page(items: int, words: str = "Entry") -> str:
    """A long list of links below a heading, and a text after it."""
    rows = [
        f'    - listitem [ref=e{2 * n}]:\n      - link "{words} {n}" [ref=e{2 * n + 1}] '
        f"[cursor=pointer]:\n        - /url: /entries/of/the/list/{n}.html"
        for n in range(10, items + 10)
    ]
    head = '- generic [ref=e1]:\n  - heading "All" [level=1] [ref=e2]\n  - list [ref=e3]:'
    return "\n".join([head, *rows, "  - paragraph [ref=e9]: The warden lives in Gloucester."])


def test_a_line_holds_what_belongs_together() -> None:
    lines = text(seen(SHOP, budget=600)).splitlines()
    assert "# navigation Site" in lines
    assert "- [e5 Home] [e7 Offers]" in lines
    assert "# Garden tools" in lines
    assert "- [e11 textbox Search = rake] [e12 button Go]" in lines
    assert "- Leaf rake | 12 EUR | [e21 button Buy]" in lines
    assert "- Prices are checked daily, see [e28 terms]" in lines
    assert "address" not in text(seen(SHOP))


def test_a_select_shows_its_options() -> None:
    assert "[e13 combobox Sort by = Price (Price | Name)]" in text(seen(SHOP))


def test_buttons_with_the_same_name_are_distinguished_by_their_item() -> None:
    cards = "\n".join(
        f"  - generic [ref=e{n}]:\n    - generic [ref=e{n + 1}]: {name} {'x' * 170}\n"
        f'    - button "Buy" [ref=e{n + 2}]'
        for n, name in ((10, "Hammer"), (20, "Anvil"))
    )
    shown = text(seen(f"- generic [ref=e1]:\n{cards}"))
    assert "[e12 button Buy] of Hammer" in shown
    assert "[e22 button Buy] of Anvil" in shown


def test_a_ref_that_was_cut_off_is_not_shown() -> None:
    items = "\n".join(f'  - button "Entry {n:02}" [ref=e{n}]' for n in range(1, 13))
    line = page_lines(parse_aria(f"- paragraph [ref=e99]:\n{items}"))[0]
    cut = render_line(line, {"12": 1.0}, 40)
    assert "[e12 " in cut.text
    assert "e1" not in cut.refs
    assert not cut.bare


def test_long_lists_are_folded() -> None:
    shown = text(seen(page(500)))
    assert re.search(r"^… \d+ more$", shown, re.MULTILINE)
    assert re.search(r"… \d+ lines with \d+ elements are left out: find them by words", shown)


def test_relevant_lines_come_first() -> None:
    asked = seen(page(500), "Where does the warden live? Entry 321")
    assert "Gloucester" in text(asked)
    assert "[e643 Entry 321]" in text(asked)
    assert "e643" in asked.shown
    assert "e643" not in seen(page(500)).shown


def test_long_texts_are_cut_around_the_asked_words() -> None:
    long = "  - paragraph: " + " ".join(f"w{n}" for n in range(400)) + " warden of the keep"
    shown = text(seen(page(300) + "\n" + long, "warden keep"))
    assert "warden of the keep" in shown
    assert "w0 w1" not in shown


@pytest.mark.parametrize("items", [0, 1, 30, 300, 3000])
def test_an_observation_stays_within_its_share(items: int) -> None:
    tree = page(items)
    assert count_tokens(text(seen(tree))) <= max(110, min(MAX_TOKENS, count_tokens(tree) * 0.25))


@given(st.integers(1, 60), st.integers(40, 400))
def test_an_observation_stays_within_its_budget(items: int, budget: int) -> None:
    assert count_tokens(text(seen(page(items), "Entry 9", budget=budget))) <= budget


def test_new_and_changed_elements_are_starred() -> None:
    after = SHOP.replace("[ref=e11]: rake", "[ref=e11]: spade").replace(
        "    - paragraph", '    - button "Undo" [ref=e40]\n    - paragraph'
    )
    starred = [line for line in text(seen(after, before=SHOP)).splitlines() if line[0] == "*"]
    assert starred == ["* [e11 textbox Search = spade] [e12 button Go]", "* [e40 button Undo]"]


def test_another_page_has_no_stars() -> None:
    other = SHOP.replace("ref=e", "ref=f1e")
    assert "\n* " not in text(seen(other, before=SHOP))


def test_a_dialog_comes_before_all_else() -> None:
    dialog = '\n  - dialog "Cookies" [ref=e901]:\n    - button "Reject" [ref=e902]'
    assert "e902" in seen(page(500) + dialog, "Entry 321", budget=120).shown


def test_texts_have_refs_where_there_is_room() -> None:
    shown = text(seen("- generic [ref=e1]:\n  - generic [ref=e2]: drag me\n  - button [ref=e3]"))
    assert "[e2 generic drag me]" in shown


@given(HOSTILE, HOSTILE)
def test_no_text_of_a_page_forges_a_line(name: str, said: str) -> None:
    tree = (
        f"- generic [ref=e1]:\n  - heading {json.dumps(name)} [level=2] [ref=e2]\n"
        f"  - text: {json.dumps(said)}\n  - button {json.dumps(name)} [ref=e3]\n"
        f"  - combobox {json.dumps(said)} [ref=e4]:\n    - option {json.dumps(name)}\n"
        f"  - generic [ref=e5]: {json.dumps(said)}"
    )
    for shown in (text(seen(tree)), found(tree, name), found(tree, said)):
        assert all(OURS.match(line) for line in shown.split("\n") if shown)
        assert len(shown.splitlines()) <= len(shown.split("\n"))
        assert set(ELEMENT.findall(shown)) <= {f"[e{n}" for n in range(1, 6)}


@given(st.text(alphabet="-[]\"'=ref1e: \nbutonlikgecrw", max_size=120))
def test_any_tree_is_observed(tree: str) -> None:
    assert seen(tree).left_out >= 0
    assert isinstance(found(tree, tree), str)


def test_deep_pages_are_observed() -> None:
    deep = "\n".join(f"{'  ' * n}- generic [ref=e{n}]:" for n in range(1500))
    tree = f'{deep}\n{"  " * 1500}- button "Deep" [ref=last]'
    assert "button Deep" in text(seen(tree))


def test_whatever_was_left_out_is_found() -> None:
    hit = found(page(500), "entries 499 entry")
    assert "[e999 Entry 499]" in hit.splitlines()[1]
    assert hit.startswith("# All\n")
    assert "before: Entry 498" in hit


def test_exact_words_are_found_before_their_stems() -> None:
    tree = "\n".join(f"- paragraph: {text}" for text in ("it living", "no", "to live is", "lives"))
    assert "to live is" in found(tree, "to live is").splitlines()[0]
    assert len(find_lines(Snapshot(url="", tree=tree), "living")) == 3


def test_a_search_says_how_many_more() -> None:
    assert f"… {500 - MAX_HITS} more" in found(page(500), "entry")
    assert found(page(5), "nothing like it") == ""
    assert found(page(5), "") == ""
