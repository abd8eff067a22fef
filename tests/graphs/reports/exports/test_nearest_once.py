"""A passage that stands for an answer that was not found is given once, and why it is none."""

from collections.abc import Callable

import pytest

from forager.domain.answers import NearestQuote, Quote
from graphs.reports.exports.document import Export
from graphs.reports.exports.html_format import as_html
from graphs.reports.exports.markdown_format import as_markdown
from graphs.reports.report import NEAREST
from tests.graphs.sample_export import MADE
from tests.ui.cli.printing.test_report_text import printed

SAID = "It has ten rounds."
QUOTE = Quote(id="E4", url="http://h/a", title="A page", quote=SAID)
WHY = "It gives no date."
VAIN = MADE.model_copy(
    update={
        "status": "abstained",
        "answer": f"A page: “{SAID}” [E4]",
        "citations": (QUOTE,),
        "evidence": (),
        "leads": (),
        "table": None,
        "nearest": NearestQuote(**QUOTE.model_dump(), why=WHY),
        "parts": ("answer",),
    }
)


@pytest.mark.parametrize("show", [as_markdown, as_html])
def test_a_document_gives_it_once(show: Callable[[Export], str]) -> None:
    text = show(VAIN)
    assert text.count(SAID) == text.count(WHY) == 1
    assert NEAREST not in text
    other = VAIN.model_copy(update={"answer": "", "citations": ()})
    assert NEAREST in show(other)


def test_the_command_line_gives_it_once() -> None:
    lines = " ".join(printed(VAIN).split())
    assert lines.count(SAID) == lines.count(WHY) == 1
    assert NEAREST not in lines
