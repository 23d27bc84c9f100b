"""Every path a beam or cable can have."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from .arc import Arc
from .chain import Chain
from .helix import Helix
from .polyline import Polyline
from .spline import Spline


def read_path(value: Any) -> Any:
    """A list of points is a polyline. Raises ValueError."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return {"kind": "polyline", "points": list(value)}
    return value


AnyPath = Annotated[
    Annotated[Polyline | Arc | Helix | Spline | Chain, Field(discriminator="kind")],
    BeforeValidator(read_path),
    Field(
        description="list of points, or {kind: arc | helix | spline | chain, …}", examples=["[[0, 0, 0], [1 m, 0, 0]]"]
    ),
]
