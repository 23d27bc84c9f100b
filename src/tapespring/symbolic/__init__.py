"""Equations of motion derived with SymPy, simulated, fitted and reported with the same tools as models.

    kane.kanes_equations(bodies, loads)
    pendulum = Equations(kane, parameters={m: 1.0, l: 1.0, g: 9.81}, start={q: 0.5}, outputs={"angle": q})
    results = pendulum.simulate("10 s")

SymPy is an extra: pip install tapespring[symbolic].
"""

from .equations import Equations

__all__ = ["Equations"]
