"""The structure of a file of NASTRAN bulk data: of its elements, or of matrices that stand in it (DMIG)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ..kinds.bodies.grids_elements import CELLS, Scale
from ..kinds.bodies.nastran import Nastran, bulk_of
from ..model import Model
from ..nastran.bulk import Bulk
from ..schema.folder import Folder
from ..schema.problems import ModelError, Problem
from ..schema.text_file import read_text
from ..schema.validation import validated
from .coupled_mass import coupled_mass
from .of_model import structure_of_model
from .structure import Drawing, Spot, Structure

BODY = "structure"
LINES = {"CBAR": "line", "CBEAM": "line", "CROD": "line"}


def structure_of_nastran(path: str | Path, allow_outside: bool = False, **reading) -> Structure:
    """`reading`: length_unit, mass_unit, ignore, damping as in a model file. Raises ModelError."""
    path = Path(path).resolve()
    folder = Folder(path.parent, allow_outside=allow_outside)
    fields = {"kind": "nastran", "file": path.name, **{k: v for k, v in reading.items() if v is not None}}
    body = validated(Nastran, fields, (BODY,))
    bulk = bulk_of(body, folder)
    model = Model(path.stem, folder=folder)
    model.add("nastran", BODY, **{k: v for k, v in fields.items() if k != "kind"})
    try:
        found = structure_of_model(model)
    except ModelError as error:  # of the file, whatever body it was read into
        raise ModelError([Problem(None, (), problem.message) for problem in error.problems]) from None
    places = {name.removeprefix(f"{BODY}.g"): spot for name, spot in found.places.items() if "." in name}
    text = read_text(path, errors="replace")
    found = replace(found, places=places)
    scale = Scale(body.length_unit, body.mass_unit, bulk.weight_to_mass)
    return replace(
        found,
        name=path.stem,
        mass=coupled_mass(found, bulk, scale) if bulk.coupled else found.mass,
        labels=tuple(f"grid {label.partition('[')[2].rstrip(']')}" for label in found.labels),
        drawing=drawing(bulk, places, body.length_unit),
        source={"model": text, "file": path.name, "not used": list(bulk.beside)},
        notes=tuple(bulk.beside),
    )


def drawing(bulk: Bulk, places: dict[str, Spot], unit: float) -> Drawing | None:
    numbers = [int(name) for name in places]
    place = {number: k for k, number in enumerate(numbers)}
    cells: dict[str, list[list[int]]] = {}
    for element in bulk.elements.values():
        kind = (CELLS | LINES)[element.name]
        cells.setdefault(kind, []).append([place[g] for g in element.grids])
    if not cells:
        return None
    nodes = np.array([int(spot.nodes[0]) if len(spot.nodes) else -1 for spot in places.values()])
    points = np.array([unit * bulk.grids[number].x for number in numbers])
    return Drawing(nodes, points, {kind: np.array(rows) for kind, rows in cells.items()})
