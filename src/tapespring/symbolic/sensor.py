"""The seatbelt sensor by Kane's method, for any given motion of the vehicle.

The pendulum is turned by `a` about the vehicle's second axis and then by `b` about its own first one, which is regular
where the sensor starts; polar angles are not. Torques are those of the published equations with their errata: about b3
the torque has the factor sin², which makes it alike in all directions, and gravity acts along a3, which points down.
"""

from __future__ import annotations

from typing import Any

from .equations import Equations

Vector = tuple[Any, Any, Any]
NUMBERS = {
    "k0": 0.0172, "k1": 5.62, "k4": 910.0, "b0": 0.000201, "b1": 0.0127, "l": 0.0263, "m": 0.032, "r1": -0.737,
    "r2": 0.706, "r3": 0.0584, "g": 9.81,
}  # fmt: skip


def squared_sine(start: float, length: float, speed: float) -> Any:
    """Change of speed by an acceleration 2 speed/length sin² from `start` on."""
    from sympy import Piecewise, pi, sin
    from sympy.physics.mechanics import dynamicsymbols as dynamic

    t = dynamic._t
    s = (t - start) / length
    within = 2.0 * speed * (s / 2 - sin(2 * pi * s) / (4 * pi))
    return Piecewise((0.0, s < 0), (speed, s > 1), (within, True))


def sensor(velocity: Vector | None = None, spin: Vector = (0, 0, 0), down: Vector = (0, 0, 1)) -> Equations:
    """The sensor in a vehicle with these velocities and angular velocities along and about its own axes, expressions of
    time; by default a stop from 9.924288 m/s within 0.1 s. `down` is the direction of gravity in its axes."""
    from sympy import Piecewise, atan2, sqrt, symbols, sympify
    from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame
    from sympy.physics.mechanics import dynamicsymbols as dynamic

    if velocity is None:
        velocity = (squared_sine(0.0, 0.1, -9.924288), 0, 0)
    k0, k1, k4, b0, b1, l, m, r1, r2, r3, g = symbols(" ".join(NUMBERS), real=True)
    a, b, ua, ub = dynamic("a b ua ub")
    v = dynamic("v1:4")
    w = dynamic("w1:4")
    z = dynamic("z1:4")
    earth, vehicle = ReferenceFrame("A"), ReferenceFrame("B")
    vehicle.orient_axis(earth, earth.z, 0)  # replaced by the spin given below
    vehicle.set_ang_vel(earth, w[0] * vehicle.x + w[1] * vehicle.y + w[2] * vehicle.z)
    turned = vehicle.orientnew("C", "Axis", (a, vehicle.y))
    arm = turned.orientnew("E", "Axis", (b, turned.x))
    origin, pivot, bob = Point("O"), Point("P1"), Point("P2")
    origin.set_vel(earth, v[0] * vehicle.x + v[1] * vehicle.y + v[2] * vehicle.z)
    pivot.set_pos(origin, r1 * vehicle.x + r2 * vehicle.y + r3 * vehicle.z)
    bob.set_pos(pivot, l * arm.z)
    pivot.v2pt_theory(origin, earth, vehicle)
    relative = (l * arm.z).dt(vehicle).subs({a.diff(): ua, b.diff(): ub})
    bob.set_vel(earth, pivot.vel(earth) + vehicle.ang_vel_in(earth).cross(l * arm.z) + relative)

    s = [(arm.z & axis) for axis in (vehicle.x, vehicle.y, vehicle.z)]
    aside = s[0] ** 2 + s[1] ** 2
    q = atan2(sqrt(aside), s[2])
    ratio = Piecewise((1 + aside / 6, aside < 1e-8), (q / sqrt(aside), True))  # q / sin q
    k, d = k0 + k1 * q**2 + k4 * q**8, b0 + b1 * q**2
    push = -(k * ratio * (s[2] * arm.z - vehicle.z) + d * relative / l) / l
    weight = z[0] * vehicle.x + z[1] * vehicle.y + z[2] * vehicle.z
    kane = KanesMethod(earth, q_ind=[a, b], u_ind=[ua, ub], kd_eqs=[ua - a.diff(), ub - b.diff()])
    kane.kanes_equations([Particle("bob", bob, m)], [(bob, m * g * weight + push)])
    inputs = dict(zip((*v, *w, *z), map(sympify, (*velocity, *spin, *down)), strict=True))
    outputs = {"angle": (q, "rad"), "angle_x": (atan2(s[0], s[2]), "rad"), "angle_y": (atan2(s[1], s[2]), "rad")}
    numbers = dict(zip((k0, k1, k4, b0, b1, l, m, r1, r2, r3, g), NUMBERS.values(), strict=True))
    return Equations(kane, parameters=numbers, inputs=inputs, outputs=outputs, name="sensor")
