"""Bulk data for tests, written by hand or by short loops, and meshes of the program's own as cards."""

import numpy as np

STEEL = "MAT1,1,2.1+11,,0.3,7850.\n"


def small(name, *fields) -> str:
    """A card of eight-column fields, continued as often as needed."""
    words = [f"{f:>8}" for f in fields]
    lines = ["".join(words[k : k + 8]) for k in range(0, len(words), 8)]
    return f"{name:<8}{lines[0]}\n" + "".join(f"{'':8}{line}\n" for line in lines[1:])


def large(name, *fields) -> str:
    """A card of sixteen-column fields."""
    words = [f"{f:>16}" for f in fields]
    lines = ["".join(words[k : k + 4]) for k in range(0, len(words), 4)]
    return f"{name + '*':<8}{lines[0]}\n" + "".join(f"{'*':<8}{line}\n" for line in lines[1:])


def free(name, *fields) -> str:
    """A card of fields between commas."""
    lines = [",".join(map(str, fields[k : k + 8])) for k in range(0, len(fields), 8)]
    return f"{name},{lines[0]}\n" + "".join(f"+,{line}\n" for line in lines[1:])


def cantilever(elements: int, extra: str = "") -> str:
    """1 m along x, 20 mm (along z) by 10 mm (along y), clamped at grid 1; the three formats in turn."""
    text, write = "", (small, large, free)
    for k in range(elements + 1):
        text += write[k % 3]("GRID", k + 1, "", f"{k / elements:.6f}", "0.", "0.")
    for k in range(elements):
        text += write[k % 3]("CBAR", k + 1, 10, k + 1, k + 2, "0.", "1.", "0.")
    text += "PBARL,10,1,,BAR\n+,0.02,0.01\n" + STEEL + "SPC1,1,123456,1\n"
    return text + extra


def mesh_cards(points: np.ndarray, cells: dict[str, np.ndarray], thickness: float) -> str:
    """Grids and elements of a mesh, from 1."""
    cards = {"quad": "CQUAD4", "triangle": "CTRIA3", "hexahedron": "CHEXA", "tetra10": "CTETRA"}
    text = "".join(large("GRID", k + 1, "", *(f"{x:.12g}" if "." in f"{x:.12g}" or "e" in f"{x:.12g}" else f"{x:.1f}"
                                              for x in p)) for k, p in enumerate(points))  # fmt: skip
    number = 1
    for kind, members in cells.items():
        for nodes in members:
            text += small(cards[kind], number, 5, *(int(n) + 1 for n in nodes))
            number += 1
    solid = next(iter(cells)) in ("hexahedron", "tetra10")
    text += "PSOLID,5,1\n" if solid else f"PSHELL,5,1,{thickness},1,,1\n"
    return text + STEEL
