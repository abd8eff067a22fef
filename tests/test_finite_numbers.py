"""No model takes NaN or an infinite number: what is stored is JSON, which has neither."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module

import pytest
from pydantic import BaseModel, ValidationError

import forager
import graphs
import nodes
from forager.adapters.store.sessions.session_records import NodeEvent
from forager.domain.spend import Budget, Spend

PACKAGES = (forager, graphs, nodes)
LEFT_OUT = ("migrations.env", "__main__")
"""Modules that run when they are imported."""


def models(base: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for model in base.__subclasses__():
        yield model
        yield from models(model)


def has_number(model: type[BaseModel]) -> bool:
    fields = model.model_fields.values()
    return any("float" in str(each.annotation) for each in fields)


def test_every_model_with_numbers_refuses_those_that_are_not_finite() -> None:
    names = {package.__name__ for package in PACKAGES}
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith(LEFT_OUT):
                import_module(module.name)
    ours = {each for each in models(BaseModel) if each.__module__.partition(".")[0] in names}
    assert len(ours) > 100
    lax = {
        each.__qualname__
        for each in ours
        if has_number(each) and each.model_config.get("allow_inf_nan") is not False
    }
    assert lax == {"CompatibleChat"}  # a class of LangChain, never stored


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_values_and_json_with_such_numbers_are_refused(number: str) -> None:
    with pytest.raises(ValidationError):
        Budget.model_validate_json(f'{{"seconds": {number}}}')
    with pytest.raises(ValidationError):
        Spend.model_validate_json(f'{{"usd": {number}}}')
    event = f'"seq": 1, "time": 1, "node": "", "kind": "", "message": "", "data": {{"x": {number}}}'
    with pytest.raises(ValidationError):
        NodeEvent.model_validate_json(f"{{{event}}}")
