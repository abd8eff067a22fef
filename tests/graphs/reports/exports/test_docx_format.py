"""The Word document, read back."""

import io
import zipfile

import docx
import pytest
from docx.document import Document
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from forager.domain.answers import Quote
from graphs.reports.exports.document import Export
from graphs.reports.exports.docx_format import as_docx
from tests.graphs.reports.exports.test_formats import led_export
from tests.graphs.sample_export import MADE, TABLE

ANSWER = """Three **things** and `code`:

- one [e1]
  - inside
1874. It was built.

| Name | Height |
| --- | --- |
| Skarn | 32 m [e1] |

```python
def light(on):

    return "<b>"
```
"""
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def read(export: Export) -> Document:
    return docx.Document(io.BytesIO(as_docx(export)))


def answered(text: str) -> Document:
    return read(MADE.model_copy(update={"answer": text}))


def test_headings_lists_tables_and_code_are_those_of_word() -> None:
    document = answered(ANSWER)
    shown = [(each.style.name, each.text) for each in document.paragraphs if each.style]
    assert shown[0] == ("Heading 1", "Why?")
    assert ("Normal", "Three things and code:") in shown
    assert ("List Bullet", "one [1]") in shown
    assert ("Normal", "1874.\tIt was built.") in shown
    assert ("Code", 'def light(on):\n\n    return "<b>"') in shown
    assert ("Heading 2", "Sources") in shown
    [table] = document.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Name", "Height"],
        ["Skarn", "32 m [1]"],
    ]
    assert document.core_properties.title == "Why?"
    assert document.core_properties.subject == "Partly answered"


def test_the_words_that_answer_are_bold() -> None:
    document = read(led_export("Use --halt to end it.", "--halt"))
    bold = [run.text for each in document.paragraphs for run in each.runs if run.bold]
    assert bold[:2] == ["--halt", "--halt"]


def test_numbers_lead_to_the_sources_and_titles_to_the_pages() -> None:
    document = read(MADE.model_copy(update={"table": TABLE}))
    links = [link for each in document.paragraphs for link in each.hyperlinks]
    links += [link for each in document.tables[0]._cells for link in each.paragraphs[0].hyperlinks]
    marks = {each.get(f"{W}name") for each in document.element.iter(f"{W}bookmarkStart")}
    assert {link.fragment for link in links if not link.address} == marks == {"source_1"}
    assert "http://h/a(b)#:~:text=a,line" in {link.url for link in links}
    assert "http://h/a(b)" in "\n".join(each.text for each in document.paragraphs)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "file:///etc/passwd", "http://[", "http://h:x/", "x", ""]
)
def test_other_addresses_are_text(url: str) -> None:
    quote = Quote(id="e1", url=url, title="T", quote="q")
    changes = {"citations": (quote,), "evidence": ()}
    with zipfile.ZipFile(io.BytesIO(as_docx(MADE.model_copy(update=changes)))) as files:
        [relations] = [name for name in files.namelist() if name.endswith("document.xml.rels")]
        assert "External" not in files.read(relations).decode()


@settings(max_examples=6)
@given(st.text(max_size=40))
def test_any_text_makes_a_file_that_opens(text: str) -> None:
    hard = f"{text}\x00\x0b\x1b\ud800\ufffe</w:t>]]>&"
    quote = Quote(id="e1", url=f"http://h/{text}", title=hard, quote=hard)
    changes = {"question": hard, "answer": f"{hard} [e1]", "citations": (quote,), "evidence": ()}
    body = as_docx(MADE.model_copy(update=changes))
    with zipfile.ZipFile(io.BytesIO(body)) as files:
        for name in files.namelist():
            if name.endswith((".xml", ".rels")):
                etree.fromstring(files.read(name))
    said = "\n".join(each.text for each in docx.Document(io.BytesIO(body)).paragraphs)
    assert "</w:t>]]>&" in said
