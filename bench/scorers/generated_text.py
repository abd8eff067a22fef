"""ROUGE and BLEURT of free text, by the authors' packages (dependency group `scoring`)."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from forager.errors import UsageError

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL")


def rouge_scores(references: Sequence[str], answers: Sequence[str]) -> dict[str, list[float]]:
    """Return the F1 of ROUGE-1, -2 and -L of each answer, with stems. Raises UsageError."""
    module = _import_package(
        "rouge_score.rouge_scorer", "ROUGE", "Install the dependency group `scoring`."
    )
    scorer = module.RougeScorer(ROUGE_TYPES, use_stemmer=True)
    found = [scorer.score(*pair) for pair in zip(references, answers, strict=True)]
    return {name: [float(one[name].fmeasure) for one in found] for name in ROUGE_TYPES}


def bleurt_scores(
    references: Sequence[str], answers: Sequence[str], checkpoint: Path
) -> list[float]:
    """Return the BLEURT score of each answer with a checkpoint, such as BLEURT-20's folder.

    Raises UsageError.
    """
    module = _import_package(
        "bleurt.score",
        "BLEURT",
        "Install google-research/bleurt; it is in no group, because it asks for TensorFlow.",
    )
    if not (checkpoint / "bleurt_config.json").is_file():
        raise UsageError(
            f"{checkpoint} is no checkpoint of BLEURT.", "Name the folder of an unpacked BLEURT-20."
        )
    scorer = module.BleurtScorer(str(checkpoint))
    return [float(one) for one in scorer.score(references=references, candidates=answers)]


def _import_package(name: str, metric: str, mend: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(f"{metric} cannot be computed: {error}.", mend) from error
