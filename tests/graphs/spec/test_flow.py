import itertools

from hypothesis import given
from hypothesis import strategies as st

from graphs.spec.flow import find_loops, find_reached, keys_written, reverse_arrows, trace_path

NODES = st.sampled_from("abcdef")
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=3, unique=True))
KEYS = st.frozensets(st.sampled_from("xyz"))


@given(GRAPHS, NODES)
def test_paths_follow_arrows(arrows: dict[str, list[str]], start: str) -> None:
    before = find_reached(start, arrows)
    for node in before:
        way = trace_path(before, node)
        assert way[0] == start
        assert way[-1] == node
        assert all(b in arrows[a] for a, b in itertools.pairwise(way))


@given(GRAPHS, NODES, NODES)
def test_what_is_reached_forwards_is_reached_backwards(
    arrows: dict[str, list[str]], one: str, other: str
) -> None:
    assert (other in find_reached(one, arrows)) == (
        one in find_reached(other, reverse_arrows(arrows))
    )


def test_closed_nodes_are_reached_and_not_passed() -> None:
    assert set(find_reached("a", {"a": "b", "b": "c"}, without="b")) == {"a", "b"}


@given(GRAPHS)
def test_loops_are_valid_and_complete(arrows: dict[str, list[str]]) -> None:
    found = find_loops(arrows)
    for loop in found:
        assert loop[0] == loop[-1]
        assert all(b in arrows[a] for a, b in itertools.pairwise(loop))
    circular = any(
        node in find_reached(successor, arrows)
        for node, nexts in arrows.items()
        for successor in nexts
    )
    assert bool(found) == circular


@given(GRAPHS, st.dictionaries(NODES, KEYS))
def test_written_key_is_written_on_a_shortest_path(
    arrows: dict[str, list[str]], writes: dict[str, frozenset[str]]
) -> None:
    before = find_reached("a", arrows)
    for node, keys in keys_written("a", arrows, writes, frozenset("g")).items():
        on_the_way = [writes.get(other, frozenset()) for other in trace_path(before, node)[:-1]]
        assert keys <= frozenset("g").union(*on_the_way)


def test_key_must_be_written_on_both_paths() -> None:
    arrows = {"a": "bc", "b": "d", "c": "d"}
    both = {"b": frozenset("xy"), "c": frozenset("x")}
    assert keys_written("a", arrows, both, frozenset())["d"] == frozenset("x")
