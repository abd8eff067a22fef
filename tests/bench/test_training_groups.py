"""Groups of candidates from frequently asked questions, from SQuAD, and from beside an answer."""

from pathlib import Path

from bench.ranker.beside import beside_group, read_quoted
from bench.ranker.candidates import Asked, QuotedPage, WithoutLikeness, index_site, read_site
from bench.ranker.faq import asked_by, faq_groups
from bench.ranker.squad import Article, article_groups

FAQ = """<html lang=en><title>Lamp FAQ</title><h1>Questions</h1>
<ul><li>How do I trim the wick of the lamp?<li>Why does the lamp smoke in the wind?</ul>
<h2>1. How do I trim the wick of the lamp?</h2>
<p>Turn the brass wheel until a finger's width shows, and cut what stands above the rim.</p>
<h2>2. Why does the lamp smoke in the wind?</h2>
<p>Air reaches the flame from one side only, so that part of the oil of the lamp does not burn.</p>
<h2>Parts of the lamp</h2><p>The wick of the lamp is made of cotton and the lamp of brass.</p>"""
ARTICLE = Article.model_validate(
    {
        "title": "Holm_lighthouse",
        "paragraphs": [
            {
                "context": "The lighthouse of Holm stands 41 metres high. It is painted red.",
                "qas": [
                    {
                        "question": "How high is the lighthouse of Holm?",
                        "answers": [{"text": "41 metres", "answer_start": 30}],
                        "id": "56ddde6b9a695914005b9628",
                    },
                    {
                        "question": "Who painted the lighthouse?",
                        "answers": [],
                        "is_impossible": True,
                    },
                ],
            },
            {
                "context": "The lighthouse keeper of Holm lived in the village until 1950.",
                "qas": [],
            },
        ],
    }
)
EMBEDDER = WithoutLikeness("not needed for candidates")


def test_a_heading_that_asks_is_answered_by_its_section(tmp_path: Path) -> None:
    (tmp_path / "faq.html").write_text(FAQ)
    groups = list(faq_groups("lamp", read_site(tmp_path), EMBEDDER, limit=5))
    assert {group.question for group in groups} == {
        "How do I trim the wick of the lamp?",
        "Why does the lamp smoke in the wind?",
    }
    for group in groups:
        [answer] = [each.text for each in group.candidates if each.label == 1]
        assert ("brass wheel" in answer) == ("wick" in group.question)
        for each in group.candidates:
            assert group.question not in each.heading + each.before + each.text
    assert len(list(faq_groups("lamp", read_site(tmp_path), EMBEDDER, limit=1))) == 1


def test_a_heading_that_asks_nothing_is_no_question() -> None:
    assert asked_by("Q3: Can I use rape oil instead? ¶") == "Can I use rape oil instead?"
    assert not asked_by("Parts of the lamp")
    assert not asked_by("Why?")


def test_each_paragraph_of_an_article_is_a_page() -> None:
    high, painted = sorted(
        article_groups(ARTICLE, EMBEDDER, answered=1, impossible=1), key=lambda each: each.question
    )
    assert [each.text for each in high.candidates if each.label == 1] == [
        "The lighthouse of Holm stands 41 metres high."
    ]
    assert not painted.answerable
    assert not any(each.label for each in painted.candidates)


def test_what_stands_beside_the_answer_comes_first(tmp_path: Path) -> None:
    (tmp_path / "faq.html").write_text(FAQ)
    (tmp_path / "other.html").write_text("<p>Nobody quotes how lamps are trimmed here.</p>")
    row = Asked(
        site="lamp",
        question="When do I cut the wick of the lamp?",
        lang="en",
        answerable=True,
        answer=("shows",),
        pages=(QuotedPage(path="/faq.html", quote="until a finger's width shows, and cut"),),
    )
    pages = read_quoted([row], tmp_path)
    assert [page.title for page in pages] == ["Lamp FAQ"]
    group = beside_group(row, pages, index_site(pages, EMBEDDER.matcher), EMBEDDER)
    assert group
    before, after = group.candidates[:2]
    assert "the lamp smoke" in before.text + after.text
    assert before.label == after.label == 0
    assert ["finger" in each.text for each in group.candidates if each.label == 1] == [True]
    lost = row.model_copy(update={"pages": (QuotedPage(path="/faq.html", quote="No such words"),)})
    assert beside_group(lost, pages, index_site(pages, EMBEDDER.matcher), EMBEDDER) is None
