"""A running application, as the benches see it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class App:
    """Its root, a digest of its content now, and where it tells who is logged in.

    A GET of `who`, with a browser's cookies, holds the `mark` when somebody is.
    """

    root: str
    content: Callable[[], str]
    who: str = ""
    mark: str = ""
