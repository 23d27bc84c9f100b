"""What a file may reach: files below its own folder, and nothing that runs.

A model or study may come from anywhere. Reading one must not run code, or open files that its reader did not mean to
hand over. So Python functions that it names, and files outside its folder, must be allowed by the reader:
`--allow-python` and `--allow-outside` on the command line, the keywords of these names in Python. What Python code
itself builds is allowed both, for that code runs anyway.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path


class NotAllowedError(ValueError):
    """Something that a file may not reach as it was read."""


@dataclass(frozen=True)
class Folder:
    """The folder in which the files are that a model or study names, and what it may reach."""

    path: Path
    allow_python: bool = False
    allow_outside: bool = False

    @property
    def allowed(self) -> dict[str, bool]:
        """For another file that is named in one of this folder."""
        return {"allow_python": self.allow_python, "allow_outside": self.allow_outside}

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)

    def file(self, name: str | os.PathLike[str]) -> Path:
        """The path of a file that is named: a regular one below the folder, links followed; it need not exist.

        Raises NotAllowedError.
        """
        path = self.path / name
        found, here = os.path.realpath(path), os.path.realpath(self.path)
        if not self.allow_outside and os.path.commonpath([found, here]) != here:
            leads = "" if os.path.normpath(path) == found else f" (it leads to {found})"
            raise NotAllowedError(
                f"'{name}' is outside the folder '{here}'{leads}, where files named here must be; copy it there, or, "
                "if you trust this file, give --allow-outside (in Python allow_outside=True)"
            )
        if os.path.exists(found) and not os.path.isdir(found) and not stat.S_ISREG(os.stat(found).st_mode):
            raise NotAllowedError(f"'{name}' is a pipe or a device, not a file; copy what it gives into a file")
        return path

    def check_python(self, name: str) -> None:
        """Refuse a Python function unless it is allowed to run. Raises NotAllowedError."""
        if not self.allow_python:
            raise NotAllowedError(
                f"'{name}' is Python code, which would run as you; look at it, and if you trust it, give "
                "--allow-python (in Python allow_python=True)"
            )


def trusted(folder: str | os.PathLike[str] | Folder) -> Folder:
    """A folder as Python code gives it: everything is allowed, unless it says otherwise."""
    return folder if isinstance(folder, Folder) else Folder(Path(folder), allow_python=True, allow_outside=True)
