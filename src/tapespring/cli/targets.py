"""Files that a command writes: found to be writable before it takes its time, and none of those it reads."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..results import ResultsFileError, check_writable


def check_target(path: Path, others: Iterable[Path | None]) -> None:
    """Refuse a place that cannot be written, or where one of the other files of a command is. Raises
    ResultsFileError."""
    for other in others:
        if other is not None and same(path, other):
            raise ResultsFileError(
                f"'{path}' would be written over another file of this command, '{other}'; give another path"
            )
    check_writable(path)


def same(a: Path, b: Path) -> bool:
    """Whether two paths lead to one file, which need not exist."""
    try:
        return os.path.samefile(a, b)
    except OSError:
        return os.path.realpath(a) == os.path.realpath(b)
