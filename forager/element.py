"""An element of a page, described so that it can be found again."""

from forager.frozen import Frozen


class Element(Frozen):
    """What an element is and says, never where it stands: ids and places change, these do not.

    `ancestors` are those that have a name, as `role name`, the outermost first; `value` is what
    stood in it when it was described.
    """

    role: str
    name: str = ""
    value: str = ""
    ancestors: tuple[str, ...] = ()
