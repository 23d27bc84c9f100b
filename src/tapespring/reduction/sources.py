"""Where structures come from: models, and files told by their ending."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..schema.folder import Folder
from ..schema.problems import ModelError
from .structure import Structure

MODEL = (".yaml", ".yml")
NASTRAN = (".bdf", ".dat", ".nas")
MATRICES = (".npz", ".mtx", ".op4", ".pch", ".dmig")
MODES = ".op2"


def structure_from(
    source, *, folder: Folder | None = None, allow_python: bool = False, allow_outside: bool = False, **reading: Any
) -> Structure:
    """A Structure as it is, that of a Model or of its plain data, or that of a file. Files named in plain data are
    looked for in `folder`; what files may reach is said as for `Model.from_file`. Raises ModelError."""
    if isinstance(source, Structure):
        return source
    from ..model import Model

    if isinstance(source, dict):
        source = Model.from_plain(source, folder or Folder(Path(), allow_python, allow_outside))
    if isinstance(source, Model):
        from .of_model import structure_of_model

        return structure_of_model(source)
    path = Path(source)
    ending = path.suffix.lower()
    if ending in MODEL:
        return structure_from(Model.from_file(path, allow_python=allow_python, allow_outside=allow_outside))
    if ending in NASTRAN:
        from .of_nastran import structure_of_nastran

        return structure_of_nastran(path, allow_outside, **reading)
    if ending in MATRICES:
        from .of_matrices import structure_of_matrices

        return structure_of_matrices(path, **reading, allow_outside=allow_outside)
    if ending == MODES:
        from .of_op2 import structure_of_op2

        return structure_of_op2(path, **reading, allow_outside=allow_outside)
    known = ", ".join((*MODEL, *NASTRAN, *MATRICES, MODES))
    raise ModelError.at(
        str(path), 0, 0, f"'{ending or path.name}' is no kind of file that is known here; there are {known}"
    )
