"""What a results file holds, read from the file itself and no more of it than there is.

An HDF5 file can point at other files (external storage, external and soft links, virtual datasets), and can promise
arrays of any size in a few bytes (storage that was never written, many names for one array, filters that unfold). A
file of a stranger must neither bring files of its reader into a page nor fill the memory. So arrays are read only if
they stand in this file, byte by byte or compressed within bounds, and all of them together are no more than it holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .safe_file import ResultsFileError

UNFOLDED = 1 << 30  # bytes that compressed arrays may become, all together
DEFLATED = 1032  # most bytes that deflate makes of one
LONGEST = 1 << 16  # of an attribute, bytes


class Contents:
    """The arrays and attributes of an open `h5py.File` of `size` bytes, by name. Raises ResultsFileError."""

    def __init__(self, h5: Any, size: int) -> None:
        self._h5 = h5
        self._left, self._unfolded = size, UNFOLDED
        self._last: tuple[str, Any] = "", None  # opened most recently

    def __contains__(self, name: str) -> bool:
        return name in self._h5

    def __iter__(self) -> Iterator[str]:
        return iter(self._h5)

    def array(self, name: str) -> NDArray[Any]:
        """All of an array."""
        dataset = self._dataset(name)
        created = dataset.id.get_create_plist()
        self._check_place(name, dataset, created)
        self._check_size(name, dataset, created)
        return dataset[...]

    def attribute(self, name: str, array: str | None = None) -> str:
        """A text of an array, or of the file; empty if there is none."""
        import h5py

        owner = self._h5 if array is None else self._dataset(array)
        if not h5py.h5a.exists(owner.id, name.encode()):
            return ""
        found = h5py.h5a.open(owner.id, name.encode())
        kind = found.get_type()
        if kind.get_class() != h5py.h5t.STRING or found.shape not in ((), (1,)) or found.get_storage_size() > LONGEST:
            raise ResultsFileError(f"the attribute '{name}' is no text")
        value = np.empty(found.shape, kind.dtype)
        found.read(value)
        text = value.item()
        self._take(name, len(text) if kind.is_variable_str() else 0)
        return text.decode("utf-8") if isinstance(text, bytes) else str(text)

    def _dataset(self, name: str) -> Any:
        """What a name stands for: a dataset of this file, by its own name."""
        import h5py

        if name != self._last[0]:
            if self._h5.id.links.get_info(name.encode()).type != h5py.h5l.TYPE_HARD:
                raise ResultsFileError(f"'{name}' is a link that leads elsewhere, perhaps to another file")
            found = self._h5[name]
            if not isinstance(found, h5py.Dataset):
                raise ResultsFileError(f"'{name}' is a group, not an array")
            self._last = name, found
        return self._last[1]

    @staticmethod
    def _check_place(name: str, dataset: Any, created: Any) -> None:
        """Refuse what is kept in other files."""
        import h5py

        inside = (h5py.h5d.COMPACT, h5py.h5d.CONTIGUOUS, h5py.h5d.CHUNKED)
        if created.get_layout() not in inside or created.get_external_count():
            raise ResultsFileError(f"the numbers of '{name}' are kept in another file")
        if dataset.dtype.kind not in "fiuS":
            raise ResultsFileError(f"'{name}' holds neither numbers nor text")

    def _check_size(self, name: str, dataset: Any, created: Any) -> None:
        """Refuse what is more than this file holds; netCDF's own compression may unfold within bounds."""
        import h5py

        filters = [created.get_filter(k)[0] for k in range(created.get_nfilters())]
        stored, asked = dataset.id.get_storage_size(), dataset.size * dataset.dtype.itemsize
        if created.get_layout() != h5py.h5d.COMPACT:
            self._take(name, stored)
        if h5py.h5z.FILTER_DEFLATE in filters:
            self._unfolded -= asked
            stored *= DEFLATED
        known = (h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32)
        if len(set(filters)) < len(filters) or not set(filters) <= set(known):
            raise ResultsFileError(f"'{name}' is compressed in a way that is not read here; nccopy -d0 undoes it")
        if asked > stored or self._unfolded < 0:
            raise ResultsFileError(f"'{name}' asks for {asked / 1e6:.3g} MB that are not in the file")

    def _take(self, name: str, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ResultsFileError(f"'{name}' and what was read before are more than the file holds")
