"""The language of exported documents."""

from functools import partial

from graphs.reports.exports.wording import Wording
from ui.language.catalogue import language_tag, translate_told
from ui.language.local_formats import format_number


def document_wording(language: str) -> Wording:
    """How documents speak a language."""
    return Wording(
        language_tag(language), partial(translate_told, language), partial(format_number, language)
    )
