"""DMIG: matrices over grids and components, as cards of bulk data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .values import Fields

Freedom = tuple[int, int]  # grid, component from 0
FORMS = {1: "square", 6: "symmetric"}


class Dmig:
    """One matrix: entries by freedoms."""

    def __init__(self, name: str, form: int):
        self.name, self.form = name, form
        self.entries: dict[tuple[Freedom, Freedom], float] = {}

    def freedoms(self) -> set[Freedom]:
        return {freedom for pair in self.entries for freedom in pair}

    def over(self, order: Sequence[Freedom]):
        """In scipy's CSR form over freedoms in that order."""
        from scipy.sparse import csr_array

        place = {freedom: k for k, freedom in enumerate(order)}
        rows, columns, values = [], [], []
        for (a, b), value in self.entries.items():
            i, j = place[a], place[b]
            rows.append(i)
            columns.append(j)
            values.append(value)
            if self.form == 6 and i != j and (b, a) not in self.entries:
                rows.append(j)
                columns.append(i)
                values.append(value)
        return csr_array((np.array(values), (rows, columns)), shape=(len(order), len(order)))


def read_dmig(cards: Sequence[Fields]) -> dict[str, Dmig]:
    """Raises CardError."""
    found: dict[str, Dmig] = {}
    for f in cards:
        name = f.text(1)
        if f.text(2) in ("0", ""):
            form = f.integer(3, "IFO")
            if form not in FORMS:
                raise f.fail(f"matrix {name} is of form {form}; mass and stiffness are square (1) or symmetric (6)")
            if f.integer(4, "TIN", 1) not in (1, 2):
                raise f.fail(f"matrix {name} is of complex numbers, which mass and stiffness are not")
            found[name] = Dmig(name, form)
            continue
        if name not in found:
            raise f.fail(f"a column of {name} before its header (with 0 in field 3)")
        column = (f.integer(2, "GJ"), component(f, 3))
        for k in range(5, len(f.card.fields), 4):
            if f.text(k):
                row = (f.integer(k, "G"), component(f, k + 1))
                entries = found[name].entries
                entries[row, column] = entries.get((row, column), 0.0) + f.real(k + 2, "A")
    return found


def component(f: Fields, k: int) -> int:
    """From 0; scalar points have 0 here too, told apart by having no grid."""
    value = f.integer(k, "component", 0)
    if not 0 <= value <= 6:
        raise f.fail(f"component {value} (field {k + 1}); there are 1 to 6")
    return max(value - 1, 0)
