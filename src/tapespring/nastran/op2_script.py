"""Run by the Python that has pyNastran, apart from the rest: real eigenvectors of an OUTPUT2 file as an .npz file.

    python op2_script.py modes.op2 modes.npz

What goes wrong is the last line on standard error; the exit code is 3 if pyNastran itself is not there.
"""

import sys


def main(source, target):
    try:
        import numpy as np
        import pyNastran
        from pyNastran.op2.op2 import OP2
    except Exception as reason:
        print(f"{type(reason).__name__}: {reason}", file=sys.stderr)
        return 3
    try:
        op2 = OP2(debug=None)
        op2.read_op2(source)
    except BaseException as reason:  # its own errors, asserts and exits
        print(f"pyNastran {pyNastran.__version__} says {type(reason).__name__}: {reason}", file=sys.stderr)
        return 1
    found = dict(op2.eigenvectors)
    if len(found) != 1:
        what = f"eigenvectors of {len(found)} subcases" if found else "no real eigenvectors (SOL 103)"
        print(f"there are {what} in it; one set is wanted", file=sys.stderr)
        return 2
    table = next(iter(found.values()))
    np.savez(
        target,
        grids=np.asarray(table.node_gridtype)[:, 0],
        kinds=np.asarray(table.node_gridtype)[:, 1],
        shapes=np.asarray(table.data, float),
        squares=np.asarray(table.eigns, float),
        reader=np.array(f"pyNastran {pyNastran.__version__}"),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
