"""A YAML file with a study in it: what it says, where its lines are, and the folder its files are in."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from .folder import Folder, NotAllowedError, trusted
from .problems import ModelError
from .source import Source, read_yaml
from .validation import validated


class StudyFile:
    """Base of the files of fits and of sweeps."""

    schema: ClassVar[Any]

    def __init__(self, source: Source, folder: str | Path | Folder):
        """Raises ModelError with every mistake."""
        self.source, self.folder = source, trusted(folder)
        self.study = validated(self.schema, source.data, (), source)

    @classmethod
    def read(cls, path: str | Path, *, allow_python: bool = False, allow_outside: bool = False) -> Self:
        """Raises ModelError."""
        return cls(read_yaml(path), Folder(Path(path).parent, allow_python, allow_outside))

    def named(self, name: str, *path: str | int) -> Path:
        """A file that stands at a place of this one, where it may be read. Raises ModelError."""
        try:
            return self.folder.file(name)
        except NotAllowedError as error:
            raise self.refusal(str(error), *path) from None

    def refusal(self, message: str, *path: str | int) -> ModelError:
        """An error at a place of the file."""
        return ModelError(self.source.problem(path, message))
