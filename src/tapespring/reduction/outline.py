"""A reduced body seen from outside, without reducing it: its interfaces, for models that are only checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..build.builder import Builder
from ..modal import Frame, Inertia, Reduced
from ..model import Model
from ..schema.folder import Folder
from ..schema.problems import ModelError
from .interfaces import read_interfaces
from .of_model import named_places
from .of_nastran import BODY
from .sources import MODEL, NASTRAN
from .structure import Spot, Structure


def outline(source: str | dict[str, Any], interfaces, folder: Folder) -> Reduced | None:
    """A stand-in with the right interfaces and made-up inertia; None if the source is cheap to read. Raises
    ModelError."""
    model, prefix = model_of(source, folder)
    if model is None:
        return None
    builder = Builder(model, dry=True)
    problems = builder.run()
    if problems:
        raise ModelError(problems)
    places = named_places(builder.catalogue, np.arange(len(builder.assembler.nodes)))
    places = {name.removeprefix(prefix): spot for name, spot in places.items() if name.startswith(prefix)}
    return stand_in(model.name, places, interfaces)


def model_of(source: str | dict[str, Any], folder: Folder) -> tuple[Model | None, str]:
    """(model, what names of its places begin with)."""
    if isinstance(source, dict):
        return Model.from_plain(source, folder), ""
    path = Path(source)
    if path.suffix.lower() in MODEL:
        return Model.from_file(path, **folder.allowed), ""
    if path.suffix.lower() in NASTRAN:
        model = Model(path.stem, folder=Folder(path.resolve().parent, **folder.allowed))
        model.add("nastran", BODY, file=path.name)
        return model, f"{BODY}.g"
    return None, ""


def stand_in(name: str, places: dict[str, Spot], interfaces) -> Reduced:
    none = np.zeros((0, 0))
    structure = Structure(name, none, none, np.zeros((0, 3)), np.zeros((0, 6), int), np.zeros(0, bool), places=places)
    frames = {}
    for one in read_interfaces(interfaces):
        spot = structure.place(one.place)
        at = spot.points.mean(axis=0) if one.at is None else np.array(one.at)
        frames[one.name] = Frame(one.name, at, spot.axes, np.zeros((3, 1)), np.zeros((3, 1)))
    still, many = np.zeros((3, 1)), np.zeros((1, 3, 3))
    inertia = Inertia(
        1.0, np.zeros(3), np.eye(3), still, still, many, many[None], np.zeros((1, 3, 1)), np.eye(1)
    )  # fmt: skip
    return Reduced(
        name, np.eye(1), np.zeros((1, 1)), inertia, np.ones(1), frames, np.zeros((0, 3)), np.zeros((0, 6, 1))
    )
