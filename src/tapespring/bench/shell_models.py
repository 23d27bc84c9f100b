"""Shells of the published problems, as models: loads grow with time from nothing to all of it at 1 s."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..model import Model


def shell(name: str, mesh: dict, thickness: float, young: float, poisson: float, density: float = 1.0) -> Model:
    """A shell called `shell` of one material."""
    m = Model(name=name)
    m.shell("shell", mesh=mesh, thickness=thickness, material=isotropic(young, poisson, density))
    return m


def isotropic(young: float, poisson: float, density: float = 1.0) -> dict[str, float]:
    return {"young": young, "poisson": poisson, "density": density}


def loaded(model: Model, shares: Iterable[float] = (1.0,), **settings: Any) -> Model:
    """To be loaded slowly, with results at the given shares of the load."""
    model.settings = model.settings.changed(
        **{"solver": "quasi-static", "duration": 1.0, "outputs": [0.0, *shares]} | settings
    )
    return model


def by(place: str, letter: str, time: float, sign: float = 1.0):
    """How far a place has moved from where it was drawn."""

    def value(results) -> float:
        channel = results[f"{place}.position.{letter}"]
        return sign * float(channel.at(time) - channel.values[0])

    return value


def on_path(place: str, letter: str, time: float, sign: float = 1.0):
    """The same where the path of equilibria first reaches a share of the load, between its places by a spline."""

    def value(results) -> float:
        from scipy.interpolate import CubicSpline

        places = np.column_stack((results["path.time"].values, results[f"{place}.position.{letter}"].values))
        fine = CubicSpline(results.time, places)(np.linspace(results.time[0], results.time[-1], 20001))
        k = int(np.argmax(fine[:, 0] >= time * (1.0 - 1e-6)))
        return sign * float(fine[k, 1] - places[0, 1])

    return value
