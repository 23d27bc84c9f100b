"""Files that are read whole: regular ones, and texts that fit into memory. A pipe may never end, and a device has no
end."""

import errno
import json
import math
import os
import stat
from pathlib import Path
from typing import Any

LARGEST = 1 << 30  # bytes of a text, which takes many times as much once it is read


def read_bytes(path: Path, most: float = math.inf) -> bytes:
    """All of a file. Raises OSError, whose `strerror` says what to do about a pipe, a device or a file too large."""
    about = os.stat(path)
    if stat.S_ISDIR(about.st_mode):  # said so on every system
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(about.st_mode):
        why = "that name is a pipe or a device, not a file; copy what it gives into a file"
        raise OSError(errno.EINVAL, why, str(path))
    if about.st_size > most:
        why = f"it is larger than {most / 1e9:.3g} GB, which is the most that is read; thin it out"
        raise OSError(errno.EFBIG, why, str(path))
    return path.read_bytes()


def read_text(path: Path, encoding: str = "utf-8", errors: str = "strict") -> str:
    """All of a text file, with lines that end in a line feed. Raises OSError and UnicodeDecodeError."""
    text = read_bytes(path, LARGEST).decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_entries(path: Path) -> dict[str, Any]:
    """The entries of a file of JSON. Raises OSError, and ValueError for all that is not such a file."""
    try:
        data = json.loads(read_text(path))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(data, dict):
        raise ValueError("no entries at the top")
    return data
