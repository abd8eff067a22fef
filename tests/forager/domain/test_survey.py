from forager.domain.survey import NOT_THE_WEB, join_pages


def test_pages_that_answered_alike_are_counted() -> None:
    gone = [f"http://127.0.0.1:9/{name} answered 404 Not Found." for name in "abc"]
    one = "https://ona.test/ answered 503 Service Unavailable."
    told = (NOT_THE_WEB, *gone[:2], one, gone[0], gone[2], one)
    assert join_pages(told) == (NOT_THE_WEB, "3 pages answered 404 Not Found.", one)
