"""A model run again and again with other numbers at some of its paths."""

from .paths import Numbers
from .runs import Reruns

__all__ = ["Numbers", "Reruns"]
