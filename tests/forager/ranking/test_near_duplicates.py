from forager.domain.survey import SearchResult
from forager.ranking.near_duplicates import MAX_COPIES, SeenResults

WORDS = "The old harbour was dredged by an engineer of the town, with a crew of men"


def result(title: str, snippet: str) -> SearchResult:
    return SearchResult(url=f"http://h/{title}", title=title, snippet=snippet, rank=1, source="x")


def test_copies_count_as_one_even_with_numbered_titles() -> None:
    seen = SeenResults()
    new = [seen.is_new(result(f"Harbour {n}", WORDS)) for n in range(200)]
    assert new == [True] + [False] * 199


def test_a_few_copies_with_different_numbers_are_kept() -> None:
    seen = SeenResults()
    new = [seen.is_new(result("Harbour", f"{WORDS} in {1900 + n}")) for n in range(200)]
    assert sum(new) == MAX_COPIES


def test_a_seen_result_is_not_new() -> None:
    assert not SeenResults([result("Harbour", WORDS)]).is_new(result("Harbour", WORDS))


def test_different_words_are_another_page() -> None:
    seen = SeenResults([result("Harbour", WORDS)])
    assert seen.is_new(
        result("Harbour", "Boats are let by the hour at the pier, every day but Monday")
    )


def test_results_with_few_words_are_always_new() -> None:
    seen = SeenResults()
    assert all(seen.is_new(result("Harbour", "")) for _ in range(5))
