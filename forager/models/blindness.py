"""Who cannot be shown a picture, and says so."""

import re

from forager.errors import ModelError
from forager.models.faults import Fault

BLIND = re.compile(
    r"\bimages?\b|image_url|\bvision\b|multi-?modal|mmproj|content type|expected `?text`?",
    re.IGNORECASE,
)
REFUSING = frozenset({400, 404, 415, 422, 500, 501})


def blind(met: Fault) -> bool:
    """Is a request with pictures refused because of them?"""
    return met.status in REFUSING and bool(BLIND.search(met.words))


def unseeing(met: Fault, role: str, name: str, address: str) -> ModelError:
    """The error for a model that cannot be shown a picture."""
    return ModelError(
        f"{name} at {address} takes no pictures: it answered {met.told}.",
        f"Choose a vision model for this role (--model {role}=PROVIDER:NAME), or a graph whose "
        f"{role} works without pictures.",
    )
