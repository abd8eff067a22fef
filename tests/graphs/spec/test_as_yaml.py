import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.spec.as_yaml import as_yaml
from graphs.spec.spec import Edge, GraphSpec, NodeSpec, load, parse, presets

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=60)


@pytest.mark.parametrize("name", presets())
def test_every_preset_comes_back_the_same(name: str) -> None:
    assert parse(as_yaml(load(name))).hash == load(name).hash


def test_it_reads_like_a_preset() -> None:
    spec = GraphSpec(
        name="small",
        nodes={
            "judge": NodeSpec(type="critic", prompts={"JudgePart": "Judge.\nBe strict."}),
            "answer": NodeSpec(type="answerer"),
        },
        edges=(Edge(source="start", target="judge"),),
        positions={"judge": (1, 2.5)},
        folds={"end of it": ("judge", "answer")},
    )
    assert as_yaml(spec) == (
        "name: small\n"
        "nodes:\n"
        "  judge:\n"
        "    type: critic\n"
        "    prompts:\n"
        "      JudgePart: |-\n"
        "        Judge.\n"
        "        Be strict.\n"
        "  answer: {type: answerer}\n"
        "edges:\n"
        "  - start -> judge\n"
        "positions: {judge: [1.0, 2.5]}\n"
        "folds: {end of it: [judge, answer]}\n"
    )
    assert parse(as_yaml(spec)) == spec


@given(st.dictionaries(NAMES, TEXTS | st.lists(TEXTS).map("\n".join), max_size=3), NAMES, TEXTS)
def test_whatever_is_told_comes_back(prompts: dict[str, str], name: str, text: str) -> None:
    node = NodeSpec(type="critic", params={"note": text}, prompts=prompts)
    spec = GraphSpec(name=name, description=text, nodes={name: node}, edges=())
    assert parse(as_yaml(spec)) == spec
