"""Tables of a function: pairs written in the model, or columns of a CSV file.

Mistakes are answered with the row and the remedy. A row of a file is its line, as an editor counts them.
"""

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .near_words import advice, nearest
from .text_file import read_text
from .units import Dimension, parse_quantity


class TableError(ValueError):
    """A table that cannot be used, with file, row and remedy."""


def check_increasing(x: Sequence[float], rows: Sequence[int], x_name: str, remedy: str) -> None:
    """Refuse fewer than two rows, or an x that does not strictly increase."""
    if len(x) < 2:
        raise TableError(f"a table needs at least 2 rows, this one has {len(x)}")
    for before, after, row in zip(x, x[1:], rows[1:], strict=False):
        if after == before:
            raise TableError(f"{x_name} repeats at row {row} ({after:g} again); remove one of the rows")
        if after < before:
            raise TableError(f"{x_name} is not increasing at row {row} ({after:g} after {before:g}); {remedy}")


def read_pairs(table: Any, argument: Dimension, result: Dimension) -> dict[str, list[float]]:
    """`[[x, y], …]` or `{x: […], y: […]}`, with or without units → SI columns `{x: …, y: …}`."""
    pairs = _pairs_of_columns(table) if isinstance(table, dict) else _pairs_of_rows(table)
    x, y = [], []
    for row, (x_written, y_written) in enumerate(pairs, start=1):
        try:
            x.append(parse_quantity(x_written, argument))
            y.append(parse_quantity(y_written, result))
        except ValueError as error:
            raise TableError(f"row {row}: {error}") from None
    check_increasing(x, range(1, len(x) + 1), argument.name, "sort the rows")
    return {"x": x, "y": y}


def _pairs_of_columns(table: dict[str, Any]) -> list[tuple[Any, Any]]:
    if set(table) != {"x", "y"}:
        given = ", ".join(map(str, table)) or "nothing"
        raise TableError(f"a table by columns has exactly x and y, not {given}; write {{x: […], y: […]}}")
    x, y = (_as_list(column) for column in (table["x"], table["y"]))
    if len(x) != len(y):
        raise TableError(f"the columns differ in length: {len(x)} values of x, {len(y)} of y; give as many")
    return list(zip(x, y, strict=True))


def _pairs_of_rows(table: Any) -> list[tuple[Any, Any]]:
    pairs = []
    for row, pair in enumerate(_as_list(table), start=1):
        values = pair.tolist() if hasattr(pair, "tolist") else pair
        if not isinstance(values, (list, tuple)) or len(values) != 2:
            raise TableError(f"row {row}: {values!r} is not a pair; a table is such as [[0, 0], [0.1, 5]]")
        pairs.append((values[0], values[1]))
    return pairs


def _as_list(values: Any) -> list[Any]:
    if hasattr(values, "tolist"):
        values = values.tolist()
    if not isinstance(values, (list, tuple)):
        raise TableError(f"{values!r} is not a table; write one such as [[0, 0], [0.1, 5]]")
    return list(values)


@dataclass(frozen=True)
class CsvRows:
    """The cells of a CSV file, the names of its columns, and the line on which each row stands."""

    file: str
    columns: list[str]
    rows: list[list[str]]
    lines: list[int]

    def column_index(self, column: str | int) -> int:
        """Where a column stands, by its name or its number counted from 0. Raises TableError."""
        if isinstance(column, int):
            if 0 <= column < len(self.columns):
                return column
            raise TableError(
                f"{self.file}: there is no column {column}; the file has {len(self.columns)}, counted from 0: "
                + ", ".join(self.columns)
            )
        if column in self.columns:
            if self.columns.count(column) > 1:
                raise TableError(f"{self.file}: two columns are named '{column}'; give the number of one, from 0")
            return self.columns.index(column)
        hint = advice(column, self.columns, "columns:")
        every = "" if "columns:" in hint else f" (columns: {', '.join(self.columns)})"
        raise TableError(f"{self.file}: no column '{column}'{hint}{every}")

    def values(self, column: int) -> list[float]:
        """The numbers of one column. Raises TableError for gaps and for what is not a number."""
        return [self._number(cells[column], line, column) for cells, line in zip(self.rows, self.lines, strict=True)]

    def _number(self, cell: str, line: int, column: int) -> float:
        where = f"{self.file}: row {line}:"
        if not cell:
            raise TableError(f"{where} empty value in column '{self.columns[column]}'; fill or remove the gap")
        try:
            number = float(cell)
        except ValueError:
            hint = "; write a decimal point" if "," in cell else ""
            raise TableError(f"{where} '{cell}' in column '{self.columns[column]}' is not a number{hint}") from None
        if not math.isfinite(number):
            raise TableError(f"{where} '{cell}' in column '{self.columns[column]}' is a gap; fill or remove it")
        return number


def read_csv(path: Path) -> CsvRows:
    """Read a CSV file: comma, semicolon, tab or blanks; header, header behind '#', or no header."""
    lines = _read_lines(path)
    comments = [text for _, text in lines if text.startswith("#")]
    lines = [(number, text) for number, text in lines if not text.startswith("#")]
    if not lines:
        raise TableError(f"{path.name}: the file holds no data")
    separator = _separator(lines[0][1])
    cells = [(number, _split(text, separator)) for number, text in lines]
    width = len(cells[0][1])
    if any(cell and not _is_number(cell) for cell in cells[0][1]):
        columns = cells.pop(0)[1]
    else:
        columns = _names_behind_hash(comments, separator, width) or [f"column {i}" for i in range(width)]
    for number, row in cells:
        if len(row) != width:
            raise TableError(f"{path.name}: row {number}: {len(row)} values where the file has {width} columns")
    return CsvRows(path.name, columns, [row for _, row in cells], [number for number, _ in cells])


def _read_lines(path: Path) -> list[tuple[int, str]]:
    try:
        text = read_text(path, "utf-8-sig")
    except FileNotFoundError:
        raise TableError(f"no file '{path.name}' in {path.parent}{_near_file(path)}") from None
    except UnicodeDecodeError:
        raise TableError(f"{path.name}: not a text file in UTF-8; export it as CSV in UTF-8") from None
    except OSError as error:
        raise TableError(f"{path.name}: cannot be read: {error.strerror}") from None
    return [(n, line.rstrip()) for n, line in enumerate(text.splitlines(), start=1) if line.strip(" \t,;")]


def _near_file(path: Path) -> str:
    near = nearest(path.name, [p.name for p in path.parent.iterdir()]) if path.parent.is_dir() else None
    return f"; did you mean '{near}'?" if near else "; put it there, or correct its name"


def _separator(line: str) -> str | None:
    return next((mark for mark in (";", "\t", ",") if mark in line), None)  # None: blanks


def _split(line: str, separator: str | None) -> list[str]:
    if separator is None:
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]


def _names_behind_hash(comments: list[str], separator: str | None, width: int) -> list[str] | None:
    names = _split(comments[-1].lstrip("# "), separator) if comments else []
    return names if len(names) == width else None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
