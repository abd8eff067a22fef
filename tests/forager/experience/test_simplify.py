"""What of a page matters for an action: bounded, in the page's order, the element always in."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from forager.browsing.page.aria import Node, node_by_ref, parse_aria
from forager.domain.documents import Document, Link
from forager.experience.simplify import MOST_ELEMENTS, FusedRanker, simplify_page, tree_of_links
from tests.fakes import FakeEmbedder

WORDS = st.sampled_from(("Save", "Open", "Lamp", "Tower", "Delete", "Search", "Help"))
PAGES = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=90)
RANKER = FusedRanker(FakeEmbedder())


def page(names: Sequence[tuple[str, str]]) -> Node:
    """A region for each pair, with a button in it; its ref is its place."""
    lines: list[str] = []
    for place, (region, name) in enumerate(names):
        lines += [f'- region "{region}" [ref=r{place}]:', f'  - button "{name}" [ref=e{place}]']
    return parse_aria("\n".join(lines))


def buttons(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip().startswith("- button")]


@given(PAGES, WORDS, st.data())
def test_the_best_are_kept_and_the_one_acted_on_with_what_is_above(
    names: list[tuple[str, str]], asked: str, data: st.DataObject
) -> None:
    root = page(names)
    place = data.draw(st.integers(0, len(names) - 1))
    most = data.draw(st.integers(1, MOST_ELEMENTS))
    acted = node_by_ref(root, f"e{place}")
    text = simplify_page(root, asked, RANKER, acted, most)
    assert len(buttons(text)) == min(most, len(names))
    region, name = names[place]
    lines = text.splitlines()
    wanted = [f"- region “{region}”", f"  - button “{name}”"]
    assert any(lines[at : at + 2] == wanted for at in range(len(lines)))
    assert text == simplify_page(root, asked, RANKER, acted, most)


@given(PAGES)
def test_lines_come_in_the_order_of_the_page(names: list[tuple[str, str]]) -> None:
    kept = buttons(simplify_page(page(names), "Lamp", RANKER, most=5))
    everything = buttons(simplify_page(page(names), "Lamp", RANKER, most=len(names)))
    rest = iter(everything)
    assert all(line in rest for line in kept)


def test_what_is_asked_for_is_kept() -> None:
    names = [("Menu", f"Item {number}") for number in range(80)] + [("Shop", "Buy a lamp")]
    assert "- button “Buy a lamp”" in simplify_page(page(names), "buy the lamp", RANKER, most=3)


def test_a_ranker_may_be_plugged_in() -> None:
    class Longest:
        def score_texts(self, query: str, texts: Sequence[str]) -> Sequence[float]:
            return [len(text) for text in texts]

    names = [("A", "x"), ("A", "xxxxxx"), ("A", "xx")]
    assert buttons(simplify_page(page(names), "", Longest(), most=1)) == ["- button “xxxxxx”"]


def test_words_and_meaning_are_joined() -> None:
    fused = FusedRanker(FakeEmbedder(available=True))
    first, second, third = fused.score_texts("lamp", ["lamp", "cart", "tree"])
    assert first > second
    assert third > 0
    assert not fused.score_texts("lamp", [])


def test_the_links_of_a_page_are_its_elements() -> None:
    links = tuple(
        Link(id=number, url=f"http://host/{number}", text=text)
        for number, text in enumerate(("Towers", "Lamps"))
    )
    root = tree_of_links(Document(url="http://host/", title="Home", links=links))
    assert simplify_page(root, "lamps", RANKER, root.children[1], most=1) == (
        "- document “Home”\n  - link “Lamps”"
    )


def test_names_are_cut_and_values_stand_behind() -> None:
    root = parse_aria(f'- textbox "{"long " * 40}" [ref=e1]: written\n- button "Go" [ref=e2]')
    first, second = simplify_page(root, "go", RANKER).splitlines()
    assert len(first) < 100
    assert first.endswith("= “written”")
    assert second == "- button “Go”"
