"""Force against elongation or rate, as a field: a coefficient such as '5 kN/m', or any function giving the force."""

import re
from dataclasses import dataclass
from typing import Any

from ..schema import units
from ..schema.expressions import CONSTANTS
from ..schema.functions import FunctionOf, Polynomial, ScalarFunction
from ..schema.unit_grammar import UnitSyntaxError
from ..schema.units import Dimension, format_quantity, parse_quantity


@dataclass(frozen=True)
class ForceLaw(FunctionOf):
    """A number is the slope (dimension `slope`) of a proportional law; all else gives the force itself (`result`)."""

    slope: Dimension = units.STIFFNESS

    def recognise(self, value: Any) -> Any:
        """As any function, but a quantity is a coefficient. Raises ValueError."""
        if isinstance(value, str):
            if self._is_formula(value):
                return super().recognise(value)
            try:
                return self.proportional(value)
            except UnitSyntaxError:
                return super().recognise(value)
        if isinstance(value, (dict, list, tuple, ScalarFunction)) or callable(value):
            return super().recognise(value)
        return self.proportional(value)

    def proportional(self, value: Any) -> Polynomial:
        """force = value × argument"""
        return Polynomial(polynomial=(0.0, parse_quantity(value, self.slope)))

    def _is_formula(self, text: str) -> bool:
        names = re.findall(r"[A-Za-z_]\w*", text)
        calls = re.search(r"[A-Za-z_]\w*\s*\(", text)
        return bool(calls) or any(n in self.variables or (n in CONSTANTS and n != "deg") for n in names)

    def plain(self, function: ScalarFunction, info) -> Any:
        """A proportional law is written as its coefficient."""
        if isinstance(function, Polynomial) and len(function.polynomial) == 2 and function.polynomial[0] == 0.0:
            return format_quantity(function.polynomial[1], self.slope)
        return super().plain(function, info)

    def __get_pydantic_json_schema__(self, schema, handler) -> dict[str, Any]:
        described = super().__get_pydantic_json_schema__(schema, handler)
        described["description"] = (
            f"{self.slope.name} in {self.slope.unit}, or the {self.result.name} in {self.result.unit} as a function of "
            f"{self.variables[0]}"
        )
        described["examples"] = [self.slope.example, {"polynomial": [0, 100, 0, 2000]}]
        return described
