"""What a user meets first: the whole `tapespring run` of a pendulum, with an empty cache and with a warm one.

.venv/bin/python benchmarks/startup.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
REPEATS = 7


def seconds(cache: str, out: str) -> float:
    """Wall time of one process."""
    command = [
        sys.executable,
        "-m",
        "tapespring",
        "run",
        str(ROOT / "examples" / "pendulum.yaml"),
        "--out",
        out,
        "--quiet",
    ]
    began = time.perf_counter()
    subprocess.run(command, check=True, env=os.environ | {"TAPESPRING_CACHE": cache}, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "pendulum.nc")
        print(f"first run ever, compiling: {seconds(folder, out):.1f} s")
        warm = [seconds(folder, out) for _ in range(REPEATS)]
        middle = sorted(warm)[REPEATS // 2]
        print(f"warm cache, whole process: best {min(warm):.2f} s, median {middle:.2f} s")


if __name__ == "__main__":
    main()
