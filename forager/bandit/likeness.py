"""How similar two arms are, and what attempts on some arms say about a similar one."""

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from forager.domain.state import Arm
from forager.domain.translations import twin_key

SAME_FOLDER = 0.5
"""Likeness of two pages in one folder of a site."""
SAME_TEMPLATE = 0.5
"""Likeness of two pages with file names of the same form, in addition to that of the folder."""
CORRELATION = 0.25
"""The worth of an attempt on an arm of likeness 1, as a share of the arm's prior."""
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"\d+")


class Tried(NamedTuple):
    """An arm that was visited, and what all attempts added to its α and β."""

    arm: Arm
    gained: float
    missed: float


def learn_from_like(arm: Arm, tried: Iterable[Tried]) -> tuple[float, float]:
    """What attempts on other arms add to an arm's α and β.

    A find raises α and a failure β, by likeness. For a copy of a page that was read, both raise β:
    it says nothing new.
    """
    alpha = beta = 0.0
    worth = CORRELATION * (arm.alpha + arm.beta)
    for other in tried:
        if other.arm.url == arm.url:
            continue
        if is_copy(arm, other.arm):
            beta += worth * (other.gained + other.missed)
        else:
            alike = worth * likeness(arm, other.arm)
            alpha, beta = alpha + alike * other.gained, beta + alike * other.missed
    return alpha, beta


def likeness(one: Arm, other: Arm) -> float:
    """The likeness of two pages, 0 to 1, by folder and file name; 0 on different sites."""
    if _host(one) != _host(other):
        return 0.0
    (folder, name), (its_folder, its_name) = _split_path(one), _split_path(other)
    return SAME_FOLDER * (folder == its_folder) + SAME_TEMPLATE * (
        name_template(name) == name_template(its_name)
    )


def is_copy(one: Arm, other: Arm) -> bool:
    """Is it the same page, a translation, or one with the same title and scores?"""
    if twin_key(one.url) == twin_key(other.url) or (one.blob and one.blob == other.blob):
        return True
    return bool(one.title and one.scores) and (one.title, one.scores) == (other.title, other.scores)


def name_template(name: str) -> str:
    """The form of a file name: words and numbers replaced, a word of a later part in its case.

    sag-pam_ftp.html and sag-pam_env.html are a-a_a.html; TLS_README.html is A_A.html.
    """
    stem, dot, ending = name.rpartition(".")
    form = NUMBER.sub("0", WORD.sub(_word_form, stem if dot else name))
    return f"{form}{dot}{ending}" if dot else form


def _word_form(found: re.Match[str]) -> str:
    word = found[0]
    return "A" if word.isupper() else "Aa" if word[0].isupper() else "a"


def _split_path(arm: Arm) -> tuple[str, str]:
    folder, _, name = urlsplit(arm.url).path.rpartition("/")
    return folder, name


def _host(arm: Arm) -> str:
    return urlsplit(arm.url).netloc
