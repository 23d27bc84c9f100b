"""Structures whose matrices were made elsewhere: NumPy, Matrix Market, NASTRAN's OUTPUT4 and DMIG.

.npz    `mass` and `stiffness` (n, n), dense; or of each the data, indices, indptr of scipy's CSR form as `mass/data` …;
        `positions` (nodes, 3); freedoms node by node, `components` of each (else x y z, or with turns if there are six
        per node), or `freedoms` (nodes, 6); `held` numbers of freedoms; `labels`
.mtx    stiffness; `mass` names the file of the mass matrix, `nodes` a table of the nodes
.op4    both by name (KGG and MGG, KAA and MAA …, else `matrices`), `nodes` a table of the nodes
.pch, .dmig  likewise, freedoms by grid and component; `nodes` may be bulk data

A table of nodes is text: number, x, y, z in each line, between blanks or commas; or bulk data with GRID cards.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ..nastran.bulk import understood
from ..nastran.cards import read_deck
from ..nastran.dmig import read_dmig
from ..nastran.op4 import read_op4
from ..nastran.values import CardError
from ..results.archives import read_arrays
from ..schema.folder import Folder
from ..schema.problems import ModelError
from ..schema.text_file import read_bytes, read_text
from .structure import Spot, Structure

NAMES = {"x": 0, "y": 1, "z": 2, "rx": 3, "ry": 4, "rz": 5}
BULK = (".bdf", ".dat", ".nas", ".pch", ".dmig")
LAST = ("GG", "AA", "XX", "LL", "FF", "AAX", "2GG", "2PP")  # of names of NASTRAN's matrices


def structure_of_matrices(
    path, mass=None, nodes=None, components=None, matrices=None, held=(), ignore=(), length_unit=None, mass_unit=None,
    allow_outside: bool = False,
) -> Structure:  # fmt: skip
    """See the head of this file; `held`: nodes that do not move, by number. Raises ModelError."""
    path = Path(path)
    if length_unit is not None or mass_unit is not None:
        fail(path, "matrices are taken as they are, in SI; units are for bulk data")
    ending = path.suffix.lower()
    if ending == ".npz":
        found = of_npz(path, components)
    elif ending in (".pch", ".dmig"):
        found = of_dmig(path, nodes, matrices, allow_outside)
    else:
        M, K = pair_of(path, mass, matrices)
        numbers, positions = read_nodes(path, nodes, allow_outside)
        freedoms = laid_out(path, K.shape[0], len(numbers), components)
        found = made(path, M, K, positions, freedoms, numbers)
    return with_held(path, found, held)


def fail(path, message: str, line: int = 0) -> NoReturn:
    raise ModelError.at(str(path), line, 0, message)


def made(path: Path, M, K, positions, freedoms, numbers) -> Structure:
    from scipy.sparse import csr_array

    names = [str(n) for n in numbers]
    places = {name: Spot(np.array([k]), positions[[k]]) for k, name in enumerate(names)}
    size = K.shape[0]
    return Structure(
        path.stem, csr_array(M), csr_array(K), positions, freedoms, np.zeros(size, bool), places=places,
        labels=tuple(f"node {name}" for name in names), source={"file": path.name},
    )  # fmt: skip


def with_held(path: Path, structure: Structure, held) -> Structure:
    words = held.replace(",", " ").split() if isinstance(held, str) else [str(h) for h in held]
    for word in words:
        if word not in structure.places:
            fail(path, f"there is no node {word} to hold")
        free = structure.freedoms[structure.places[word].nodes[0]]
        structure.held[free[free >= 0]] = True
    return structure


# -- kinds of files ---------------------------------------------------------------------------------------------------
def of_npz(path: Path, components) -> Structure:
    try:
        data = read_arrays(path)
    except (OSError, ValueError) as reason:
        fail(path, f"cannot be read ({reason})")
    M, K = (sparse_in(path, data, name) for name in ("mass", "stiffness"))
    if "positions" not in data:
        fail(path, "has no 'positions' (nodes, 3) of the nodes")
    positions = np.asarray(data["positions"], float).reshape(-1, 3)
    if "freedoms" in data:
        freedoms = np.asarray(data["freedoms"], np.int64).reshape(-1, 6)
    else:
        given = [str(c) for c in data["components"].ravel()] if "components" in data else components
        freedoms = laid_out(path, K.shape[0], len(positions), given)
    numbers = data["labels"].ravel() if "labels" in data else np.arange(len(positions))
    found = made(path, M, K, positions, freedoms, numbers)
    if "held" in data:
        found.held[np.asarray(data["held"], np.int64)] = True
    return found


def sparse_in(path: Path, data: dict[str, np.ndarray], name: str):
    from scipy.sparse import csr_array

    if name in data:
        return csr_array(np.atleast_2d(np.asarray(data[name], float)))
    if f"{name}/data" in data:
        return csr_array(tuple(data[f"{name}/{part}"] for part in ("data", "indices", "indptr")))
    fail(path, f"has no '{name}' (n, n)")


def pair_of(path: Path, mass, matrices) -> tuple[Any, Any]:
    """(M, K)"""
    if path.suffix.lower() == ".op4":
        return chosen(path, read_op4(path), matrices)
    if mass is None:
        fail(path, "is one matrix, the stiffness; name the file of the mass matrix too (mass=…, --mass)")
    return read_mtx(Path(mass)), read_mtx(path)


def read_mtx(path: Path):
    from scipy.io import mmread

    try:
        return mmread(io.BytesIO(read_bytes(path)))
    except (OSError, ValueError) as reason:
        fail(path, f"is no Matrix Market file that can be read ({reason})")


def chosen(path: Path, found: dict[str, Any], matrices) -> tuple[Any, Any]:
    """(M, K) by names, or those with the usual ones."""
    if matrices is not None:
        names = matrices.replace(",", " ").split() if isinstance(matrices, str) else list(matrices)
        if len(names) != 2 or not set(names) <= set(found):
            fail(path, f"matrices are named mass first, then stiffness; there are {', '.join(found)}")
        return found[names[0]], found[names[1]]
    for last in LAST:
        if f"M{last}" in found and f"K{last}" in found:
            return found[f"M{last}"], found[f"K{last}"]
    fail(path, f"which are mass and stiffness? There are {', '.join(found)}; name both (matrices=…, --matrices)")


def of_dmig(path: Path, nodes, matrices, allow_outside: bool) -> Structure:
    deck = read_deck(path, Folder(path.parent, allow_outside=allow_outside))
    try:
        found = read_dmig(understood(deck).dmig)
    except CardError as error:
        raise ModelError(error.problem) from None
    M, K = chosen(path, found, matrices)
    numbers, positions = read_nodes(path, nodes if nodes is not None else path, allow_outside)
    place = {int(number): k for k, number in enumerate(numbers)}
    order = sorted(M.freedoms() | K.freedoms())
    lost = next((grid for grid, _ in order if grid not in place), None)
    if lost is not None:
        fail(path, f"matrix {K.name} has grid {lost}, of which no GRID says where it is; give 'nodes'")
    freedoms = np.full((len(numbers), 6), -1)
    for k, (grid, component) in enumerate(order):
        freedoms[place[grid], component] = k
    used = (freedoms >= 0).any(axis=1)
    return made(path, M.over(order), K.over(order), positions[used], freedoms[used], numbers[used])


# -- nodes ------------------------------------------------------------------------------------------------------------
def read_nodes(path: Path, nodes, allow_outside: bool) -> tuple[np.ndarray, np.ndarray]:
    """(numbers, positions [m])"""
    if nodes is None:
        fail(path, "says nothing of where its freedoms are; name a table of nodes (nodes=…, --nodes): number, x, y, z")
    if not isinstance(nodes, (str, Path)):
        table = np.asarray(nodes, float).reshape(-1, 3)
        return np.arange(len(table)), table
    file = Path(nodes)
    if file.suffix.lower() in BULK:
        bulk = understood(read_deck(file, Folder(file.parent, allow_outside=allow_outside)), ("DMIG",))
        numbers = np.array(sorted(bulk.grids), np.int64)
        return numbers, np.array([bulk.grids[int(n)].x for n in numbers]).reshape(-1, 3)
    try:
        lines = read_text(file).splitlines()
    except OSError as error:
        fail(file, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        fail(file, "is no text in UTF-8; a table of nodes has number, x, y, z in a line")
    found: list[int] = []
    rows: list[tuple[float, ...]] = []
    for k, line in enumerate(lines, start=1):
        words = line.split("#")[0].replace(",", " ").split()
        if not words or (not rows and not words[0].lstrip("-").isdigit()):
            continue  # empty, or the names of columns
        try:
            number, x, y, z = int(words[0]), *map(float, words[1:4])
        except ValueError:
            fail(file, "a node is its number and x, y, z", k)
        found.append(number)
        rows.append((x, y, z))
    return np.array(found), np.array(rows, float).reshape(-1, 3)


def laid_out(path: Path, size: int, count: int, components) -> np.ndarray:
    """(nodes, 6): freedoms node by node, the same components of each."""
    if components is None:
        if count == 0 or size % count or size // count not in (3, 6):
            fail(path, f"{size} freedoms of {count} nodes: say which each has (components=…, --components 'x y rz')")
        which = list(range(size // count))
    else:
        words = components.replace(",", " ").split() if isinstance(components, str) else list(components)
        unknown = [word for word in words if word not in NAMES]
        if unknown:
            fail(path, f"'{unknown[0]}' is no component; there are {', '.join(NAMES)}")
        which = [NAMES[word] for word in words]
    if len(which) * count != size:
        fail(path, f"{count} nodes with {len(which)} components have {len(which) * count} freedoms, not {size}")
    freedoms = np.full((count, 6), -1)
    freedoms[:, which] = np.arange(size).reshape(count, -1)
    return freedoms
