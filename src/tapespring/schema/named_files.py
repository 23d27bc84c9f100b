"""Files that a model or study names: what it depends on besides its own text.

A text that is the name of a file beside the model counts, wherever it stands (tables, meshes, bulk data, reduced
bodies, other models), and so does `module:function` of a module there. Files named in those count too.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .folder import Folder, trusted
from .text_file import read_text

FUNCTION = re.compile(r"([\w.]+?)(\.py)?:\w+")
LONGEST = 500  # characters of a path
INCLUDE = re.compile(r"^\s*INCLUDE\s+'([^']+)'", re.IGNORECASE | re.MULTILINE)  # of bulk data


def contents(data: Any, folder: str | Path | Folder) -> bytes:
    """A digest of all files named in plain data, by name and content; empty if there are none."""
    files = named_files(data, folder)
    pieces = [f"{name}:{digest(path)}" for name, path in sorted(files.items())]
    return "\n".join(pieces).encode()


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def named_files(data: Any, folder: str | Path | Folder) -> dict[str, Path]:
    """Files by the names they are given, but for those that may not be reached."""
    found: dict[str, Path] = {}
    left = [(data, trusted(folder))]
    while left:
        inside, beside = left.pop()
        for text in texts(inside):
            for name in names(text):
                path = file_in(beside, name)
                if path is not None and name not in found:
                    found[name] = path
                    left.append((named_inside(path), Folder(path.parent, **beside.allowed)))
    return found


def texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from texts(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from texts(value)


def names(text: str) -> list[str]:
    """Names of files that a text can stand for."""
    if len(text) > LONGEST or "\n" in text or not ("." in text or ":" in text):
        return []
    function = FUNCTION.fullmatch(text)
    return [text] if function is None else [f"{function[1].replace('.', '/')}.py"]


def file_in(folder: Folder, name: str) -> Path | None:
    try:
        return path if (path := folder.file(name)).is_file() else None
    except (OSError, ValueError):  # no name that a file can have, or one that may not be reached
        return None


def named_inside(path: Path) -> Any:
    """What a file names in turn: other models, modules beside a module, included bulk data."""
    try:
        if path.suffix in (".yaml", ".yml"):
            from .source import read_yaml

            return read_yaml(path).data
        if path.suffix == ".py":
            return [f"{module}:module" for module in imported(read_text(path))]
        if path.suffix.lower() in (".bdf", ".dat", ".nas", ".pch", ".asm"):
            return INCLUDE.findall(read_text(path, errors="replace"))
    except (ValueError, OSError, SyntaxError):
        return []  # whoever reads it has more to say
    return []


def imported(source: str) -> list[str]:
    """Modules that a program imports."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [node.module or "", *(f"{node.module or ''}.{a.name}".strip(".") for a in node.names)]
    return found
