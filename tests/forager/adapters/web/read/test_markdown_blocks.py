from hypothesis import example, given
from hypothesis import strategies as st

from forager.adapters.web.read.markdown_blocks import (
    MAX_CONTEXT,
    MAX_LINKS,
    SENTENCE_ENDS,
    Block,
    locate_links,
    number_links,
)

WORDS = st.lists(st.sampled_from(["a", "lamp ", "keeper", ". ", "? ", "。", "x" * 90]), max_size=12)
ROOT = "http://example.org/"


def whole_sentence(text: str, at: int, length: int) -> str:
    """The sentence around a link, found by searching the whole text."""
    start = max(text.rfind(mark, 0, at) + 1 for mark in SENTENCE_ENDS)
    found = (text.find(mark, at + length) for mark in SENTENCE_ENDS)
    end = min((place + 1 for place in found if place >= 0), default=len(text))
    if end - start > MAX_CONTEXT:
        start = max(start, min(at - (MAX_CONTEXT - length) // 2, end - MAX_CONTEXT))
        end = start + MAX_CONTEXT
    return text[start:end].strip()


@given(WORDS, WORDS, st.integers(1, 300))
@example(["x" * 90, ". ", "x" * 90, "x" * 90], ["x" * 90, "x" * 90], 5)
def test_the_context_of_a_link_is_the_sentence_around_it(
    before: list[str], after: list[str], length: int
) -> None:
    link, left = "L" * length, "".join(before)
    text = f"{left}{link}{''.join(after)}"
    [found] = number_links([Block("text", text, links=[("/p", link)])], ROOT, ROOT)
    assert found.context == ("" if text == link else whole_sentence(text, len(left), length))


def test_of_more_links_than_a_page_may_have_the_first_are_kept() -> None:
    links = [(f"/{number}", "") for number in range(MAX_LINKS + 2)]
    kept = number_links([Block("text", "", links=links)], ROOT, ROOT)
    assert [kept[0].url, kept[-1].url] == [f"{ROOT}0", f"{ROOT}{MAX_LINKS - 1}"]


def test_links_are_found_in_order_past_those_that_are_not_in_the_text() -> None:
    text = " ".join(f"word {number}" for number in range(1000))
    links = [(f"/{number}", f"word {number}") for number in range(1000)]
    absent = [(f"/a{number}", f"label {number}") for number in range(500)]
    places = locate_links(Block("text", text, links=[*links[:500], *absent, *links[500:]]))
    assert places[500:1000] == [-1] * 500
    assert [text[at:].split()[1] for at in places if at >= 0] == [str(n) for n in range(1000)]
