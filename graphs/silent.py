"""Objects whose JSON leaves out what there is nothing to say of."""

from typing import Any, ClassVar

from pydantic import SerializerFunctionWrapHandler, model_serializer

from forager.domain.base import Frozen


class Silent(Frozen):
    """Its JSON has the keys in SILENT only where they hold something."""

    SILENT: ClassVar[tuple[str, ...]] = ()

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        body = write(self)
        return {key: body[key] for key in body if body[key] or key not in self.SILENT}
