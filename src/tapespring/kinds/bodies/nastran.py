"""Bulk data of NASTRAN as one flexible body: grids, bars, rods, shells, solids, masses and rigid ties."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from ...nastran.bulk import Bulk, understood
from ...nastran.cards import deck_of_text, read_deck
from ...schema import units
from ...schema.entity import Entity
from ...schema.folder import Folder, NotAllowedError
from ...schema.problems import ModelError
from ...schema.quantities import NonNegativeTime, Quantity
from ..meshes.file import Unit, read_unit
from ..refusal import Refusal
from ..registry import Kind
from .grids import GridNodes, hold_grids, place_nodes
from .grids_elements import Scale, add_elements

MassUnit = Annotated[
    float,
    Quantity(units.MASS, above=0.0),
    BeforeValidator(read_unit),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "number"}], "examples": ["t"]}),
]
SHOWN = 12


def read_names(value: Any) -> Any:
    """One name stands for a list of one."""
    return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


Names = Annotated[
    tuple[str, ...],
    BeforeValidator(read_names),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class Nastran(Entity):
    """Stress-free as drawn, in basic coordinates. Grid 12 is the marker g12. Units are those of the file: give length
    and mass (time is in s, so that forces are mass times length per s²)."""

    kind: Literal["nastran"] = "nastran"
    file: str = Field("", description="below the model's folder", examples=["panel.bdf"])
    text: str = Field("", description="bulk data as they are, instead of a file")
    length_unit: Unit = Field(1.0, description="of length in the file", examples=["mm"])
    mass_unit: MassUnit = Field(1.0, description="of mass in the file", examples=["t"])
    ignore: Names = Field((), description="cards to leave out though they may belong to the structure")
    damping: NonNegativeTime = Field(0.0, description="Rayleigh damping by stiffness", examples=["1e-5 s"])

    @model_validator(mode="after")
    def _one_source(self):
        if bool(self.file) == bool(self.text):
            raise ValueError("needs either 'file' (a .bdf) or 'text' (bulk data)")
        return self


def bulk_of(body: Nastran, base_dir: Folder) -> Bulk:
    """Raises ModelError with every card that is not understood, and NotAllowedError."""
    deck = deck_of_text(body.text) if body.text else read_deck(base_dir.file(body.file), base_dir)
    bulk = understood(deck, body.ignore)
    if bulk.problems:
        raise ModelError(bulk.problems)
    if not bulk.elements and not bulk.lumps:
        card = deck.cards[0]
        raise ModelError(card.problem("there are no elements in this file; nothing could be a body"))
    return bulk


def build(body: Nastran, builder) -> None:
    """Nodes with the mass around them, elements between them, rows for what is held."""
    field = "text" if body.text else "file"
    try:
        bulk = bulk_of(body, builder.base_dir)
        scale = Scale(body.length_unit, body.mass_unit, bulk.weight_to_mass)
        grids = GridNodes(bulk, scale.length)
        elements = add_elements(bulk, grids, scale, body.damping)
        place_nodes(body, builder, grids)
    except ModelError as error:
        told = [str(problem) for problem in error.problems[:SHOWN]]
        more = len(error.problems) - len(told)
        raise Refusal("\n".join([*told, f"… and {more} more"] if more else told), field) from None
    except NotAllowedError as error:
        raise Refusal(str(error), field) from None
    for add in elements:
        add(builder)
    hold_grids(body, builder, bulk, grids)
    if bulk.coupled:
        builder.note("PARAM,COUPMASS: masses are in the nodes here; 'reduce' uses coupled ones")
    for note in bulk.beside:
        builder.note(note)
    builder.add_grids(body, {f"g{number}": grids.place(number) for number in sorted(grids.used)})


EXAMPLE = """\
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,2.,0.,0.
CBAR,1,1,1,2,0.,1.,0.
CBAR,2,1,2,3,0.,1.,0.
PBAR,1,1,1.-4,4.-8,2.-8,4.-8
MAT1,1,7.+10,,0.33,2700.
CONM2,9,3,,0.1
SPC1,1,123456,1
"""

KIND = Kind(
    "nastran",
    "bodies",
    Nastran,
    build,
    "a flexible body from NASTRAN bulk data",
    {
        "name": "Boom from bulk data",
        "gravity": [0, 0, "-9.81 m/s^2"],
        "bodies": {"boom": {"kind": "nastran", "text": EXAMPLE, "damping": "1e-4 s"}},
        "simulate": {"duration": "0.01 s"},
    },
)
