"""Flexible body by modes: a reduced body from a file, or reduced as it is read, placed in the model."""

from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator

from ...modal.file import load
from ...modal.floating import floating
from ...modal.reduced import Reduced
from ...schema.entity import Entity
from ...schema.folder import NotAllowedError
from ...schema.orientation import Orientation
from ...schema.problems import ModelError
from ...schema.vectors import AngularVelocity, Point, Velocity
from ..frames import rotation_matrix
from ..references import NO_TURN
from ..refusal import Refusal
from ..registry import Kind

ORIGIN = (0.0, 0.0, 0.0)


class Modal(Entity):
    """A body that deforms by a few shapes, reduced from a finite-element model: by `tapespring reduce`, which tells how
    many are needed, or on the spot. Joints, forces and contacts take hold of its interfaces: `boom.tip`."""

    kind: Literal["modal"] = "modal"
    file: str | None = Field(None, description="reduced body; below the model's folder")
    of: str | dict[str, Any] | None = Field(
        None, description="what to reduce instead: a model, written here or in a file, NASTRAN bulk data or matrices"
    )
    interfaces: list[str] | dict[str, Any] | None = Field(
        None, description="places of `of` that become interfaces, or names for them", examples=["{tip: boom.end}"]
    )
    modes: int | None = Field(
        None, ge=0, description="vibrations to keep besides what interfaces need; 20 unless given"
    )
    method: Literal["craig-bampton", "rubin", "normal", "assumed"] | None = Field(None, description="of reduction")
    shapes: list[tuple[str | float, str | float, str | float]] | None = Field(
        None,
        description="assumed: displacements along x, y, z as formulas of the place",
        examples=["[['-2*x*z', 0, 'x^2']]"],
    )
    residual: Literal[0, 1, 2, 3, "auto"] | None = Field(
        None, description="orders of residual modes, for better frequencies; none unless given"
    )
    stress: list[str] | None = Field(
        None,
        description="what elements of `of` carry, to be recovered: channels, or some elements of one",
        examples=["[tube.section_moment, 'plate.stress:3+10..20', 'plate.stress:x0']"],
    )
    stiffening: bool | None = Field(
        None, description="tension stiffens and compression softens it (geometric stiffening); `of` a model"
    )
    at: Point = Field(ORIGIN, description="origin of the reduced model in the world, as drawn")
    orientation: Orientation = Field(NO_TURN, description="its axes in the world, as drawn")
    fixed: bool | None = Field(
        None, description="its frame stays where it is; if not said, that of a structure which was reduced as held"
    )
    damping: float | None = Field(None, ge=0.0, description="ratio to critical of every mode, instead of the file's")
    velocity: Velocity = Field(ORIGIN, description="of the body's origin, world axes")
    angular_velocity: AngularVelocity = Field(ORIGIN, description="body axes")

    @model_validator(mode="after")
    def _one_source(self):
        if (self.file is None) == (self.of is None):
            raise ValueError("give 'file', a reduced body, or 'of', what to reduce")
        if self.of is not None and not self.interfaces:
            raise ValueError("say by 'interfaces' where joints, forces and contacts take hold of it")
        for name in ("interfaces", "modes", "method", "shapes", "residual", "stress", "stiffening"):
            if self.file is not None and getattr(self, name) is not None:
                raise ValueError(f"'{name}' belongs to 'of'; a reduced body has its own")
        return self


def build(body: Modal, builder) -> None:
    """A frame, amplitudes, interfaces."""
    reduced = read(body, builder)
    fixed = reduced.held if body.fixed is None else body.fixed
    if fixed and (any(body.velocity) or any(body.angular_velocity)):
        raise Refusal("a body whose frame is fixed cannot move as a whole; leave out its velocity or say fixed: false")
    if fixed and reduced.second is not None:
        raise Refusal(
            "geometric stiffening needs a frame that moves; say fixed: false, or reduce it without stiffening"
        )
    free = floating(reduced, fixed)
    damping = free.damping if body.damping is None else 2.0 * body.damping * np.sqrt(free.stiffness * free.inertia.mass)
    builder.add_modal(body, reduced, free, damping, fixed, rotation_matrix(body.orientation))


def read(body: Modal, builder) -> Reduced:
    """Raises Refusal."""
    field = "file" if body.file is not None else "of"
    try:
        if body.file is None:
            said = {name: getattr(body, name) for name in ("modes", "method", "shapes", "stress", "stiffening")}
            return builder.reduce(body.of, body.interfaces, residual=body.residual or 0, **said)
        reduced = load(builder.base_dir.file(body.file))
    except ModelError as error:
        raise Refusal("; ".join(str(problem) for problem in error.problems), field) from None
    except NotAllowedError as error:
        raise Refusal(str(error), field) from None
    if not reduced.frames:
        raise Refusal("this reduced body has no interfaces to hold it by; reduce it with --interfaces", field)
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
        "bodies": {
            "boom": {
                "kind": "modal",
                "of": {
                    "bodies": {
                        "tube": {
                            "kind": "beam",
                            "path": [[0, 0, 0], ["2 m", 0, 0]],
                            "section": {"kind": "tube", "radius": "10 mm", "wall": "1 mm"},
                            "material": {"young": "70 GPa", "poisson": 0.33, "density": "2700 kg/m^3"},
                            "elements": 8,
                        }
                    }
                },
                "interfaces": {"root": "tube.start", "tip": "tube.end"},
                "modes": 2,
            }
        },
        "joints": {"hinge": {"kind": "revolute", "between": ["ground", "boom.root"], "axis": "y"}},
        "simulate": {"duration": "0.5 s"},
    },
)
