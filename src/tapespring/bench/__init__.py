"""Published problems with their numbers: `run_case("a03")` runs one and compares it with its reference values.

One file per problem: a model, the quantities, their references, sources and tolerances.
"""

from .case import Case, Quantity
from .registry import UnknownCaseError, find_case, registry, run_case

__all__ = ["Case", "Quantity", "UnknownCaseError", "find_case", "registry", "run_case"]
