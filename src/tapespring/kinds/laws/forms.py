"""The forms a law can have on its way to the assembler: polynomial, spline, formula. Each can be shifted; the first two
integrated exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...schema.programs import Op, Program

#: Place of each variable in the engine (mechanics.tables.OF_TIME, OF_VALUE, OF_RATE).
VARIABLES = {"t": 0, "x": 1, "v": 2}
DEEPEST_STACK = 60  # the engine's own stack holds 64 (mechanics.tables.new_work)


@dataclass(frozen=True)
class PolynomialForm:
    """c0 + c1 z + c2 z² + …"""

    coefficients: tuple[float, ...]

    def plus(self, constant: float) -> PolynomialForm:
        """The same law, shifted."""
        return PolynomialForm((self.coefficients[0] + constant, *self.coefficients[1:]))

    def integral(self, start: float) -> PolynomialForm:
        """Its integral from 0, plus a start value."""
        return PolynomialForm((start, *(c / (k + 1) for k, c in enumerate(self.coefficients))))

    def at(self, z: float) -> float:
        """Value."""
        return float(np.polynomial.polynomial.polyval(z, self.coefficients))

    @property
    def is_zero(self) -> bool:
        """Whether the law vanishes everywhere."""
        return not any(self.coefficients)

    def put(self, assembler) -> int:
        """Add it to the assembler's laws."""
        if not any(self.coefficients[1:]):
            return assembler.law_constant(self.coefficients[0])
        return assembler.law_polynomial(self.coefficients)


@dataclass(frozen=True)
class SplineForm:
    """Pieces between knots (n+1), coefficients (n, degree+1) ascending in (z - knot)."""

    knots: np.ndarray
    coefficients: np.ndarray

    @classmethod
    def of(cls, ppoly) -> SplineForm:
        """From scipy's piecewise polynomial; pieces of no width are left out."""
        wide = np.diff(ppoly.x) > 0.0
        knots = np.append(ppoly.x[:-1][wide], ppoly.x[-1])
        return cls(knots, np.ascontiguousarray(ppoly.c[::-1, wide].T))

    def plus(self, constant: float) -> SplineForm:
        """The same law, shifted."""
        shifted = self.coefficients.copy()
        shifted[:, 0] += constant
        return SplineForm(self.knots, shifted)

    def integral(self, start: float) -> SplineForm:
        """Its integral from 0 (or from the first knot if that is later), plus a start value."""
        raised = np.column_stack((np.zeros(len(self.coefficients)), self.coefficients / self._powers()))
        width = np.diff(self.knots)[:, None]
        areas = (raised * width ** np.arange(raised.shape[1])).sum(axis=1)
        raised[:, 0] = np.concatenate(([0.0], np.cumsum(areas)[:-1]))
        whole = SplineForm(self.knots, raised)
        return whole.plus(start - whole.at(max(0.0, float(self.knots[0]))))

    def _powers(self) -> np.ndarray:
        return np.arange(1, self.coefficients.shape[1] + 1)

    def at(self, z: float) -> float:
        """Value; z within the knots."""
        piece = int(np.clip(np.searchsorted(self.knots, z, side="right") - 1, 0, len(self.coefficients) - 1))
        return float(np.polynomial.polynomial.polyval(z - self.knots[piece], self.coefficients[piece]))

    is_zero = False

    def put(self, assembler, of_time: bool = False) -> int:
        """Add it to the assembler's laws; `of_time`: among forces, whose tables are functions of the coordinate."""
        return assembler.law_spline(self.knots, self.coefficients, of_time)


@dataclass(frozen=True)
class FormulaForm:
    """A postfix program of the engine's variables."""

    codes: tuple[int, ...]
    values: tuple[float, ...]

    @classmethod
    def of(cls, program: Program, variables: tuple[str, ...]) -> FormulaForm:
        """A program of named variables, renumbered to the engine's. Raises ValueError."""
        if program.stack_depth > DEEPEST_STACK:
            raise ValueError(
                f"the formula holds {program.stack_depth} values at once, more than {DEEPEST_STACK}; split it"
            )
        numbers = [
            float(VARIABLES[variables[int(value)]]) if code == Op.VAR else value
            for code, value in zip(program.codes, program.values, strict=True)
        ]
        return cls(program.codes, tuple(numbers))

    @classmethod
    def of_polynomial(cls, coefficients, variable: str) -> FormulaForm:
        """Horner's rule as a program, where the engine would take a polynomial for one of another variable."""
        steps = [(Op.CONST, coefficients[-1])]
        for c in reversed(coefficients[:-1]):
            steps += [(Op.VAR, float(VARIABLES[variable])), (Op.MUL, 0.0), (Op.CONST, c), (Op.ADD, 0.0)]
        codes, values = zip(*steps, strict=True)
        return cls(tuple(int(code) for code in codes), tuple(values))

    def plus(self, constant: float) -> FormulaForm:
        """The same law, shifted."""
        if constant == 0.0:
            return self
        return FormulaForm((*self.codes, int(Op.CONST), int(Op.ADD)), (*self.values, constant, 0.0))

    is_zero = False

    def put(self, assembler) -> int:
        """Add it to the assembler's laws."""
        return assembler.law_expression(self.codes, self.values)


Form = PolynomialForm | SplineForm | FormulaForm
