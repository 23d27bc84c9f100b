"""From a model to an assembler and a catalogue: each entity is built by its kind, all mistakes are told together.

The builder is what kinds see: it finds the places and coordinates they name, turns functions into laws, and enters what
they made under its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..kinds.laws.forms import Form, PolynomialForm
from ..kinds.laws.of_time import form_of_time
from ..kinds.references import stations_wanted
from ..kinds.refusal import AlreadyRefused, Refusal
from ..kinds.registry import SECTIONS, kinds
from ..kinds.stations import Station
from ..schema import units
from ..schema.folder import trusted
from ..schema.problems import ModelError, Problem
from . import catalogue as cat
from .assembler import Assembler
from .entries import Entries
from .finding import Finding
from .modal import ModalEntries
from .surfaces import Surfaces


def build(
    model, base_dir=None, duration: float | None = None, samples: int = 10_000
) -> tuple[Assembler, cat.Catalogue]:
    """Build a model for a run of `duration` [s]; files and modules are looked for in `base_dir`; samples: see
    StageSettings.function_samples. Raises ModelError."""
    builder = Builder(model, base_dir, duration, samples=samples)
    problems = builder.run()
    if problems:
        raise ModelError(problems)
    return builder.assembler, builder.catalogue


def problems_in(
    model, base_dir=None, duration: float | None = None, already=frozenset()
) -> tuple[list[Problem], list[str]]:
    """(problems, notes) of a model, without compiling anything; names in `already` were refused before."""
    builder = Builder(model, base_dir, duration, dry=True, refused=already)
    return builder.run(), builder.catalogue.notes


class Builder(Finding, Entries, ModalEntries, Surfaces):
    """Collects nodes, measures, rows, laws and forces of one model; `dry` checks without compiling."""

    def __init__(self, model, base_dir=None, duration=None, *, dry: bool = False, refused=frozenset(), samples=10_000):
        self.model = model
        self.base_dir = trusted(base_dir if base_dir is not None else model.folder)
        self.duration = duration
        self.dry = dry
        self.samples = samples
        self.assembler = Assembler(model.gravity)
        self.catalogue = cat.Catalogue()
        self.catalogue.bodies["ground"] = cat.BodyEntry("ground", "ground", 0, np.zeros(3), np.eye(3))
        self.refused: set[str] = set(refused)
        self.entity: Any = None
        self.wanted: dict[str, list[Station]] = {}  # stations of beams and cables where a node has to be
        for section in SECTIONS:
            for entity in model.section(section).values():
                for name, station in stations_wanted(entity):
                    self.wanted.setdefault(name, []).append(station)

    def run(self) -> list[Problem]:
        """Build every entity; returns what is wrong."""
        problems = []
        for section in SECTIONS:
            entities = sorted(self.model.section(section).values(), key=lambda e: kinds()[e.kind].stage)
            for entity in entities:
                self.entity = entity
                try:
                    kinds()[entity.kind].build(entity, self)
                except AlreadyRefused:
                    self.refused.add(entity.name)
                except Refusal as refusal:
                    self.refused.add(entity.name)
                    problems.append(self.model.problem((section, entity.name, *refusal.field), str(refusal)))
        if not problems and not self.refused and len(self.assembler.nodes) == 1:
            problems.append(self.model.problem(("bodies",), "the model has no bodies; add one, such as a point_mass"))
        return problems

    def note(self, message: str) -> None:
        """Tell the user something about the entity being built that is no mistake."""
        self.catalogue.notes.append(f"{self.entity.kind} '{self.entity.name}': {message}")

    @contextmanager
    def at_field(self, *field: str | int) -> Iterator[None]:
        """Errors inside concern a field of the entity being built."""
        try:
            yield
        except Refusal:
            raise
        except (ValueError, OSError, ImportError, SyntaxError) as error:
            raise Refusal(str(error), *field) from error

    # -- functions --------------------------------------------------------------------------------------------------
    def read_either(self, written, dimension: units.Dimension, *field: str | int) -> Any:
        """A value whose dimension is that of the coordinate at hand. Raises Refusal."""
        with self.at_field(*field):
            return written.read(dimension)

    def form_of_time(self, function, field: tuple[str | int, ...], needs: int = 0) -> Form:
        """A function of time as a law in the making, None is zero; `needs`: see laws.of_time. Raises Refusal."""
        if function is None:
            return PolynomialForm((0.0,))
        with self.at_field(*field):
            return form_of_time(function, self, needs)

    def law_of_time(self, function, field, offset: float = 0.0, keep_zero: bool = False, needs: int = 0) -> int:
        """The law offset + function(t); -1 for zero, unless kept; `needs`: see laws.of_time. Raises Refusal."""
        form = self.form_of_time(function, field, needs).plus(offset)
        if form.is_zero and not keep_zero:
            return -1
        return form.put(self.assembler)
