from pathlib import Path

import pytest

from graphs.spec.registry import REGISTRY
from graphs.spec.spec import PRESETS, preset_names
from tests.graphs.spec.test_plugins_page import block, graph
from tests.ui.conftest import Forager
from tests.ui.server.handbook.test_markdown_pages import LINK
from ui.server.handbook.demo_questions import QUESTIONS
from ui.server.handbook.markdown_pages import read_pages, render_pages
from ui.server.handbook.reference_pages import generate_pages


def test_the_demo_answers_its_three_questions(forager: Forager, tmp_path: Path) -> None:
    result = forager("demo")
    assert result.exit_code == 0, result.output
    for asked in QUESTIONS:
        assert f"which needs {asked.needs}\n{asked.text}\n" in result.stdout
    assert result.stdout.count("answered · ") == 3
    for said in ("is refused, whoever wrote it", "10 rounds", "24 hours", "3 means partial"):
        assert said in result.stdout
    for said in ("arXiv 2604.18779", "384 dimensions"):
        assert said in result.stdout
    assert "forager ask" in result.stdout.splitlines()[-4]
    assert not (tmp_path / "data").exists()


def test_the_demo_asks_another_question_with_another_graph(
    forager: Forager, tmp_path: Path
) -> None:
    nodes = tmp_path / "data" / "nodes"
    nodes.mkdir(parents=True)
    (nodes / "fresh.py").write_text(block("python"), encoding="utf-8")
    (tmp_path / "my.yaml").write_text(graph(), encoding="utf-8")
    question = "Which pages does Forager read when the demo asks this handbook?"
    result = forager(
        "demo", question, "--graph", str(tmp_path / "my.yaml"), FORAGER_OWN_NODES="fresh.py"
    )
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{question}\n")
    assert "reads the same pages that you read here" in result.stdout
    assert result.stdout.count("answered · ") == 1
    assert list((tmp_path / "data").iterdir()) == [nodes]


def test_the_demo_sets_a_parameter_of_the_graph(forager: Forager, tmp_path: Path) -> None:
    text = (PRESETS / "forager.yaml").read_text(encoding="utf-8")
    file = tmp_path / "bounded.yaml"
    file.write_text(
        f"{text}\nparameters:\n  most: {{type: integer, default: 3}}\n", encoding="utf-8"
    )
    result = forager("demo", "What is 2", "--graph", str(file), "--set", "most=many")
    assert result.exit_code == 2, result.output
    assert "The parameter 'most' cannot be 'many'." in result.stderr


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    made = render_pages(read_pages() | generate_pages(REGISTRY))
    return {path: page.decode() for path, page in made.items()}


def test_every_preset_has_its_page_and_drawing(pages: dict[str, str]) -> None:
    for name in preset_names():
        page = pages[f"/preset-{name}.html"]
        assert "flowchart TD" in page
        assert "<code>answer.end -&gt; end</code>" in page


def test_every_node_type_stands_with_its_parameters(pages: dict[str, str]) -> None:
    page = pages["/node-types.html"]
    for kind in REGISTRY.values():
        assert f"<h2>{kind.name}</h2>" in page
        for name in kind.params.model_fields:
            assert f"<code>{name}</code>" in page


def test_every_setting_stands_with_its_variable_and_meaning(pages: dict[str, str]) -> None:
    page = pages["/settings.html"]
    assert "<code>FORAGER_MAX_BYTES</code>" in page
    assert "<code>10000000</code>" in page
    assert "<code>~/.local/share/forager</code>" in page
    assert "<td></td>" not in page


def test_generated_pages_are_in_the_menu(pages: dict[str, str]) -> None:
    for page in pages.values():
        assert pages.keys() >= set(LINK.findall(page))
        assert "/settings.html" in LINK.findall(page)
