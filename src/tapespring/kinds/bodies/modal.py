"""Flexible body by modes: a reduced body from a file, placed in the model."""

from typing import Literal

import numpy as np
from pydantic import Field

from ...modal.file import load
from ...modal.floating import floating
from ...modal.reduced import Reduced
from ...schema.entity import Entity
from ...schema.orientation import Orientation
from ...schema.problems import ModelError
from ...schema.vectors import AngularVelocity, Point, Velocity
from ..frames import rotation_matrix
from ..references import NO_TURN
from ..refusal import Refusal
from ..registry import Kind

ORIGIN = (0.0, 0.0, 0.0)


class Modal(Entity):
    """A body that deforms by a few shapes, reduced from a finite-element model. Joints, forces and contacts take hold of
    its interfaces: `boom.tip`."""

    kind: Literal["modal"] = "modal"
    file: str = Field(description="reduced body, see `tapespring reduce`; beside the model file, or a whole path")
    at: Point = Field(ORIGIN, description="origin of the reduced model in the world, as drawn")
    orientation: Orientation = Field(NO_TURN, description="its axes in the world, as drawn")
    fixed: bool | None = Field(
        None, description="its frame stays where it is; if not said, that of a structure which was reduced as held"
    )
    damping: float | None = Field(None, ge=0.0, description="ratio to critical of every mode, instead of the file's")
    velocity: Velocity = Field(ORIGIN, description="of the body's origin, world axes")
    angular_velocity: AngularVelocity = Field(ORIGIN, description="body axes")


def build(body: Modal, builder) -> None:
    """A frame, amplitudes, interfaces."""
    reduced = read(body, builder)
    fixed = reduced.held if body.fixed is None else body.fixed
    if fixed and (any(body.velocity) or any(body.angular_velocity)):
        raise Refusal("a body whose frame is fixed cannot move as a whole; leave out its velocity or say fixed: false")
    free = floating(reduced, fixed)
    damping = free.damping if body.damping is None else 2.0 * body.damping * np.sqrt(free.stiffness * free.inertia.mass)
    builder.add_modal(body, reduced, free, damping, fixed, rotation_matrix(body.orientation))


def read(body: Modal, builder) -> Reduced:
    """Raises Refusal."""
    try:
        reduced = load(builder.base_dir / body.file)
    except ModelError as error:
        raise Refusal(str(error.problems[0].message), "file") from None
    if not reduced.frames:
        raise Refusal("this reduced body has no interfaces to hold it by; reduce it with --interfaces", "file")
    return reduced




KIND = Kind(
    "modal",
    "bodies",
    Modal,
    build,
    "a flexible body by modes, reduced from a finite-element model",
    {
        "name": "Boom by modes",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {"boom": {"kind": "modal", "file": "boom.npz"}},
        "joints": {"hinge": {"kind": "revolute", "between": ["ground", "boom.start"], "axis": "y"}},
        "simulate": {"duration": "0.5 s"},
    },
)
