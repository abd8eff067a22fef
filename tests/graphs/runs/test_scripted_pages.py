"""A page whose words come by script is read in the browser, whatever the graph."""

from pathlib import Path

import pytest

from forager.domain.state import Question
from tests.browsers import needs_browser
from tests.graphs.worker import opened
from tests.servers import Site

FACT = "The tower of Skarn was built in 1887 by Ottilie Brandt."
SHELL = f"""<title>Skarn</title><noscript>Please enable JavaScript.</noscript>
<div id="root"></div><script>
document.querySelector("#root").innerHTML = "<h1>The tower</h1><p>{FACT}</p>";
</script>"""


@needs_browser
@pytest.mark.parametrize("graph", ["forager", "webwalker", "mango", "abreast", "infogent"])
async def test_words_that_a_script_writes_are_quoted(graph: str, tmp_path: Path) -> None:
    with Site({"/": SHELL}) as site:
        question = Question(text="Who built the tower of Skarn?", sites=(site.url(),))
        async with opened(tmp_path, str(site.port)) as sessions:
            report = await sessions.run(await sessions.start(question, graph, "offline"))
    assert FACT in report.answer
