"""Questions that the handbook answers, for the demo and for the examples of the web UI."""

from typing import NamedTuple

GRAPH = "forager"


class DemoQuestion(NamedTuple):
    """A question, and what it takes to answer it."""

    needs: str
    text: str


QUESTIONS = (
    DemoQuestion("one page", "What happens to a quote that does not stand in the stored page?"),
    DemoQuestion(
        "two pages",
        "How many rounds does a question get by default, and after how many hours is a survey "
        "revalidated?",
    ),
    DemoQuestion(
        "several pages",
        "Which exit code means partial, which arXiv paper does the preset mango follow, and how "
        "many dimensions have the vectors of the built-in embedder?",
    ),
)
