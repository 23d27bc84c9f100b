"""Every normal law a contact can have."""

from typing import Annotated

from pydantic import Field

from .augmented_lagrangian import AugmentedLagrangian
from .barrier import Barrier
from .hertz import Hertz
from .impact import Impact
from .linear import Linear
from .logical import Logical
from .momentum import Momentum
from .nonlinear import Nonlinear
from .own import Own
from .restitution_laws import Flores, HuntCrossley, LankaraniNikravesh
from .spring_dashpot import SpringDashpot

AnyLaw = Annotated[
    Linear
    | Hertz
    | SpringDashpot
    | Nonlinear
    | LankaraniNikravesh
    | HuntCrossley
    | Flores
    | Impact
    | Logical
    | Barrier
    | AugmentedLagrangian
    | Own
    | Momentum,
    Field(discriminator="kind"),
]
