"""Optional packages: imported when asked for, and a plain sentence when they are not there."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class MissingExtraError(ImportError):
    """An optional package is not installed; the message says which command installs it."""


def need(module: str, extra: str, purpose: str) -> ModuleType:
    """Import `module`, or raise MissingExtraError telling to install `tapespring[extra]`."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(f"{purpose} needs {package}: pip install tapespring[{extra}]", name=package) from error
