"""Many contacts: 500 balls with friction that fall into a box, beside Exudyn; candidates for the contact of a crumpled
sheet of 9800 triangles with itself, beside ipctk.

.venv/bin/python benchmarks/contacts.py [--exudyn python] [--ipctk python]

Peers run in environments of their own (`make peers`); both options name their Python. Wall time of the fastest of some
runs, ours with one thread, theirs with one or two, whichever is faster.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import our_contacts

HERE = Path(__file__).parent
DISTANCES = (1e-3, 5e-3)  # [m]; edges are 11 mm long


def asked(python: str, script: str, *arguments: str):
    """What a peer printed last, or why there is nothing."""
    command = [python, str(HERE / "peers" / script), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=True)
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        print(f"{script}: {error}", file=sys.stderr)
        return None


def main() -> None:
    parser = argparse.ArgumentParser()
    usual = str(HERE.parent / ".venv-peers" / "bin" / "python")
    parser.add_argument("--exudyn", default=usual)
    parser.add_argument("--ipctk", default=usual)
    options = parser.parse_args()
    before, height = our_contacts.balls()
    theirs = asked(options.exudyn, "run_exudyn_balls.py")
    after, _ = our_contacts.balls()
    print(f"balls: ours {max(before, after):.0f} steps/s (centre of mass at {height:.4f} m at the end)")
    if theirs:
        ratio = max(before, after) / theirs["steps_per_s"]
        about = f"centre of mass at {theirs['height']:.4f} m"
        print(f"       Exudyn {theirs['version']} {theirs['steps_per_s']:.0f} steps/s ({about}); ratio {ratio:.2f}")
    for distance in DISTANCES:
        ms, faces, lines = our_contacts.candidates(distance)
        print(f"candidates within {1e3 * distance:g} mm: ours {ms:.1f} ms ({faces} vertex-triangle, {lines} edge-edge)")
        theirs = asked(options.ipctk, "run_ipctk.py", str(distance))
        for name, (took, *count) in sorted(theirs["ms"].items(), key=lambda item: item[1]) if theirs else ():
            same = "the same" if count == [faces, lines] else f"{count}"
            print(f"       ipctk {name.replace(' ', ', threads: ')}: {took:.1f} ms ({same}); ratio {took / ms:.2f}")


if __name__ == "__main__":
    main()
