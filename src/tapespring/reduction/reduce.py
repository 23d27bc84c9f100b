"""From a structure to a reduced body: read, attach, find shapes, integrate inertia, tell what it is worth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..modal import Frame, Picture, Reduced, Second, Stress
from ..modal.inertia import inertia_of, spread
from ..results.extras import MissingExtraError
from ..results.provenance import make_provenance
from ..schema.near_words import advice
from ..schema.problems import ModelError, Problem
from ..schema.units import FREQUENCY, QuantityError, parse_quantity
from ..solve.krylov import NotSettledError
from .assumed import assumed_shapes, read_shapes
from .bending import second_of
from .coordinates import Coordinates, coordinates_of
from .factors import SOLVERS
from .interfaces import Attached, attach, mean_motion, read_interfaces
from .mass_check import check_matrices
from .methods import METHODS, ShapeSet, Span, orthonormalised, residual_modes, shapes_of
from .of_op2 import imported_shapes
from .report import Report, effective_masses, enough_modes, enough_orders, frequency_error, load_errors
from .sources import structure_from
from .structure import Structure, motion_at
from .threads import by_one_thread

DROP = 1e-8
MODES = 20
AUTO, MOST_ORDERS = "auto", 3


def reduce(source, interfaces=(), **options) -> Reduced:
    """A reduced body; what it is worth stands in `source["report"]`. See `reduced_with_report`. Raises ModelError."""
    return reduced_with_report(source, interfaces, **options)[0]


@by_one_thread
def reduced_with_report(
    source,
    interfaces=(),
    *,
    method: str = "craig-bampton",
    modes: int | None = None,
    below=None,
    shapes=(),
    residual: int | str = AUTO,
    damping=0.0,
    drop: float = DROP,
    massless: str = "refuse",
    stress: str | Sequence[str] = (),
    stiffening: bool = False,
    name: str | None = None,
    solver: str = "auto",
    **reading,
) -> tuple[Reduced, Report]:
    """Reduce a model, a Structure, or a file: .yaml, .bdf, .npz, .mtx, .op4.

    `interfaces`: names of places, `{name: place}` or `{name: {place, tie: rigid|average, at: [x, y, z]}}`. `modes`:
    normal modes to keep (20), or `below` a frequency such as "200 Hz"; `shapes`: formulas, see `assumed`; `residual`:
    orders of residual modes (see `methods`), or "auto": as many as make frequencies up to half that of the fastest
    normal mode right to 1e-6. `damping`: ratio of every mode, or one for each. `drop`: directions among the shapes with
    less of their mass than this depend on the others and are left out. `massless`: "follow" lets freedoms without mass
    follow statically. `stress`: what elements carry, see `stress`. `stiffening`: by loads, see `bending`. `solver`:
    "auto", "pardiso", "layers" or "superlu". `reading`: options of the file's kind, and `allow_python` and
    `allow_outside`, see `sources`.
    Raises ModelError.
    """
    since = time.perf_counter()
    check_words(method, massless, solver)
    orders, fields, limit = read_orders(residual), read_shapes(shapes), read_limit(below)
    structure = structure_from(source, **reading)
    if structure.imported is not None:
        method = only_normal(method, below)
    read = time.perf_counter()
    check_matrices(structure, massless)
    attached = attach(structure, read_interfaces(interfaces))
    z = coordinates_of(structure, attached)
    count = None if limit is not None else MODES if modes is None else int(modes)
    try:
        given = given_shapes(structure, z, method, fields, count, drop)
        found = shapes_of(structure, z, method, count, limit, solver, given)
    except (NotSettledError, MissingExtraError) as reason:
        raise ModelError(Problem(None, (), f"reduce: {reason}")) from None
    span, orders = spanned(found, z, orders, drop)
    used = np.arange(found.normal.shape[1] + (1 + orders) * found.static.shape[1])
    kept, squares = orthonormalised(span.V[:, used] @ span.solved(used, drop)[1], z, drop)  # once more, for rounding
    if structure.imported is not None:
        kept, squares = found.normal, found.squares  # stiffness is that of the file, whatever the elements say
    if not len(squares):
        raise ModelError(Problem(None, (), "nothing is left that deforms; ask for more modes, or for interfaces"))
    held = (method == "craig-bampton" and z.boundary > 0) or z.rigid.shape[1] == 0
    effective = effective_masses(structure, z, found) if held else None
    enough, good = enough_modes(span, found, squares, effective, drop)
    body = assembled(structure, z, attached, kept, squares, damping, name)
    body.stress.update(stresses(structure, stress, z.T @ kept))
    if stiffening:
        body = replace(body, second=second_order(structure, z, attached, found.elastic, kept, squares))
    dropped = max(len(used) - len(squares) - z.rigid.shape[1], 0)
    report = Report(
        method, body.inertia.mass, hertz(found.squares), hertz(squares), effective,
        *load_errors(z, attached, found, kept, squares), dropped, z.rigid.shape[1],
        enough, good, frequency_error(span, squares, good, drop), structure.notes,
        {"read": read - since, "reduce": time.perf_counter() - read},
    )  # fmt: skip
    options = {
        "method": method,
        "interfaces": [a.name for a in attached],
        "residual": orders,
        "drop": drop,
        "solver": solver_of(found),
    }
    body.source.update(structure.source | {"made": provenance(structure), "options": options, "report": report.plain()})
    return body, report


def spanned(shapes: ShapeSet, z: Coordinates, orders: int | None, drop: float) -> tuple[Span, int]:
    """(shapes with residual modes of one order more than are used, which only tells the error; how many are)."""
    more = residual_modes(shapes, z, (MOST_ORDERS if orders is None else orders) + 1)
    span = Span(np.hstack((shapes.static, shapes.normal, more)), z)
    return span, enough_orders(span, shapes, drop) if orders is None else orders


def solver_of(shapes) -> str:
    return shapes.elastic.factors.name if shapes.elastic.factors is not None else ""


def provenance(structure: Structure) -> dict[str, Any]:
    made = make_provenance(structure.name, str(structure.source.get("model", "")))
    return {key: made[key] for key in ("tapespring", "model_name", "model_hash", "numpy", "platform", "date")}


def hertz(squares: np.ndarray) -> np.ndarray:
    return np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi)


def check_words(method: str, massless: str, solver: str) -> None:
    """Raises ModelError."""
    known = {"method": METHODS, "massless": ("refuse", "follow"), "solver": SOLVERS}
    for key, value in (("method", method), ("massless", massless), ("solver", solver)):
        if value not in known[key]:
            raise ModelError(Problem(None, (key,), f"unknown '{value}'{advice(str(value), known[key], 'there are')}"))


def given_shapes(structure: Structure, z: Coordinates, method: str, fields, count: int | None, drop: float):
    """(ω², shapes) that are not to be found here, if any. Raises ModelError."""
    if fields and method != "assumed":
        raise ModelError(Problem(None, ("shapes",), f"method '{method}' finds its shapes; say method 'assumed'"))
    if structure.imported is not None:
        return imported_shapes(structure, z, count)
    return assumed_shapes(structure, z, fields, drop) if method == "assumed" else None


def only_normal(method: str, below) -> str:
    """Of modes found elsewhere. Raises ModelError."""
    if method in ("rubin", "assumed") or below is not None:
        message = "a file of modes has normal modes, the slowest of which are taken; use 'modes' alone"
        raise ModelError(Problem(None, ("method",), message))
    return "normal"


def read_orders(residual: int | str) -> int | None:
    """None: as many as needed. Raises ModelError."""
    word = str(residual).strip()
    if word == AUTO:
        return None
    if not word.isdigit() or int(word) > MOST_ORDERS:
        message = f"'{residual}' is no number of orders from 0 to {MOST_ORDERS}, nor '{AUTO}'"
        raise ModelError(Problem(None, ("residual",), message))
    return int(word)


def read_limit(below) -> float | None:
    """rad/s. Raises ModelError."""
    if below is None:
        return None
    try:
        return 2.0 * np.pi * parse_quantity(below, FREQUENCY)
    except QuantityError as reason:
        raise ModelError(Problem(None, ("below",), str(reason))) from None


def assembled(
    structure: Structure, z: Coordinates, attached: list[Attached], kept: np.ndarray, squares: np.ndarray, damping, name
) -> Reduced:
    """The body of the shapes that are kept."""
    u = z.T @ kept
    ratio = np.broadcast_to(np.asarray(damping, float), squares.shape)
    if ratio.min(initial=0.0) < 0.0:
        raise ModelError(Problem(None, ("damping",), "a damping ratio is not negative"))
    C = np.diag(2.0 * ratio * np.sqrt(np.maximum(squares, 0.0)))
    if z.damping is not None:
        C = C + kept.T @ (z.damping @ kept)
    frames = {one.name: frame_of(structure, z, one, own, kept, u) for one, own in zip(attached, z.own, strict=True)}
    return Reduced(
        name if name is not None else structure.name,
        np.diag(squares), 0.5 * (C + C.T), inertia_of(structure.mass, structure.positions, structure.freedoms, u),
        hertz(squares), frames, structure.positions, spread(u, structure.freedoms), structure.labels,
        z.rigid.shape[1] == 0, picture_of(structure, u),
    )  # fmt: skip


def stresses(structure: Structure, wanted: str | Sequence[str], u: np.ndarray) -> dict[str, Stress]:
    """Raises ModelError."""
    names = [part for part in wanted.split(",") if part.strip()] if isinstance(wanted, str) else list(wanted)
    if not names:
        return {}
    if structure.recovery is None:
        message = "matrices do not say what elements carry; reduce a model or bulk data"
        raise ModelError(Problem(None, ("stress",), message))
    return structure.recovery.stresses(names, u)


def second_order(structure: Structure, z: Coordinates, attached: list[Attached], elastic, kept, squares) -> Second:
    """Raises ModelError."""
    if structure.bending is None:
        message = "elements have to say how they stiffen, which matrices and structures with joints inside do not"
        raise ModelError(Problem(None, ("stiffening",), f"{message}; reduce a model without joints, or leave it out"))
    return second_of(structure, z, attached, elastic, kept, squares)


def frame_of(structure: Structure, z: Coordinates, one: Attached, own: slice, kept: np.ndarray, u: np.ndarray) -> Frame:
    """How an interface moves: rigid ones by their nodes, averaged ones by the mean."""
    moved = one.motions @ kept[own]
    if one.tie == "average":
        moved = mean_motion(structure, one) @ u
    return Frame(one.name, one.position, one.axes, moved[:3], moved[3:], one.turns)


def picture_of(structure: Structure, u: np.ndarray) -> Picture | None:
    drawing = structure.drawing
    if drawing is None:
        return None
    moves = np.zeros((len(drawing.points), 3, u.shape[1]))
    there = drawing.nodes >= 0
    motion = motion_at(structure, drawing.nodes[there], drawing.points[there]) @ u
    moves[there] = motion.reshape(-1, 6, u.shape[1])[:, :3]
    return Picture(drawing.points, drawing.cells, moves)
