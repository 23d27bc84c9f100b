"""A run as an xarray Dataset, in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .extras import need
from .netcdf import CONVENTIONS, component_dimensions

if TYPE_CHECKING:
    from .dataset import Results


def to_xarray(results: Results) -> Any:
    """Dataset over `time` [s] and component dimensions (`xyz`, …) with the channels' units; needs xarray."""
    xarray = need("xarray", "data", "to_xarray()")
    dimension_of = component_dimensions(results)
    coordinates: dict[str, Any] = {"time": ("time", results.time, {"units": "s"})}
    coordinates |= {dimension: (dimension, list(labels)) for labels, dimension in dimension_of.items()}
    variables = {}
    for channel in results.channels.values():
        dimensions = ("time", dimension_of[channel.components]) if channel.components else ("time",)
        variables[channel.name] = (dimensions, channel.values, {"units": channel.unit, "long_name": channel.about})
    title = str(results.provenance.get("model_name", ""))
    return xarray.Dataset(variables, coordinates, {"Conventions": CONVENTIONS, "title": title})
