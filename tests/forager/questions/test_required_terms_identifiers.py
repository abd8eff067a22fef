import pytest

from forager.questions.required_terms import find_identifiers, unwritten_identifiers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is the default value of work_mem?", ("work_mem",)),
        ("What does `--keep-going` do, and what -k?", ("--keep-going",)),
        ("Does parseFloat or PARSE_FLOAT read “1,5”?", ("parseFloat", "PARSE_FLOAT")),
        ("Who built the Skarn lighthouse - and when?", ()),
        ("Is https://a.test/one_two or a well-known file meant?", ()),
        ("Did McDonald's open in Berlin?", ()),
        ("What does error code E6 mean on a D12?", ("E6", "D12")),
        ("Which standard is X9.62, and which is MP3?", ()),
    ],
)
def test_identifiers_of_a_question(text: str, found: tuple[str, ...]) -> None:
    assert find_identifiers(text) == found


def test_what_no_page_writes() -> None:
    pages = ["Set WORK_MEM.", "git commit --[no-]verify skips hooks."]
    question = "What do work_mem, shared_buffers, --no-verify and --force-all do?"
    assert unwritten_identifiers(question, pages) == ("shared_buffers", "--force-all")
    assert unwritten_identifiers("What is it?", pages) == ()
