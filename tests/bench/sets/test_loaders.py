"""What the loaders read, and what they say of files that are none."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bench.sets import assistantbench, fanoutqa, frames, mind2web, webwalkerqa
from bench.sets.set_question import find_addresses
from forager.errors import UsageError
from tests.bench.samples import (
    FANOUT,
    FRAMES_ROW,
    TASK,
    WALKER,
    WEB_TASK,
    frames_file,
    json_file,
)

Load = Callable[[Path], Sequence[object]]
Public = Callable[[str], Path]

JSON_SETS: list[tuple[Load, dict[str, object], str]] = [
    (webwalkerqa.load_questions, WALKER, "Question"),
    (fanoutqa.load_questions, FANOUT, "question"),
    (assistantbench.load_tasks, TASK, "confirmed_task"),
    (mind2web.load_tasks, WEB_TASK, "action_reprs"),
]


def test_webwalkerqa(tmp_path: Path) -> None:
    first, second = webwalkerqa.load_questions(json_file(tmp_path, WALKER, WALKER))
    assert (first.id, second.id) == ("webwalkerqa-1", "webwalkerqa-2")
    assert (first.text, first.gold) == (WALKER["Question"], "Marta Lindqvist, in 1874")
    assert first.sites == ("https://coast.example/",)
    assert first.urls == ("https://coast.example/skarn", "https://coast.example/people#L")
    assert first.paths == (("Lighthouses", "Skarn"), ("People",))
    assert (first.kind, first.difficulty, first.lang) == ("multi_source", "hard", "en")


def test_fanoutqa(tmp_path: Path) -> None:
    [question] = fanoutqa.load_questions(json_file(tmp_path, FANOUT))
    assert question.gold == {"Skarn": 41.5, "Holm": "1,041 feet", "lit": True}
    assert isinstance(question.gold, dict)
    assert question.gold["lit"] is True
    assert question.urls == ("https://en.wikipedia.org/wiki/Skarn",)
    assert [part.answer for part in question.parts] == [41.5, ("1,041 feet", "317 m")]
    page = question.parts[0].evidence
    assert page is not None
    assert (page.pageid, page.revid) == (7, None)


def test_assistantbench(tmp_path: Path) -> None:
    [task] = assistantbench.load_tasks(json_file(tmp_path, TASK))
    assert (task.id, task.text, task.gold) == ("t1", TASK["confirmed_task"], TASK["answer"])
    assert (task.sites, task.start) == ((), "https://search.example/")


def test_frames(tmp_path: Path) -> None:
    [question] = frames.load_questions(frames_file(tmp_path, FRAMES_ROW))
    assert (question.id, question.text) == ("0", 'Which "Skarn" is older?')
    assert question.gold == "The lighthouse"
    assert question.urls == (
        "https://en.wikipedia.org/wiki/Skarn",
        "https://en.wikipedia.org/wiki/Holm,_Sweden",
        "https://en.wikipedia.org/wiki/Holm",
    )
    assert question.reasoning == ("Tabular", "Temporal")


def test_mind2web(tmp_path: Path) -> None:
    [task] = mind2web.load_tasks(json_file(tmp_path, WEB_TASK))
    steps = [(step.role, step.name, step.op, step.value) for step in task.actions]
    assert steps == [
        ("searchbox", "Port: or island", "TYPE", "Holm -> pier"),
        ("combobox", "Guests", "SELECT", "2 guests"),
        ("svg", "", "CLICK", ""),
        ("textbox", "Date", "ENTER", ""),
    ]
    assert [mind2web.parse_action(step.text) for step in task.actions] == list(task.actions)
    assert [step.text for step in task.actions] == WEB_TASK["action_reprs"]


@pytest.mark.parametrize(("load", "record", "key"), JSON_SETS)
def test_a_fault_is_told_with_its_record(
    tmp_path: Path, load: Load, record: dict[str, object], key: str
) -> None:
    lacking = {name: value for name, value in record.items() if name != key}
    with pytest.raises(
        UsageError, match=rf"record 2 is not a valid .*: {key}: Field required\. Correct it"
    ):
        load(json_file(tmp_path, record, lacking))


@pytest.mark.parametrize("load", [load for load, _, _ in JSON_SETS])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"id": "f1", "qu', "is not valid JSON: .* Download it again, or give a file in "),
        ("[" * 100_000, "is not valid JSON"),
        ("[]", "is not a JSON list of"),
        ('{"data": []}', "is not a JSON list of"),
        ("[7]", "record 1 is not a valid"),
        ("ID\tPrompt\n0\tWhich?\n", "is not valid JSON"),
    ],
)
def test_other_texts_are_refused(tmp_path: Path, load: Load, text: str, said: str) -> None:
    (tmp_path / "set.json").write_text(text)
    with pytest.raises(UsageError, match=said):
        load(tmp_path / "set.json")


@pytest.mark.parametrize("load", [load for load, _, _ in JSON_SETS])
def test_files_of_other_sets_are_refused(tmp_path: Path, load: Load) -> None:
    for other, record, _ in JSON_SETS:
        if other is not load:
            with pytest.raises(
                UsageError, match=r"record 1 is not a valid .* Correct it, or give a file"
            ):
                load(json_file(tmp_path, record))


@pytest.mark.parametrize("load", [*(load for load, _, _ in JSON_SETS), frames.load_questions])
def test_what_is_no_file_is_told(tmp_path: Path, load: Load) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "absent")
    (tmp_path / "latin").write_bytes(b"[\xe9]")
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "latin")


@pytest.mark.parametrize(
    ("load", "record"), [(load, record) for load, record, _ in JSON_SETS if record is not WALKER]
)
def test_an_id_stands_once(tmp_path: Path, load: Load, record: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="occurs twice"):
        load(json_file(tmp_path, record, record))


@pytest.mark.parametrize(
    ("load", "record", "said"),
    [
        (
            webwalkerqa.load_questions,
            {**WALKER, "type": "triple"},
            "type: Input should be 'single_source'",
        ),
        (fanoutqa.load_questions, {**FANOUT, "answer": {}}, "answer"),
        (fanoutqa.load_questions, {**FANOUT, "decomposition": []}, "decomposition"),
        (
            assistantbench.load_tasks,
            {**TASK, "answer": None},
            "answer: Input should be a valid string",
        ),
        (
            mind2web.load_tasks,
            {**WEB_TASK, "action_reprs": ["click it"]},
            "'click it' is not an action",
        ),
        (
            mind2web.load_tasks,
            {**WEB_TASK, "action_reprs": ["[a]  b -> FLY"]},
            "is not an action; write it",
        ),
    ],
)
def test_a_value_out_of_place_is_named(
    tmp_path: Path, load: Load, record: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        load(json_file(tmp_path, record))


def test_a_table_of_frames_is_checked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no questions"):
        frames.load_questions(frames_file(tmp_path))
    with pytest.raises(UsageError, match="'0' occurs twice"):
        frames.load_questions(frames_file(tmp_path, FRAMES_ROW, FRAMES_ROW))
    with pytest.raises(UsageError, match="record 1 is not a valid question of FRAMES: Answer"):
        frames.load_questions(frames_file(tmp_path, (*FRAMES_ROW[:3], "", *FRAMES_ROW[4:])))
    torn = frames_file(tmp_path, FRAMES_ROW)
    torn.write_text(torn.read_text()[:90])
    with pytest.raises(UsageError, match="record 1 is broken: unexpected end of data"):
        frames.load_questions(torn)
    with pytest.raises(UsageError, match="is not a FRAMES table: column 'ID' is missing"):
        frames.load_questions(json_file(tmp_path, FANOUT))


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("", ()),
        ("none known", ()),
        ("https://a.example", ("https://a.example",)),
        ("a.example/x,y z", ("https://a.example/x,y",)),
        ("http://a.example/;http://b.example/,", ("http://a.example/", "http://b.example/")),
    ],
)
def test_addresses_in_a_cell(cell: str, found: tuple[str, ...]) -> None:
    assert find_addresses(cell) == found


def test_the_public_files_are_read_whole(public: Public) -> None:
    walker = webwalkerqa.load_questions(public("webwalkerqa_test.json"))
    assert len(walker) == 680
    assert sum(len(question.urls) for question in walker) == 340 + 2 * 340
    fanout = fanoutqa.load_questions(public("fanoutqa_dev.json"))
    assert len(fanout) == 310
    assert all(question.urls for question in fanout)
    assert len(assistantbench.load_tasks(public("assistantbench_dev_gold.json"))) == 33
    table = frames.load_questions(public("frames_test.tsv"))
    assert len(table) == 824
    assert min(len(question.urls) for question in table) == 2
    tasks = mind2web.load_tasks(public("mind2web_train_actions.json"))
    assert (len(tasks), sum(len(task.actions) for task in tasks)) == (1009, 7775)
