"""A YAML file with a study in it: what it says, where its lines are, and the folder its files are in."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from .problems import ModelError
from .source import Source, read_yaml
from .validation import validated


class StudyFile:
    """Base of the files of fits and of sweeps."""

    schema: ClassVar[Any]

    def __init__(self, source: Source, folder: Path):
        """Raises ModelError with every mistake."""
        self.source, self.folder = source, folder
        self.study = validated(self.schema, source.data, (), source)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        return cls(read_yaml(path), Path(path).parent)

    def refusal(self, message: str, *path: str | int) -> ModelError:
        """An error at a place of the file."""
        return ModelError(self.source.problem(path, message))
