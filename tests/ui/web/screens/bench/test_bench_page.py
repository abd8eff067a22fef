from streamlit.testing.v1 import AppTest

from graphs.experiments.result_rows import Cost, Row
from graphs.spec.diff import Difference
from ui.server.space_backend import Backend
from ui.web.graph_names import name_graph
from ui.web.screens.bench.bench_page import list_result_files, read_results
from ui.web.screens.bench.result_tables import Outcome, chart_data, lay_side_by_side, summarize_rows
from ui.web.screens.bench.run_form import example_set, start_run
from ui.web.screens.graphs.version_list import label_parameters


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


def test_a_partly_answered_question_is_partly_right() -> None:
    half = row("mango", "b", correct=True).model_copy(update={"status": "partial"})
    rows = [*ROWS, half]
    (_, line) = lay_side_by_side(rows)
    verdicts = [outcome.verdict for outcome in line.outcomes.values() if outcome]
    assert verdicts == ["✗ Wrong", "◐ Partly right"]
    cells = summarize_rows(rows, by_type=False)
    assert [each["Right, %"] for each in cells] == [50, 0]
    assert [each["Partly right, %"] for each in cells] == [0, 50]


def test_what_is_none_everywhere_has_no_column(office: Backend) -> None:
    (office.settings.data / "bench").mkdir(exist_ok=True)
    (office.settings.data / "bench" / "dev.jsonl").write_text(FILE)
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert not at.exception
    columns = set(at.dataframe[0].value.columns)
    assert {"Method", "Right, %", "Answered, %", "Page loads"} <= columns
    assert columns.isdisjoint({"Calls", "Tokens", "US dollars", "Partly right, %"})
    assert at.header[0].value.replace("\\", "") == "Best pages first, Site map first: 2 questions"
    told = next(each.value for each in at.caption if "the methods differ in" in each.value)
    assert told.endswith("the methods differ in 1 of 2. Different: “a” (right or wrong).")


def test_without_results_a_set_can_be_run(office: Backend) -> None:
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert not at.exception
    assert {each.label for each in at.selectbox} == {"Method A", "Method B", "Model"}
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
    assert line.question == asked[0].question
    outcome = line.outcomes["Best pages first"]
    assert outcome
    assert (outcome.verdict, outcome.status) == ("✓ Right", "answered")
    assert line.outcomes["Link by link"]
    assert "Model: none, the built-in rules answered" in unescaped(at)


def test_graphs_are_laid_side_by_side(office: Backend) -> None:
    folder = office.settings.data / "bench"
    folder.mkdir()
    (folder / "mine.jsonl").write_text(FILE + "no row\n")
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert not at.exception
    table = at.dataframe[0].value
    assert table["Method"].tolist() == ["Best pages first", "Site map first"]
    assert table["Right, %"].tolist() == [50, 0]
    assert "1 line ignored: not a benchmark result." in [c.value for c in at.caption]


def charts() -> None:
    from tests.ui.web.screens.bench.test_bench_page import ROWS  # noqa: PLC0415  # as above
    from ui.web.screens.bench.result_tables import result_tables  # noqa: PLC0415

    result_tables(ROWS, (), "3 of 4 answers")


def test_the_charts_of_a_run_that_goes_on_say_how_far_it_has_come(office: Backend) -> None:
    at = AppTest.from_function(charts, default_timeout=30).run()
    assert not at.exception
    titles = [each.value for each in at.caption if "3 of 4 answers" in each.value]
    measures = ("Right, %", "Page loads", "Seconds")
    assert titles == [f"{measure} · 3 of 4 answers" for measure in measures]


def test_graphs_are_told_apart_once_both_have_answered(office: Backend) -> None:
    folder = office.settings.data / "bench"
    folder.mkdir()
    change = Difference(sign="~", at="judge", message="enough: 1 instead of 2")
    rows = [each.model_copy(update={"differences": (change,)}) for each in ROWS]
    told: list[list[str]] = []
    for count in (2, 3):
        lines = "".join(f"{each.model_dump_json()}\n" for each in rows[:count])
        (folder / "mine.jsonl").write_text(lines)
        at = AppTest.from_function(shown, default_timeout=30).run()
        assert not at.exception
        told.append([each.label for each in at.expander if each.label.startswith("From")])
    assert told[0] == []
    assert told[1][0].startswith("From Best pages first to Site map first: ")


def test_differences_name_parameters_as_their_fields_do() -> None:
    told = ("max_links 3 → 5", "no longer light 30", "enough: 1 instead of 2", "new edge")
    shown = ["Max links 3 → 5", "no longer Light crawl 30", "enough: 1 instead of 2", "new edge"]
    assert [label_parameters(each) for each in told] == shown


def test_right_and_wrong_stand_beside_each_other() -> None:
    first, second = lay_side_by_side(ROWS)
    right, wrong = first.outcomes["Best pages first"], first.outcomes["Site map first"]
    assert (first.question, second.question) == ("a", "b")
    assert right == Outcome("✓ Right", "answered", "*Ona*", 3, 0, 0, 2.0, "a")
    assert wrong
    assert (wrong.verdict, second.outcomes["Site map first"]) == ("✗ Wrong", None)


def test_lines_say_in_what_the_graphs_differ() -> None:
    first, second = lay_side_by_side(ROWS)
    assert (first.differ, second.differ) == (("right or wrong",), ())
    words = {"status": "abstained", "answer": "*ONA* \n", "correct": True}
    other = ROWS[2].model_copy(update=words)
    assert lay_side_by_side([ROWS[0], other])[0].differ == ("status",)
    other = other.model_copy(update={"answer": "Ines", "status": "answered"})
    assert lay_side_by_side([ROWS[0], other])[0].differ == ("answer",)


def test_the_whole_answer_is_there_without_the_marks_of_citations() -> None:
    long = "The lens was ground by Marius Feld [e1]. " * 20
    [line] = lay_side_by_side([ROWS[0].model_copy(update={"answer": long})])
    outcome = line.outcomes["Best pages first"]
    assert outcome
    assert len(outcome.answer) > 600
    assert "[e1]" not in outcome.answer


def captions(rows: list[Row], office: Backend) -> str:
    folder = office.settings.data / "bench"
    folder.mkdir(exist_ok=True)
    (folder / "mine.jsonl").write_text("".join(f"{each.model_dump_json()}\n" for each in rows))
    at = AppTest.from_function(shown, default_timeout=30).run()
    assert not at.exception
    return unescaped(at)


def unescaped(at: AppTest) -> str:
    return " | ".join(each.value for each in at.caption).replace("\\", "").replace("\u2060", "")


def test_the_models_that_replied_are_told(office: Backend) -> None:
    cost = Cost(calls=2, models=("mini-2026", "judge-2"))
    asked = [each.model_copy(update={"model": "openai:mini", "cost": cost}) for each in ROWS]
    assert "Model: mini-2026, judge-2" in captions(asked, office)
    silent = asked[2].model_copy(update={"cost": Cost()})
    told = captions([*asked[:2], silent], office)
    assert "Best pages first: mini-2026, judge-2 · Site map first: openai:mini, never asked" in told


def test_rows_are_summed_by_type_and_plotted_by_graph() -> None:
    rows = read_results("mine.jsonl", FILE.encode()).rows
    assert rows == ROWS
    assert [cells["type"] for cells in summarize_rows(rows, by_type=True)] == ["fact", "fact"]
    assert chart_data(rows, "Page loads") == [
        {"method": "Best pages first", "Page loads": 3},
        {"method": "Site map first", "Page loads": 3},
    ]


def test_a_result_file_that_nobody_named_has_the_names_of_its_methods(office: Backend) -> None:
    folder = office.settings.data / "bench"
    folder.mkdir()
    for name in ("try-1130-064500.jsonl", "my-own.jsonl"):
        (folder / name).write_text(FILE)
    titles = {name: file.as_choice()["title"] for name, file in list_result_files().items()}
    assert titles == {
        "try-1130-064500.jsonl": "Best pages first, Site map first",
        "my-own.jsonl": "my own",
    }


def test_a_method_has_one_name_with_what_tells_it_from_others() -> None:
    names = ("mango", "mango@2", "mango (rounds=3)", "mango, as drawn", "mangold", "my-mango")
    assert [name_graph(name) for name in names] == [
        "Site map first",
        "Site map first@2",
        "Site map first (rounds=3)",
        "Site map first, as drawn",
        "mangold",
        "my-mango",
    ]
