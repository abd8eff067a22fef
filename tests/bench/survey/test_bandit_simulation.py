"""The simulation is seeded, and shows what it is there to show."""

from io import StringIO

from rich.console import Console

from bench.survey.bandit_simulation import (
    METHODS,
    World,
    format_table,
    share_found,
    simulate_bandit,
)


def test_rows_are_seeded_and_shown() -> None:
    rows = list(simulate_bandit(3, seed=1))
    assert rows == list(simulate_bandit(3, seed=1))
    assert [(row.arms, row.reflector, row.gold) for row in rows[:4]] == [
        (10, "lenient", 1),
        (10, "lenient", 5),
        (10, "lenient", 10),
        (10, "strict", 1),
    ]
    text = StringIO()
    Console(file=text, width=120).print(format_table(rows))
    assert all(method in text.getvalue() for method in METHODS)


def test_a_lenient_reflector_costs_mango_what_it_does_not_cost_forager() -> None:
    world = World(arms=10, gold=5, feasible=0.7, signal=0.5, noise=0.1)
    mango, forager = (share_found(world, method, 400) for method in ("mango", "forager"))
    assert mango < 0.42
    assert forager > mango + 0.1


def test_one_pass_finds_gold_as_often_as_gold_answers() -> None:
    world = World(arms=10, gold=10, feasible=0.2, signal=0.5, noise=0.1)
    assert 0.42 < share_found(world, "greedy, once", 400) < 0.58
