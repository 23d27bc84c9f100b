"""Which models go through mechanics.plane_lanes, and where their bodies and pins stand in it.

Planar models of rigid bodies, free or moved as told, that nothing but loose pins, films and gravity acts on, if `ode`
steps through their contacts and all laws are sums of whole powers of the square root of the depth. One pin of another
kind, one joint or spring, and the model goes the general way.
"""

from __future__ import annotations

import numpy as np

from ..cells.store import WIDTH, blocks_of, put
from ..mechanics import plane_lanes as pl
from ..mechanics import tables as tb
from .contact_tasks import goes_through

FEWEST = 8  # pins worth a pass
STAGES = 16
AXES = {0: (1, 2), 1: (2, 0), 2: (0, 1)}  # of a plane by its normal, such that turns are positive
NOTHING_ELSE = (
    "rows", "loads", "bushings", "beams", "bars", "cells", "pressures", "drags", "members", "grips", "modal",
)  # fmt: skip
FAR = 1e300
POWERS = {"exponent": {1.5: pl.ELASTIC3, 2.0: pl.ELASTIC4},
          "depth_power": {1.0: pl.DAMPING2, 1.5: pl.DAMPING3, 2.0: pl.DAMPING4}}  # fmt: skip


def law_fits(c: np.ndarray) -> np.ndarray:
    """(contacts,) k δ^n + b δ^p δ' with n and p as in POWERS."""
    damped = np.isin(c["depth_power"], list(POWERS["depth_power"])) & (c["rate_power"] == 1.0)
    elastic = np.isin(c["exponent"], list(POWERS["exponent"])) & (c["margin"] == 0.0)
    return (c["law"] == tb.POWER) & elastic & (damped | (c["damping"] == 0.0))


def goes_flat(t: tb.Tables) -> bool:
    """Whether a model goes through the pass."""
    if not len(t.columns) or len(t.pairs) < FEWEST or not goes_through(t):
        return False
    if any(len(getattr(t, name)) for name in NOTHING_ELSE) or np.any(t.couplings["film"] == 0.0):
        return False
    kinds = t.surfaces["kind"]
    pins = (kinds[t.pairs["a"]] == tb.RING) & (kinds[t.pairs["b"]] == tb.BALL)
    bodies = np.isin(t.nodes["kind"][1:], (tb.FRAME, tb.MOVING_POSE))
    return bool(pins.all() and bodies.all() and law_fits(t.contacts).all())


def in_blocks(values: np.ndarray, fill) -> np.ndarray:
    """(blocks, fields, 4) of (n, fields), what is left of the last block filled."""
    store = np.empty((blocks_of(len(values)), values.shape[1], WIDTH))
    store[:] = np.asarray(fill, float)[:, None]
    put(store, 0, 0, values)
    return store


def pins_of(t: tb.Tables, pairs: np.ndarray, plane: list[int]) -> dict[str, np.ndarray]:
    """Pairs with the films between the same points, then films by themselves."""
    a, b = (t.spots[t.surfaces["spot"][pairs[side]]] for side in ("a", "b"))
    law = t.contacts[pairs["contact"]]
    films = t.measures[t.couplings["measure"][t.couplings["film"] > 0.0]]
    resists = t.couplings["film"][t.couplings["film"] > 0.0]
    points = [(na, nb, *pa, *pb) for na, nb, pa, pb in zip(
        a["node"].tolist(), b["node"].tolist(), a["arm"].tolist(), b["arm"].tolist(), strict=True)]  # fmt: skip
    own = np.zeros((len(points), pl.N_PIN))
    own[:, pl.REACH] = t.surfaces["size"][pairs["a"], 0] + pairs["offset"]
    for name, coefficient in (("exponent", "stiffness"), ("depth_power", "damping")):
        for power, k in POWERS[name].items():
            own[:, k] = np.where(law[name] == power, law[coefficient], 0.0)
    number = {point: i for i, point in reversed(list(enumerate(points)))}
    alone = []
    for film, resistance in zip(films, resists.tolist(), strict=True):
        point = (int(film["a"]), int(film["b"]), *film["sa"].tolist(), *film["sb"].tolist())
        if point in number:
            own[number[point], pl.FILM] += resistance
        else:
            alone.append([0.0] * pl.N_PIN)
            alone[-1][pl.REACH], alone[-1][pl.FILM] = FAR, resistance
            points.append(point)
    numbers = np.concatenate((own, np.reshape(alone, (-1, pl.N_PIN))))
    places = np.array(points)
    numbers[:, [pl.AX, pl.AY]] = places[:, 2:5][:, plane]
    numbers[:, [pl.BX, pl.BY]] = places[:, 5:8][:, plane]
    idle = np.zeros(pl.N_PIN)
    idle[pl.REACH] = FAR
    slots = np.where(places[:, :2] == 0.0, WIDTH * blocks_of(len(t.nodes) - 1), places[:, :2] - 1.0)
    ground = float(WIDTH * blocks_of(len(t.nodes) - 1))
    return {
        "pins": in_blocks(numbers, idle),
        "pin_sides": in_blocks(slots, [ground, ground]).astype(np.int64).ravel(),
        "pin_found": np.zeros((blocks_of(len(numbers)), 3, WIDTH)),
    }


def new_plane(t: tb.Tables, pairs: np.ndarray | None) -> dict[str, np.ndarray]:
    """Fields of RungeKutta; empty where a model goes another way. Pairs: those of the work, with their offsets."""
    if pairs is None or not goes_flat(t):
        return nothing()
    plane = list(AXES[int(t.columns[2]) - 3])
    nodes = t.nodes[1:]
    blocks = blocks_of(len(nodes))
    fall = (nodes["weight"] * nodes["inverse_mass"])[:, None] * t.gravity[plane]
    body = np.column_stack((nodes["inverse_mass"], nodes["inverse_inertia"][:, t.columns[2] - 3], fall))
    told = np.flatnonzero(nodes["kind"] == tb.MOVING_POSE)
    body[told] = 0.0
    rows = np.zeros((2 * (WIDTH * blocks + 1), WIDTH))
    rows[::2, 2] = 1.0  # cos
    return {
        "axes": np.array([*plane, int(t.columns[2]) - 3]), "told": told, "body": in_blocks(body, np.zeros(4)),
        "rows": rows, "push": np.zeros((WIDTH * blocks + 1, WIDTH)),
        **pins_of(t, pairs, plane),
        **places_of(t, int(t.columns[2]) - 3),
        **{name: at_rest(blocks) for name in ("block_y", "block_last", "block_new")},
        "block_scale": np.ones((blocks + 1, pl.N_STATE, WIDTH)),
        "block_K": np.zeros((STAGES * (blocks + 1), pl.N_STATE, WIDTH)), "source": np.zeros(STAGES, np.int64),
        "share": np.zeros(STAGES),
    }  # fmt: skip


def places_of(t: tb.Tables, normal: int) -> dict[str, np.ndarray]:
    """Where the numbers of blocks stand in a state by nodes, works after the bodies."""
    nq, nv = tb.position_size(t), tb.velocity_size(t)
    x, y = AXES[normal]
    q, v = t.nodes["q"][1:], nq + t.nodes["v"][1:]
    own = np.column_stack((q + x, q + y, q + 3, q + 4 + normal, v + x, v + y, v + 3 + normal))
    works = np.full((1, pl.N_STATE, WIDTH), -1)
    works.flat[: tb.N_POWERS] = nq + nv + np.arange(tb.N_POWERS)
    places = np.concatenate((in_blocks(own, [-1.0] * pl.N_STATE).astype(np.int64), works))
    filled = np.flatnonzero(places.ravel() >= 0)
    return {"place": places.ravel()[filled].astype(np.uintp), "in_blocks": filled.astype(np.uintp)}


def at_rest(blocks: int) -> np.ndarray:
    """Bodies as drawn at the origin, and works."""
    y = np.zeros((blocks + 1, pl.N_STATE, WIDTH))
    y[:, pl.P] = 1.0
    return y


def nothing() -> dict[str, np.ndarray]:
    """Of models that go another way."""
    blocks, rows, whole = np.zeros((0, 1, WIDTH)), np.zeros((0, WIDTH)), np.zeros(0, np.int64)
    by_blocks = "body", "pins", "pin_found", "block_y", "block_last", "block_new", "block_scale", "block_K"
    return (
        dict.fromkeys(by_blocks, blocks)
        | dict.fromkeys(("rows", "push"), rows)
        | dict.fromkeys(("axes", "told", "source", "pin_sides"), whole)
        | dict.fromkeys(("place", "in_blocks"), np.zeros(0, np.uintp))
        | {"share": np.zeros(0)}
    )
