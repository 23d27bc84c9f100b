"""Modes from NASTRAN's OUTPUT2 files, read by pyNastran in a Python of its own.

pyNastran wants NumPy before 2, this program NumPy from 2 on: they cannot share an environment. So it is run apart
(`op2_script`), by the Python that the variable TAPESPRING_PYNASTRAN names, or by this one should it have pyNastran.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import numpy as np

from ..schema.problems import ModelError

VARIABLE = "TAPESPRING_PYNASTRAN"
INSTALL = (
    'python -m venv nastran && nastran/bin/pip install "pyNastran>=1.4.1", then set '
    f"{VARIABLE}=nastran/bin/python (on Windows nastran\\Scripts\\python.exe)"
)
PATIENCE = 600.0  # s
GRID = 1  # kinds of points: grids, scalar points and others


@dataclass(frozen=True, eq=False)
class Modes:
    """As the file has them: displacements in the axes of the grids, ω²."""

    grids: np.ndarray  # (k,)
    shapes: np.ndarray  # (n, k, 6)
    squares: np.ndarray  # (n,)
    reader: str


def read_op2(path: Path) -> Modes:
    """Raises ModelError."""
    if not path.is_file():
        refuse(path, "there is no such file")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "modes.npz"
        run_reader(path, target)
        with np.load(target, allow_pickle=False) as found:
            modes = Modes(found["grids"], found["shapes"], found["squares"], str(found["reader"]))
            kinds = found["kinds"]
    if (kinds != GRID).any():
        which = int(modes.grids[kinds != GRID][0])
        refuse(path, f"point {which} is no grid but a scalar point, which no body has a place for")
    if not np.isfinite(modes.shapes).all() or not np.isfinite(modes.squares).all():
        refuse(path, "its eigenvectors have entries that are not numbers")
    return modes


def run_reader(path: Path, target: Path) -> None:
    """Raises ModelError."""
    python = os.environ.get(VARIABLE) or (sys.executable if find_spec("pyNastran") is not None else "")
    if not python:
        refuse(path, f"OUTPUT2 files need pyNastran, apart from this program: {INSTALL}")
    script = Path(__file__).with_name("op2_script.py")
    command = [python, "-I", str(script), str(path.resolve()), str(target)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as reason:
        refuse(path, f"{VARIABLE}={python} could not be run ({reason}); {INSTALL}")
    last = (done.stderr.strip() or "nothing").splitlines()[-1]
    if done.returncode == 3:
        refuse(path, f"{python} has no pyNastran that works ({last}); {INSTALL}")
    if done.returncode == 2:
        refuse(path, f"{last}; ask NASTRAN for DISPLACEMENT(PLOT) = ALL in one subcase of SOL 103")
    if done.returncode != 0 or not target.exists():
        advice = "let NASTRAN write it with PARAM,POST,-1, or matrices instead (OUTPUT4 .op4)"
        refuse(path, f"not understood, of another version or not whole: {last}; {advice}")


def refuse(path: Path, message: str) -> NoReturn:
    raise ModelError.at(str(path), 0, 0, message)
