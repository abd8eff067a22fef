"""The weights of small logistic models, as files in `forager/data`."""

from collections.abc import Mapping

from pydantic import BaseModel

from forager.data.word_lists import FOLDER


class SignWeights(BaseModel, allow_inf_nan=False):
    """What each sign adds to the log-odds, and from which log-odds something is taken."""

    least: float = 0.0
    signs: dict[str, float]

    def log_odds(self, sizes: Mapping[str, float]) -> float:
        """The sum of what signs of these sizes add; unknown ones add nothing."""
        return sum(self.signs.get(name, 0.0) * size for name, size in sizes.items())


def read_sign_weights(name: str) -> SignWeights:
    """The weights of the file `NAME.json`."""
    return SignWeights.model_validate_json((FOLDER / f"{name}.json").read_text("utf-8"))
