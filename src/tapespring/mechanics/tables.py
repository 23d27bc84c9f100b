"""The read-only tables kernels work on, and the scratch they write to.

`Tables` is the compiled form of a model: rows of records, one table per idea. `Work` is recomputable scratch. Both are
plain NamedTuples of arrays so that Numba compiles the engine once for every model.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

# kinds of nodes
GROUND, POINT, FRAME, MOVING_POSE, MOVING_TWIST = 0, 1, 2, 3, 4

# kinds of measures: scalar functions of the relative position of marker b (on node b) and marker a (on node a)
ALONG_WORLD, ALONG, COSINE, LENGTH, ANGLE, TILT = 0, 1, 2, 3, 4, 5

# kinds of laws: scalar functions of time, coordinate and rate
CONSTANT, POLYNOMIAL, PIECEWISE, EXPRESSION, PYTHON = 0, 1, 2, 3, 4

# the variable a law mainly depends on; polynomials and tables are functions of this one
OF_TIME, OF_VALUE, OF_RATE = 0, 1, 2

# laws of cells
LINEAR, TENSION_FIELD, NEO_HOOKEAN = 0, 1, 2

# surfaces that can touch, in the order in which the two sides of a pair stand
PLANE, RING, SOCKET, BOX, ELLIPSOID, BALL, SEGMENT, TRIANGLE = range(8)

# normal laws of contacts
POWER, RESTITUTION, STEPPED, BARRIER, OWN_LAW, PLAY, MOMENTUM = range(7)

# friction of contacts
FRICTIONLESS, REGULARISED, STICKING, RIGID = range(4)

# powers integrated along with the motion
LOADS, DRIVES, DISSIPATED, IMPACTS, FRICTION = range(5)
N_POWERS = 5

vec3 = ("f8", (3,))
mat3 = ("f8", (3, 3))
vec6 = ("f8", (6,))
vec8 = ("f8", (8,))
mat6 = ("f8", (6, 6))


def record(**fields):
    """A dtype: name=type or name=(type, shape)."""
    return np.dtype([(name, *t) if isinstance(t, tuple) else (name, t) for name, t in fields.items()], align=True)


Node = record(kind="i8", q="i8", v="i8", mass="f8", inertia=vec3, inverse_mass="f8", inverse_inertia=vec3, motion="i8")
Motion = record(
    base=("f8", (4,)), turns="i8", axes=mat3, turn_law=("i8", (3,)), law=("i8", (3,)), spin_law=("i8", (3,))
)
Measure = record(kind="i8", a="i8", b="i8", sa=vec3, sb=vec3, e1=vec3, e2=vec3, f=vec3)
Law = record(kind="i8", first="i8", count="i8", degree="i8", address="i8")
Row = record(first="i8", last="i8", law="i8", constant="f8")
Term = record(measure="i8", weight="f8", block_a="i8", block_b="i8", shares="i8")
Coupling = record(measure="i8", elastic="i8", free="f8", damping="i8", active="i8", sign="f8")
Load = record(node="i8", s=vec3, axes=mat3, follows="i8", share="f8", law=("i8", (6,)))
Bushing = record(a="i8", b="i8", sa=vec3, sb=vec3, qa=mat3, qb=mat3, stiffness=mat6, damping=mat6,
                 tilts="i8", axis=vec3, vertical=vec3, even_stiffness=vec8, even_damping=vec8)  # fmt: skip
Beam = record(
    a="i8",
    b="i8",
    sa=vec3,
    sb=vec3,
    qa=mat3,
    qb=mat3,
    length="f8",
    strain=vec6,
    stiffness=mat6,
    damping="f8",
    bow=vec3,
)
Bar = record(a="i8", b="i8", sa=vec3, sb=vec3, length="f8", stiffness="f8", damping="f8", slack="i8")
Form = record(corners="i8", carried="i8", vector="i8", vectors="i8", scalar="i8", scalars="i8", block="i8", blocks="i8")
FormTerm = record(source="i8", weight="f8")
FormProduct = record(scalar="i8", i="i8", j="i8", weight="f8")
Corner = record(node="i8", arm=vec3, director=vec3, along=vec3, across=vec3)
Cell = record(
    form="i8", corner="i8", number="i8", scalar="i8", pair="i8", width="i8", arms="i8", damping="f8", law="i8",
    points="i8",
)  # fmt: skip
Pressure = record(corner="i8", count="i8", pair="i8", law="i8", sign="f8")
Spot = record(node="i8", arm=vec3)
Surface = record(
    kind="i8", spot="i8", count="i8", before="i8", after="i8", radius="f8", size=vec3, axes=mat3, feature="f8"
)
Pair = record(a="i8", b="i8", contact="i8", sign="f8", offset="f8")
Contact = record(
    law="i8", stiffness="f8", exponent="f8", damping="f8", depth_power="f8", rate_power="f8", full_depth="f8",
    margin="f8", function="i8", adhesive="i8", friction="i8", static="f8", kinetic="f8", slip_stiffness="f8",
    slip_damping="f8", slip_speed="f8", deepest="f8", grip="f8", low="f8", high="f8", restitution="f8",
    reversal="f8", poisson="i8", rest_speed="f8",
)  # fmt: skip
Drag = record(node="i8", linear="f8", angular=vec3)
Watch = record(measure="i8", of_rate="i8", level="f8", direction="i8", stop="i8")


class Tables(NamedTuple):
    """Everything constant during a run."""

    gravity: np.ndarray  # (3,) m/s^2
    nodes: np.ndarray  # Node
    motions: np.ndarray  # Motion
    measures: np.ndarray  # Measure
    laws: np.ndarray  # Law
    numbers: np.ndarray  # pool of numbers the laws use
    codes: np.ndarray  # pool of expression opcodes
    rows: np.ndarray  # Row: constraints, in elimination order
    terms: np.ndarray  # Term
    row_draft: np.ndarray  # number of each row in the model, whatever the elimination order
    couplings: np.ndarray  # Coupling: forces along measures
    loads: np.ndarray  # Load
    bushings: np.ndarray  # Bushing
    beams: np.ndarray  # Beam: elements between two section frames
    bars: np.ndarray  # Bar: elements between two points
    forms: np.ndarray  # Form: kinds of cells, see cells.form
    form_first: np.ndarray  # first term of every vector of every form
    form_terms: np.ndarray  # FormTerm
    form_scalars: np.ndarray  # first product of every scalar of every form
    form_products: np.ndarray  # FormProduct
    form_blocks: np.ndarray  # sizes of the blocks of C
    cells: np.ndarray  # Cell: elements of membranes, shells and solids
    corners: np.ndarray  # Corner
    cell_numbers: np.ndarray  # of every cell: reference scalars, then C block by block, or points and their law
    pressures: np.ndarray  # Pressure: faces
    drags: np.ndarray  # Drag: viscous resistance of nodes
    spots: np.ndarray  # Spot: places on nodes that surfaces are made of
    surfaces: np.ndarray  # Surface: what can touch; its spots follow one another
    pairs: np.ndarray  # Pair: surfaces that may touch
    contacts: np.ndarray  # Contact: laws that pairs follow
    watches: np.ndarray  # Watch: events
    tracked: np.ndarray  # measures that are written out
    turning: np.ndarray  # measures whose whole turns are counted
    block_node: np.ndarray  # node of each block of G
    block_row: np.ndarray  # row of each block of G
    columns: np.ndarray  # (3,) columns of G that can differ from zero in a planar model; empty in space
    pair_first: np.ndarray  # per entry of S: its first pair of blocks
    pair_left: np.ndarray
    pair_right: np.ndarray
    S_first: np.ndarray  # lower triangle of S by rows, diagonal last in each row
    S_column: np.ndarray
    L_first: np.ndarray  # pattern of L by rows (strictly lower)
    L_column: np.ndarray
    L_slot: np.ndarray  # where that entry is stored by columns
    C_first: np.ndarray  # L by columns
    C_row: np.ndarray


class Work(NamedTuple):
    """Scratch of one evaluation."""

    x: np.ndarray  # (nodes, 3) positions
    R: np.ndarray  # (nodes, 3, 3) body to world
    v: np.ndarray  # (nodes, 3) velocities
    w: np.ndarray  # (nodes, 3) angular velocities, world axes
    a: np.ndarray  # (nodes, 3) accelerations (of moving frames before the solve)
    alpha: np.ndarray  # (nodes, 3) angular accelerations, world axes
    force: np.ndarray  # (nodes, 3) applied forces
    moment: np.ndarray  # (nodes, 3) applied moments about the node, world axes
    resisting_force: np.ndarray  # (nodes, 3) of damped cells and drag among these
    resisting_moment: np.ndarray  # (nodes, 3)
    apart: np.ndarray  # (1,) 1: the two above are wanted
    free: np.ndarray  # (nv,) accelerations without constraints
    G: np.ndarray  # (blocks, 6) constraint rows, rotations in body axes
    H: np.ndarray  # (blocks, 6) G M^-1
    g: np.ndarray  # (rows,) constraint values
    g_rate: np.ndarray  # (rows,) their rates
    g_target: np.ndarray  # (rows,) speed imposed by drives and moving frames
    rhs: np.ndarray  # (rows,)
    multiplier: np.ndarray  # (rows,)
    correction: np.ndarray  # (nv,)
    S: np.ndarray  # values of S
    L: np.ndarray  # values of L by columns
    D: np.ndarray  # 1/pivots; 0 where a row depends on earlier ones
    y: np.ndarray  # (rows,) scratch of the factorization
    power: np.ndarray  # (N_POWERS,) W
    anchor: np.ndarray  # (measures, 2) last accepted value and rate of each measure, to count turns
    anchor_time: np.ndarray  # (1,)
    stack: np.ndarray  # (depth, 4) of the expression evaluator
    jet: np.ndarray  # (4,) what a law returned
    dropped: np.ndarray  # (1,) rows found dependent in the last factorization
    weakest: np.ndarray  # (1,) smallest pivot over its diagonal since last set to 1: small near singular positions
    found: np.ndarray  # (2,) violation |g|, |g'| found by the last projection
    stress: np.ndarray  # (beams, 6) foreseen by the last correction, see mechanics.mixed
    foreseen: np.ndarray  # (scalars of all cells,) the same for cells
    mixed: np.ndarray  # (1,) 1: tangents take this stress instead of the present one
    cell_z: np.ndarray  # of one cell, vectors in rows of four: what its corners give
    cell_z_rate: np.ndarray
    cell_y: np.ndarray  # sums of these
    cell_y_rate: np.ndarray
    cell_f: np.ndarray  # forces on y
    cell_force: np.ndarray  # forces on z
    cell_s: np.ndarray  # scalars beyond the reference
    cell_s_rate: np.ndarray
    cell_stress: np.ndarray
    cell_damping: np.ndarray
    cell_rows: np.ndarray  # derivatives of the scalars by freedoms
    cell_rows_rate: np.ndarray
    cell_stiff: np.ndarray  # C times these
    cell_H: np.ndarray
    cell_K: np.ndarray
    cell_C: np.ndarray  # of a law that is not linear
    point_strain: np.ndarray
    point_stress: np.ndarray
    point_stiffness: np.ndarray
    point_rows: np.ndarray
    pair_mode: np.ndarray  # (pairs, 2) how each touches and whether it slips, see contacts
    pair_memory: np.ndarray  # (pairs, 8) what it remembers, see contacts
    pair_rate: np.ndarray  # (pairs, 3) rate of its elastic slip
    pair_out: np.ndarray  # (pairs, 12) what was found at the last evaluation, see contacts
    contact_step: np.ndarray  # (2,) how slip is found (see contacts) and the length of the step
    contact_peak: np.ndarray  # (contacts, 8) extremes over the run, see touching
    rigid_closed: np.ndarray  # (1,) pairs by momentum that are closed
    rigid_scale: np.ndarray  # (3,) length and speed of the model, largest force found
    rigid_count: np.ndarray  # (1,) pairs chosen for an evaluation, see rigid_contacts
    rigid_pair: np.ndarray  # (pairs by momentum,) these
    rigid_axes: np.ndarray  # (…, 9) their normals and two directions across
    rigid_W: np.ndarray  # (3 …, nv) generalized forces of unit forces along these
    rigid_H: np.ndarray  # what they do to velocities, joints taken into account
    rigid_L: np.ndarray  # (3 …, rows) what they do to joints
    rigid_D: np.ndarray  # W H'
    rigid_own: np.ndarray  # diagonal of that without joints
    rigid_A: np.ndarray  # flat: D of what is held, and its factors
    rigid_pivot: np.ndarray
    rigid_at: np.ndarray  # directions that are held
    rigid_speed: np.ndarray  # (3 …,) velocity along each
    rigid_bias: np.ndarray  # its rate without accelerations
    rigid_b: np.ndarray
    rigid_x: np.ndarray  # forces or impulses
    rigid_w: np.ndarray
    rigid_r: np.ndarray
    rigid_a: np.ndarray  # (nv,)
    rigid_kind: np.ndarray  # (…,) see linear.cones
    rigid_status: np.ndarray
    rigid_friction: np.ndarray  # (…, 2)
    rigid_way: np.ndarray  # (…, 2)
    rigid_given: np.ndarray  # (…,)
    rigid_impulse: np.ndarray  # (pairs,) of the last impact
    rigid_before: np.ndarray  # (pairs, 2) modes before the last change
    x_last: np.ndarray  # placement at the last accepted state, for slip
    R_last: np.ndarray
    core: np.ndarray  # addresses of the core functions


def new_work(t: Tables, stack_depth: int = 64) -> Work:
    n, nb, nr = len(t.nodes), len(t.block_node), len(t.rows)
    nv = velocity_size(t)
    zeros = np.zeros
    R = np.zeros((n, 3, 3))
    R[:] = np.eye(3)
    return Work(
        x=zeros((n, 3)), R=R, v=zeros((n, 3)), w=zeros((n, 3)), a=zeros((n, 3)), alpha=zeros((n, 3)),
        force=zeros((n, 3)), moment=zeros((n, 3)), resisting_force=zeros((n, 3)), resisting_moment=zeros((n, 3)),
        apart=zeros(1, np.int64), free=zeros(nv), G=zeros((nb, 6)), H=zeros((nb, 6)),
        g=zeros(nr), g_rate=zeros(nr), g_target=zeros(nr), rhs=zeros(nr), multiplier=zeros(nr), correction=zeros(nv),
        S=zeros(len(t.S_column)), L=zeros(len(t.C_row)), D=zeros(nr), y=zeros(nr), power=zeros(N_POWERS),
        anchor=zeros((len(t.measures), 2)), anchor_time=zeros(1), stack=zeros((stack_depth, 4)),
        jet=zeros(4),         dropped=zeros(1, np.int64),
        weakest=np.ones(1), found=zeros(2), stress=zeros((len(t.beams), 6)),
        mixed=zeros(1, np.int64), core=zeros(24, np.int64), foreseen=zeros(cell_scalars(t)), **cell_scratch(t),
        **contact_scratch(t), **rigid_scratch(t),
    )  # fmt: skip


def contact_scratch(t: Tables) -> dict[str, np.ndarray]:
    """What pairs remember; placements of the last step only where there are pairs."""
    pairs, n = len(t.pairs), len(t.nodes) if len(t.pairs) else 0
    R = np.zeros((n, 3, 3))
    R[:] = np.eye(3)
    return {
        "pair_mode": np.zeros((pairs, 2), np.int64), "pair_memory": np.zeros((pairs, 8)),
        "pair_rate": np.zeros((pairs, 3)), "pair_out": np.zeros((pairs, 12)), "contact_step": np.zeros(2),
        "contact_peak": np.zeros((len(t.contacts), 8)), "x_last": np.zeros((n, 3)), "R_last": R,
    }  # fmt: skip


def has_momentum(t: Tables) -> bool:
    """Whether a contact is by momentum."""
    return bool((t.contacts["law"] == MOMENTUM).any())


def rigid_scratch(t: Tables) -> dict[str, np.ndarray]:
    """Of contacts by momentum, all of whose pairs may be closed at once."""
    m = int((t.contacts["law"][t.pairs["contact"]] == MOMENTUM).sum()) if has_momentum(t) else 0
    n, nv, pairs = 3 * m, velocity_size(t) if m else 0, len(t.pairs)
    sizes: dict[str, Any] = {
        "scale": 3, "axes": (m, 9), "W": (n, nv), "H": (n, nv), "L": (n, len(t.rows)), "D": (n, n), "own": n,
        "A": n * n, "speed": n, "bias": n, "b": n, "x": n, "w": n, "r": n, "a": nv, "friction": (m, 2), "way": (m, 2),
        "given": m, "impulse": pairs,
    }  # fmt: skip
    whole = {"closed": 1, "count": 1, "pair": m, "at": n, "kind": m, "status": m, "before": (pairs, 2)}
    found = {f"rigid_{name}": np.zeros(shape) for name, shape in sizes.items()}
    found |= {f"rigid_{name}": np.zeros(shape, np.int64) for name, shape in whole.items()}
    return found | {"rigid_pivot": np.zeros(n, np.uintp)}


def cell_scalars(t: Tables) -> int:
    """Of all cells together."""
    return int(t.forms["scalars"][t.cells["form"]].sum()) if len(t.cells) else 0


def cell_scratch(t: Tables) -> dict[str, np.ndarray]:
    """Large enough for any cell of the model."""
    given = int((t.forms["corners"] * (1 + t.forms["carried"])).max(initial=0))
    vectors, scalars = (int(t.forms[name].max(initial=0)) for name in ("vectors", "scalars"))
    size = 6 * int(t.forms["corners"].max(initial=0))
    shapes: dict[str, int | tuple[int, int]] = {
        "cell_z": (given, 4), "cell_z_rate": (given, 4), "cell_force": (given, 4), "cell_H": (given, given),
        "cell_y": (vectors, 4), "cell_y_rate": (vectors, 4), "cell_f": (vectors, 4),
        "cell_s": scalars, "cell_s_rate": scalars, "cell_stress": scalars, "cell_damping": scalars,
        "cell_rows": scalars * size, "cell_rows_rate": scalars * size, "cell_stiff": scalars * size,
        "cell_K": size * size, "cell_C": scalars * scalars, "point_strain": 6, "point_stress": 6,
        "point_stiffness": (6, 6), "point_rows": (6, scalars),
    }  # fmt: skip
    return {name: np.zeros(shape) for name, shape in shapes.items()}


def position_size(t: Tables) -> int:
    """Numbers in q: 3 per point, 7 per frame (moving frames too)."""
    kind = t.nodes["kind"]
    return int(np.where(kind == GROUND, 0, np.where(kind == POINT, 3, 7)).sum())


def velocity_size(t: Tables) -> int:
    """Numbers in v: 3 per point, 6 per frame (moving frames too)."""
    kind = t.nodes["kind"]
    return int(np.where(kind == GROUND, 0, np.where(kind == POINT, 3, 6)).sum())
