"""Functions whose statistics are known in closed form."""

import os
import signal
from math import pi, sin


def ishigami(x1, x2, x3):
    return {"y": sin(x1) + 7.0 * sin(x2) ** 2 + 0.1 * x3**4 * sin(x1)}


def linear(a, b):
    return {"y": a + 2.0 * b}


def tail(a, b):
    """Standard normal if a and b are."""
    return {"y": (a + b) / 2.0**0.5}


def fragile(a):
    if a > 0.9:
        raise ArithmeticError("too much")
    return {"y": a if a > 0.1 else float("nan")}


def broken(**_):
    return {}["nothing"]


def deadly(a):
    if a > 0.9:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"y": a}


# variance of the Ishigami function and its Sobol indices, with a = 7, b = 0.1
A, B = 7.0, 0.1
D1 = 0.5 * (1.0 + B * pi**4 / 5.0) ** 2
D2 = A**2 / 8.0
D13 = 8.0 * B**2 * pi**8 / 225.0
FIRST = [D1 / (D1 + D2 + D13), D2 / (D1 + D2 + D13), 0.0]
TOTAL = [(D1 + D13) / (D1 + D2 + D13), D2 / (D1 + D2 + D13), D13 / (D1 + D2 + D13)]
