"""A form by which a page can be asked."""

from typing import Literal

from forager.frozen import Frozen


class Form(Frozen):
    """What a page lets its reader ask: `says` are the words of its fields, options and buttons.

    `search` is a search box, `filter` a form that narrows what is shown, `gate` a page that shows
    nothing until its button is pressed. `url` names the page where it is not plain.
    """

    kind: Literal["search", "filter", "gate"]
    says: str = ""
    url: str = ""
