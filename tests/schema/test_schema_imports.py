"""The schema stays light: no solver, no arrays, and YAML only when a file is read."""

import subprocess
import sys


def test_nothing_heavy_is_imported():
    code = """
import sys
from tapespring.schema import entity, functions, orientation, problems, source, units, validation, vectors
heavy = {"numba", "numpy", "scipy", "yaml"} & set(sys.modules)
foreign = {m for m in sys.modules if m.startswith("tapespring.") and not m.startswith("tapespring.schema")}
print(sorted(heavy | foreign))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
