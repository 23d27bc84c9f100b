"""Every mesh that can be a surface."""

from typing import Annotated

from pydantic import Field

from .arc import ArcMesh
from .disc import DiscMesh
from .file import FileMesh
from .plate import PlateMesh
from .points import PointsMesh
from .sphere import SphereMesh
from .strip import StripMesh
from .tape_spring import TapeSpringMesh
from .tube import TubeMesh

AnySurface = Annotated[
    StripMesh | PlateMesh | DiscMesh | TubeMesh | SphereMesh | TapeSpringMesh | ArcMesh | FileMesh | PointsMesh,
    Field(discriminator="kind"),
]
