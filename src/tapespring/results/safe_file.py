"""Writing a results file whole or not at all.

The file is written under another name in the same folder, forced to disk and then renamed over the old one: whatever
goes wrong, the old file stays as it was and no half file is left behind.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class ResultsFileError(OSError):
    """A results file cannot be written or read; the message names the place and what to do about it."""


class RememberingFile:
    """A file for h5py to write to that remembers the first failure instead of raising it.

    HDF5 does not survive a failing disk: a close that cannot flush leaves its library in a state that fails again at
    exit, under another message. So it is told that all went well, closes in order, and the first true error is raised
    afterwards by `raise_first_error`.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._position = 0
        self._end = 0
        self.first_error: OSError | None = None

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._position = offset + (self._end if whence == os.SEEK_END else 0)
        return self._position

    def tell(self) -> int:
        return self._position

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        done = 0
        while done < len(view) and self.first_error is None:
            try:
                os.lseek(self._descriptor, self._position + done, os.SEEK_SET)
                done += os.write(self._descriptor, view[done:])
            except OSError as error:
                self.first_error = error
        self._position += len(view)
        self._end = max(self._end, self._position)
        return len(view)

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        view[:] = bytes(len(view))  # past the end of what was written there are zeros
        os.lseek(self._descriptor, self._position, os.SEEK_SET)
        done = 0
        while done < len(view) and (piece := os.read(self._descriptor, len(view) - done)):
            view[done : done + len(piece)] = piece
            done += len(piece)
        self._position += len(view)
        return len(view)

    def read(self, size: int) -> bytes:
        buffer = bytearray(size)
        self.readinto(buffer)
        return bytes(buffer)

    def truncate(self, size: int) -> int:
        self._end = size
        try:
            os.ftruncate(self._descriptor, size)
        except OSError as error:
            self.first_error = self.first_error or error
        return size

    def flush(self) -> None:
        """Nothing is held back here; the disk is forced once, at the end."""

    def raise_first_error(self) -> None:
        if self.first_error is not None:
            raise self.first_error


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[RememberingFile]:
    """A file to write to that takes the place of `path` when the block ends well, and vanishes when it does not."""
    target = _target(path)
    check_writable(target)
    partial = target.parent / f".tapespring-{secrets.token_hex(6)}.part"
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(partial, flags, 0o666)
        try:
            file = RememberingFile(descriptor)
            try:
                yield file
            finally:
                file.raise_first_error()  # whatever else failed, the disk failed first
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(partial, target)
    except BaseException as error:
        with suppress(OSError):
            partial.unlink()
        if isinstance(error, OSError) and error.errno is not None:
            raise _told(target, error) from error
        raise
    _force_folder(target.parent)


def check_writable(path: str | os.PathLike[str], bytes_needed: int = 0) -> None:
    """Refuse a place where a results file could not be written, before a long run rather than after it.

    bytes_needed: room the file will take, if known [bytes]. Raises ResultsFileError.
    """
    target = _target(path)
    folder = target.parent
    if not os.path.lexists(folder):
        base = next(parent for parent in folder.parents if os.path.lexists(parent))
        if not base.is_dir():
            raise _refusal(target, f"'{base}' is a file, not a folder", "give another path")
        raise _refusal(target, f"the folder '{folder}' does not exist", "create it or give another path")
    if not folder.is_dir():
        raise _refusal(target, f"'{folder}' is a file, not a folder", "give another path")
    if target.is_dir():
        raise _refusal(target, "that name is a folder", f"give a file name inside it, such as '{target / 'run.nc'}'")
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        raise _refusal(target, "that name is a device or pipe, not a file", "give another path")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _refusal(target, f"no permission to write in the folder '{folder}'", "change that or give another path")
    if target.exists() and not os.access(target, os.W_OK):
        raise _refusal(target, "the file there is write-protected", "unprotect it or give another path")
    free = shutil.disk_usage(folder).free
    if free < bytes_needed:
        room = f"{bytes_needed / 1e6:.3g} MB are needed and {free / 1e6:.3g} MB are free"
        raise _refusal(target, f"the disk of the folder '{folder}' is too full ({room})", _MAKE_ROOM)


_MAKE_ROOM = "make room, give a path on another disk, or ask for fewer output times or channels"


def _target(path: str | os.PathLike[str]) -> Path:
    """The absolute path with links followed: a link to a results file keeps being one."""
    return Path(os.path.realpath(Path(path).expanduser()))


def _refusal(target: Path, why: str, what_to_do: str) -> ResultsFileError:
    return ResultsFileError(f"cannot write the results file '{target}': {why}; {what_to_do}")


def _told(target: Path, error: OSError) -> ResultsFileError:
    """A failure of the operating system in words; any older file at `target` is untouched."""
    if error.errno in NO_SPACE:
        why, what_to_do = f"no space left in the folder '{target.parent}' ({error.strerror})", _MAKE_ROOM
    else:
        why = f"{error.strerror or error} in the folder '{target.parent}'"
        what_to_do = "check the folder and its permissions, or give another path"
    told = _refusal(target, why, what_to_do + " (an older file of that name is untouched)")
    told.errno = error.errno
    return told


def _force_folder(folder: Path) -> None:
    """Make the renaming itself durable, on systems that can (Windows cannot)."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
