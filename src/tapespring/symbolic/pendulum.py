"""A01 by Kane's and by Lagrange's method: 1 kg on a massless bar of 1 m, released at rest from the horizontal."""

from __future__ import annotations

from .equations import Equations


def pendulum(by: str = "kane") -> Equations:
    """The simple pendulum; its angle is measured from the downward vertical."""
    from sympy import cos, pi, sin, symbols
    from sympy.physics.mechanics import KanesMethod, LagrangesMethod, Lagrangian, Particle, Point, ReferenceFrame
    from sympy.physics.mechanics import dynamicsymbols as dynamic

    m, l, g = symbols("m l g", positive=True)
    q, u = dynamic("q u")
    ground = ReferenceFrame("N")
    origin, tip = Point("O"), Point("P")
    origin.set_vel(ground, 0)
    tip.set_pos(origin, l * (sin(q) * ground.x - cos(q) * ground.y))
    numbers = {m: 1.0, l: 1.0, g: 9.81}
    outputs = {"x": (l * sin(q), "m"), "y": (-l * cos(q), "m")}
    bob = Particle("bob", tip, m)
    if by == "lagrange":
        tip.set_vel(ground, tip.pos_from(origin).dt(ground))
        bob.potential_energy = -m * g * l * cos(q)
        method = LagrangesMethod(Lagrangian(ground, bob), [q], frame=ground)
        method.form_lagranges_equations()
        return Equations(method, parameters=numbers, start={q: float(pi / 2)}, outputs=outputs, name="a01")
    tip.set_vel(ground, tip.pos_from(origin).dt(ground).subs(q.diff(), u))
    kane = KanesMethod(ground, q_ind=[q], u_ind=[u], kd_eqs=[u - q.diff()])
    kane.kanes_equations([bob], [(tip, -m * g * ground.y)])
    return Equations(kane, parameters=numbers, start={q: float(pi / 2)}, outputs=outputs, name="a01")
