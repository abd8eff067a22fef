"""Merge patches: laid over the old document they give the new one, and say no more than needed."""

from hypothesis import given
from hypothesis import strategies as st

from ui.server.live.merge_patch import Document, apply_patch, make_patch

VALUES = st.recursive(
    st.booleans() | st.integers(-3, 3) | st.text(max_size=3) | st.floats(-2, 2),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(st.text(max_size=2), VALUES, max_size=4)


@given(DOCUMENTS, DOCUMENTS)
def test_a_patch_turns_one_document_into_the_other(before: Document, after: Document) -> None:
    assert apply_patch(before, make_patch(before, after)) == after


@given(DOCUMENTS)
def test_where_nothing_changed_there_is_no_patch(document: Document) -> None:
    assert make_patch(document, document) == {}


def test_only_what_changed_is_said() -> None:
    before: Document = {"evidence": {"e1": {"quote": "a"}, "e2": {"quote": "b"}}, "spend": 1}
    after: Document = {"evidence": {"e1": {"quote": "a"}, "e3": {"quote": "c"}}, "spend": 1}
    assert make_patch(before, after) == {"evidence": {"e2": None, "e3": {"quote": "c"}}}
