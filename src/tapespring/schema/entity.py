"""The base of everything a model is made of: bodies, joints, forces and the like."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SerializationInfo, model_serializer
from pydantic_core.core_schema import SerializerFunctionWrapHandler

RESERVED_NAMES = frozenset({"ground", "world"})
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


class Entity(BaseModel):
    """A named part of a model, frozen and in SI; `kind` tells the subclass, `name` is its key in the model file.

    Write defaults in SI, as they are held: `thickness: Length = 0.001`, not "1 mm". Only then are they left out of
    files.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)

    kind: str
    name: str = Field(default="", exclude=True)

    def to_plain(self) -> dict[str, Any]:
        """Plain data for a file: what differs from the defaults, with units; read back it gives an equal entity."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @model_serializer(mode="wrap")
    def _keep_kind(self, handler: SerializerFunctionWrapHandler, info: SerializationInfo) -> dict[str, Any]:
        """`kind` is a default of its class, yet a file cannot be read without it."""
        return {"kind": self.kind} | handler(self)


def check_name(name: str) -> str:
    """`name`, if a user may give it to a part of a model. Raises ValueError."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        better = re.sub(r"[^A-Za-z0-9_-]+", "_", str(name)).strip("_")
        better = better if _NAME.fullmatch(better) else f"part_{better}".rstrip("_")
        raise ValueError(f"'{name}' cannot be a name; use letters, digits, _ and -, for example '{better}'")
    if name in RESERVED_NAMES:
        raise ValueError(f"'{name}' is the name of the fixed frame and cannot be given to anything else")
    return name


Name = Annotated[str, AfterValidator(check_name)]
