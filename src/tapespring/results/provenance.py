"""Where a run came from: enough to run it again and to tell two runs apart."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any


def make_provenance(
    model_name: str,
    model_text: str,
    solver: str = "",
    settings: Mapping[str, Any] | None = None,
    elements: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """The provenance of a run started now.

    Keys: tapespring, python, numpy, numba (versions), platform, date (UTC, ISO 8601), model_name, model_text (YAML),
    model_hash (SHA-256 of the text), solver, settings, elements (how many, by kind). Versions are read from
    the installed packages' records, so that asking for Numba's costs no import of Numba.
    """
    return {
        "tapespring": VERSION,
        "model_name": model_name,
        "model_hash": hashlib.sha256(model_text.encode()).hexdigest(),
        "model_text": model_text,
        "solver": solver,
        "settings": dict(settings or {}),
        "elements": dict(elements or {}),
        "python": platform.python_version(),
        "numpy": _version("numpy"),
        "numba": _version("numba"),
        "platform": platform.platform(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


VERSION = _version("tapespring")
