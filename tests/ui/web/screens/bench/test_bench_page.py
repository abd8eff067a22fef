from streamlit.testing.v1 import AppTest

from graphs.experiments.result_rows import Row
from ui.server.backend import Backend
from ui.web.screens.bench.bench_page import read_results
from ui.web.screens.bench.result_tables import Outcome, chart_data, lay_side_by_side, summarize_rows
from ui.web.screens.bench.run_form import example_set, start_run


def row(graph: str, id: str, *, correct: bool) -> Row:
    return Row(
        graph=graph,
        graph_hash="0",
        model="offline",
        seed=0,
        id=id,
        type="fact",
        session=id,
        status="answered",
        answer="*Ona*",
        abstain=False,
        correct=correct,
        whole=correct,
        missing=(),
        pages=1,
        opened=1,
        citations=1,
        sentences=1,
        stops=1,
        quotes=1,
        verbatim=1,
        rounds=1,
        loads=3,
        fetched=3,
        calls=5,
        cold=False,
        before=0.1,
        seconds=2.0,
    )


ROWS = [row("forager", "a", correct=True), row("forager", "b", correct=False)]
ROWS += [row("mango", "a", correct=False)]
FILE = "".join(f"{each.model_dump_json()}\n" for each in ROWS)


def shown() -> None:
    from ui.web.screens.bench import bench_page  # noqa: PLC0415  # the script runs by itself

    bench_page.page()


def test_without_results_a_set_can_be_run(office: Backend) -> None:
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert not at.exception
    assert {each.label for each in at.selectbox} == {"Graph A", "Graph B", "Model"}
    assert at.code[0].value.startswith("./run bench answer")


def test_a_set_is_asked_of_two_graphs_and_graded_side_by_side(office: Backend) -> None:
    asked = example_set()[3:]
    name = start_run(asked, ("forager", "webwalker"), "offline", 5)
    at = AppTest.from_function(shown, default_timeout=60)
    at.query_params["file"] = name
    at.run()
    assert not at.exception
    assert not office.trials.now(name, office.settings, wait=60).going
    results = office.settings.data / "bench" / name
    at.run()
    assert not at.exception
    [line] = lay_side_by_side(read_results(name, results.read_bytes()).rows)
    assert line["question"] == "How many boats were lost in the storm of 1907?"
    outcome = line["forager"]
    assert isinstance(outcome, Outcome)
    assert (outcome.verdict, outcome.status) == ("✓ Right", "answered")
    assert line["webwalker"]
    assert len(at.table) == 1


def test_graphs_are_laid_side_by_side(office: Backend) -> None:
    folder = office.settings.data / "bench"
    folder.mkdir()
    (folder / "mine.jsonl").write_text(FILE + "no row\n")
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert not at.exception
    table = at.dataframe[0].value
    assert table["graph"].tolist() == ["forager", "mango"]
    assert table["Right, %"].tolist() == [50, 0]
    assert "1 line ignored: not a benchmark result." in [c.value for c in at.caption]


def test_right_and_wrong_stand_beside_each_other() -> None:
    first, second = lay_side_by_side(ROWS)
    right, wrong = first["forager"], first["mango"]
    assert (first["question"], second["question"]) == ("a", "b")
    assert right == Outcome("✓ Right", "answered", "*Ona*", 3, 0, 0, 2.0)
    assert isinstance(wrong, Outcome)
    assert (wrong.verdict, second["mango"]) == ("✗ Wrong", None)


def test_rows_are_summed_by_type_and_plotted_by_graph() -> None:
    rows = read_results("mine.jsonl", FILE.encode()).rows
    assert rows == ROWS
    assert [cells["type"] for cells in summarize_rows(rows, by_type=True)] == ["fact", "fact"]
    assert chart_data(rows, "Page loads") == [
        {"graph": "forager", "Page loads": 3},
        {"graph": "mango", "Page loads": 3},
    ]
