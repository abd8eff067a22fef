"""The fixtures of the models' tests, which recordings of a model need too."""

from tests.forager.adapters.models.conftest import asking, endpoint

__all__ = ["asking", "endpoint"]
