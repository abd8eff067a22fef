"""Objects whose JSON leaves out what there is nothing to say of."""

from typing import Any, ClassVar

from pydantic import GetJsonSchemaHandler, SerializerFunctionWrapHandler, model_serializer
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from forager.domain.base import Frozen


class Silent(Frozen):
    """Its JSON has the keys in SILENT only where they hold something."""

    SILENT: ClassVar[tuple[str, ...]] = ()

    @model_serializer(mode="wrap")
    def _said(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        body = write(self)
        return {key: body[key] for key in body if body[key] or key not in self.SILENT}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The schema of the fields; the serializer only leaves some out."""
        return handler({name: value for name, value in schema.items() if name != "serialization"})
