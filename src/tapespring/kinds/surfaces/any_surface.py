"""Every surface a user can write, or a body with a surface of its own."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Discriminator, Field, Tag

from .bearing import Bearing, Socket
from .box import Box
from .capsule import Capsule
from .cylinder import Cylinder
from .ellipsoid import Ellipsoid
from .half_space import HalfSpace
from .mesh import MeshSurface
from .part import Part
from .rod import Rod
from .sphere import Sphere
from .wedge import Wedge

Written = Annotated[
    HalfSpace | Sphere | Ellipsoid | Capsule | Cylinder | Rod | Box | Wedge | Bearing | Socket | MeshSurface | Part,
    Field(discriminator="kind"),
]


def body_name(value: Any) -> Any:
    """A handle of the Python API stands for its body."""
    return getattr(value, "reference", value)


AnySurface = Annotated[
    Annotated[str, Tag("body")] | Annotated[Written, Tag("surface")],
    Discriminator(lambda value: "body" if isinstance(value, str) else "surface"),
    BeforeValidator(body_name),
    Field(
        description="a body with a shape or section, or {kind: half_space | sphere | ellipsoid | capsule | cylinder | "
        "rod | box | wedge | bearing | socket | mesh | part, on: body, …}",
        examples=["ball"],
    ),
]

OneOrMany = Annotated[
    Annotated[tuple[AnySurface, ...], Tag("many")] | Annotated[AnySurface, Tag("one")],
    Discriminator(lambda value: "many" if isinstance(value, (list, tuple)) else "one"),
]
