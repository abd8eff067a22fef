"""Users' own node types: loaded from one folder, each mistake reported with a remedy."""

from pathlib import Path

import pytest

from forager.errors import NodeError
from forager.settings import Settings, settings_from
from graphs.check.checker import find_faults
from graphs.spec.plugins import load_registry, plugin_folder
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import GraphSpec, NodeSpec, load_graph
from graphs.system.doctor import check_own_nodes

GOOD = '''
from forager.domain.base import Frozen
from forager.node_type import NodeType, next_route


class Params(Frozen):
    """None."""


async def idle(state, ports, params):
    return {}

IDLE = NodeType(
    name="idle", family="judge", summary="Does nothing.", function=idle, params=Params,
    routes=("next",), route=next_route, writes=frozenset({"feedback"}),
)
'''
MEND = "Correct the file, or remove its name from FORAGER_OWN_NODES."


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "nodes").mkdir()
    return Settings(data=tmp_path, own_nodes=("idle.py",))


def put(settings: Settings, text: str, name: str = "idle.py") -> Path:
    path = plugin_folder(settings) / name
    path.write_text(text, encoding="utf-8")
    return path


def fault(settings: Settings) -> NodeError:
    """The fault of the only file, from which no type was added."""
    types = load_registry(settings)
    assert dict(types) == REGISTRY
    (only,) = types.faults
    return only


def with_idle(name: str = "mango") -> GraphSpec:
    spec = load_graph(name)
    return spec.model_copy(update={"nodes": {**spec.nodes, "idle": NodeSpec(type="idle")}})


def unknown(settings: Settings) -> str:
    """The checker's finding for a node of an unknown type."""
    (finding,) = (
        each for each in find_faults(with_idle(), load_registry(settings)) if each.at == "idle"
    )
    return str(finding)


def test_a_file_adds_its_types(settings: Settings) -> None:
    put(settings, GOOD)
    types = load_registry(settings)
    assert types.keys() - REGISTRY.keys() == {"idle"}
    assert (types["idle"].own, types.faults) == ("idle.py", ())
    assert not any("no node type" in each.message for each in find_faults(with_idle(), types))
    (own,) = check_own_nodes(settings)
    assert (own.state, own.found) == ("ok", "idle of idle.py")


def test_a_changed_file_counts_at_once(settings: Settings) -> None:
    put(settings, GOOD)
    assert load_registry(settings)["idle"].summary == "Does nothing."
    put(settings, GOOD.replace("Does nothing", "Does very little"))
    assert load_registry(settings)["idle"].summary == "Does very little."
    assert sorted(each.name for each in plugin_folder(settings).iterdir()) == ["idle.py"]


def test_unknown_type_names_the_setting_for_own_files(settings: Settings) -> None:
    assert "the own nodes of 'idle.py' cannot be read: no such file" in unknown(settings).lower()
    none = settings.model_copy(update={"own_nodes": ()})
    assert "If it is your own, name its file in FORAGER_OWN_NODES." in unknown(none)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("IDLE = NodeType(", "IDLE = NodeType((", "'idle.py' cannot be read: SyntaxError"),
        ("return {}", "return {", "SyntaxError: '{' was never closed, line 11"),
        (
            "IDLE =",
            "raise SystemExit(5)\nIDLE =",
            "'idle.py' cannot be read: SystemExit: 5, line 13",
        ),
        ("IDLE =", "1 / 0\nIDLE =", "ZeroDivisionError: division by zero, line 13"),
        ("next_route\n", "next_rotue\n", "ImportError: cannot import name 'next_rotue'"),
        ("IDLE = NodeType(", "dict(", "'idle.py' defines no node type"),
        (", params=Params", "", "TypeError: NodeType.__init__() missing 1 required keyword"),
        ('name="idle"', 'name="Idle"', "or has other characters than lower-case letters"),
        ('name="idle"', 'name="graph"', "its name is reserved"),
        ('name="idle"', 'name="critic"', "Forager already has a type of that name"),
        ('"feedback"', '"feedbak"', "the state has no key 'feedbak'; it has answer, arms"),
        ('"feedback"', '"spend"', "no node may write the key 'spend'"),
        ("async def", "def", "its function is not an `async def`"),
        ('routes=("next",)', "routes=()", "it needs at least one route"),
        ("(Frozen)", "", "its parameters are not derived from forager.domain.base.Frozen"),
        ("params=Params", "params=3", "TypeError"),
        ("params=Params", "params=Params, tasks=(Params,)", "its tasks are not"),
    ],
)
def test_mistake_in_a_plugin_is_reported(settings: Settings, old: str, new: str, said: str) -> None:
    assert old in GOOD
    put(settings, GOOD.replace(old, new, 1))
    told = fault(settings)
    assert said in told.what
    assert told.mend
    if "graph" not in new and "critic" not in new:
        assert told.what in unknown(settings)
    (own,) = check_own_nodes(settings)
    assert (own.state, own.found, own.mend) == ("missing", told.what, told.mend)


def test_broken_file_does_not_affect_the_others(settings: Settings) -> None:
    both = settings.model_copy(update={"own_nodes": ("broken.py", "idle.py")})
    put(both, GOOD)
    put(both, "oh no", "broken.py")
    assert "idle" in load_registry(both)
    assert find_faults(load_graph("mango"), load_registry(both)) == ()


def test_two_files_cannot_have_one_type(settings: Settings) -> None:
    both = settings.model_copy(update={"own_nodes": ("idle.py", "other.py")})
    put(both, GOOD)
    put(both, GOOD, "other.py")
    (told,) = load_registry(both).faults
    assert "'idle' of 'other.py' is not valid: idle.py already has a type of that name" in told.what


def test_files_outside_the_folder_are_refused(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "away.py").write_text(GOOD)
    (plugin_folder(settings) / "link.py").symlink_to(tmp_path / "away.py")
    put(settings, GOOD, "idle.txt")
    for name in ("../away.py", str(tmp_path / "away.py"), "link.py", "idle.txt"):
        told = fault(settings.model_copy(update={"own_nodes": (name,)}))
        assert "is not a Python file in" in told.what
        assert "put the file there" in told.mend


def test_world_writable_files_are_refused(settings: Settings) -> None:
    path = put(settings, GOOD)
    path.chmod(0o666)
    assert fault(settings).mend == f"Run: chmod o-w {path.resolve()}"
    path.chmod(0o644)
    plugin_folder(settings).chmod(0o777)
    assert "Every user of this machine can write to" in fault(settings).what
    plugin_folder(settings).chmod(0o755)
    assert "idle" in load_registry(settings)


def test_another_folder_can_be_named(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "idle.py").write_text(GOOD)
    elsewhere = settings.model_copy(update={"own_nodes_folder": tmp_path / "mine"})
    assert "idle" in load_registry(elsewhere)


def test_files_are_named_with_commas(tmp_path: Path) -> None:
    file = tmp_path / "env"
    file.write_text("FORAGER_OWN_NODES=Fresh.py, deep/other.py\n")
    assert settings_from(file).own_nodes == ("Fresh.py", "deep/other.py")


ROUTED = """
from forager.domain.base import Frozen
from forager.node_type import NodeType, ParamFault


class Params(Frozen):
    ways: tuple[str, ...] = ("on",)


async def idle(state, ports, params):
    return {}


def by_params(params):
    return {"routes": params.ways, "route": lambda state: params.ways[0]}


def faults(params):
    if "off" in params.ways:
        yield ParamFault(param="ways", message="It is off.", mend="Turn it on.")
    1 / ("zero" not in params.ways)


IDLE = NodeType(
    name="idle", family="judge", summary="Has routes.", function=idle, params=Params,
    routes=("on",), route=lambda state: "on", by_params=by_params, faults=faults,
)
"""


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        (["up", "down"], ""),
        (["off"], "It is off. Turn it on."),
        (["zero"], "its parameters: ZeroDivisionError: division by zero, line"),
    ],
)
def test_routes_of_a_plugin_may_depend_on_parameters(
    settings: Settings, ways: list[str], said: str
) -> None:
    put(settings, ROUTED)
    types = load_registry(settings)
    kind = types["idle"].for_params({"ways": list(ways)})
    assert kind.routes == tuple(ways)
    params = kind.params.model_validate({"ways": ways})
    found = " ".join(f"{each.message} {each.mend}" for each in kind.faults(params))
    assert said in found
    assert bool(said) == bool(found)
