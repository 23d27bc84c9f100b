"""Parameters of a model found from measurements, and how far the data fix them."""

from .fitted import fit
from .outcome import FitResults

__all__ = ["FitResults", "fit"]
