"""Every mesh a membrane, shell or solid can have."""

from typing import Annotated

from pydantic import Field

from .arc import ArcMesh
from .box import BoxMesh
from .disc import DiscMesh
from .extruded import ExtrudedMesh
from .file import FileMesh
from .plate import PlateMesh
from .points import PointsMesh
from .sphere import SphereMesh
from .strip import StripMesh
from .tape_spring import TapeSpringMesh
from .tube import TubeMesh

KINDS = (
    "kind: strip, plate, disc, tube, sphere, tape_spring, arc (surfaces), box, extruded (solids), file (Gmsh, Abaqus, "
    "VTK), points (node by node)"
)
AnyMesh = Annotated[
    StripMesh
    | PlateMesh
    | DiscMesh
    | TubeMesh
    | SphereMesh
    | TapeSpringMesh
    | ArcMesh
    | BoxMesh
    | ExtrudedMesh
    | FileMesh
    | PointsMesh,
    Field(discriminator="kind"),
]
