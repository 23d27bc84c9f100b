"""The netCDF-4 data model written with h5py: dimensions, coordinate variables, variables, text.

Only what the classic model has is used (doubles, characters, fixed dimensions, one group), so every netCDF reader opens
the file. What netCDF-4 asks of an HDF5 file, from its format specification:

- links in creation order, and `_NCProperties` on the root;
- a dimension is a dataset made an HDF5 dimension scale, with its number in `_Netcdf4Dimid`; one without a coordinate
  variable carries a fixed sentence as its NAME;
- a variable's dimensions are attached scales, and by number in `_Netcdf4Coordinates`; a coordinate variable of two
  dimensions, such as a list of labels, is a scale itself, can have no scales attached, and has the numbers alone;
- text is an array of single characters whose last dimension is its length; `_Encoding` tells readers to join it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .safe_file import replacing
from .seal import ABOUT, add_seal, copy_unsealed

NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable.%10d"
LAYOUT = ("v108", "v110")  # 1.8 is the oldest that can hold the time axis's list of users beyond some 4000 channels


@contextmanager
def writing(path: str | os.PathLike[str], made_by: str) -> Iterator[NetcdfWriter]:
    """A new file at `path`, whole or not at all, with its checksum. Raises ResultsFileError."""
    import h5py

    with replacing(path) as file:
        with h5py.File(file, "w", libver=LAYOUT, track_order=True) as h5:
            writer = NetcdfWriter(h5)
            versions = f"hdf5={h5py.version.hdf5_version},h5py={h5py.version.version}"
            writer.attributes(_NCProperties=f"version=2,tapespring={made_by},{versions}", checksum=ABOUT)
            yield writer
        add_seal(file)


@contextmanager
def adding(path: str | os.PathLike[str], dimensions: int) -> Iterator[NetcdfWriter]:
    """More for a file of ours that has so many dimensions; it takes the old one's place. Raises ResultsFileError."""
    import h5py

    with replacing(path) as file:
        copy_unsealed(path, file)
        with h5py.File(file, "r+", libver=LAYOUT) as h5:
            yield NetcdfWriter(h5, dimensions)
        add_seal(file)


class NetcdfWriter:
    """Writes dimensions and variables into an open `h5py.File` made with `track_order=True`."""

    def __init__(self, file: Any, dimensions: int = 0) -> None:
        """`dimensions` are in the file already; what is added does not use them."""
        self._file = file
        self._scales: dict[str, Any] = {}
        self._before = dimensions

    @property
    def dimensions(self) -> int:
        """How many there are."""
        return self._before + len(self._scales)

    def attributes(self, **attributes: str) -> None:
        """Global attributes; empty ones are left out."""
        for name, text in attributes.items():
            self._set(self._file, name, text)

    def dimension(self, name: str, size: int) -> None:
        """A dimension without coordinate values."""
        scale = self._file.create_dataset(name, (size,), ">f4", track_order=True)
        self._make_scale(scale, name, NO_VARIABLE % size)

    def coordinate(self, name: str, values: NDArray[np.float64], **attributes: str) -> None:
        """A dimension with its coordinate values, (n,)."""
        scale = self._file.create_dataset(name, data=values, track_order=True)
        self._make_scale(scale, name, name)
        self._describe(scale, attributes)

    def labels(self, name: str, labels: Sequence[str], **attributes: str) -> None:
        """A dimension with a text label for each place."""
        characters = as_characters(labels)
        length = self._text_length(name, characters)
        scale = self._file.create_dataset(name, data=characters, track_order=True)
        self._make_scale(scale, name, name)
        scale.attrs.create("_Netcdf4Coordinates", self._numbers((name, length)), dtype="i4")
        self._describe(scale, {"_Encoding": "utf-8", **attributes})

    def variable(self, name: str, values: NDArray[Any], dimensions: Sequence[str], **attributes: str) -> None:
        """A variable over dimensions already written."""
        dataset = self._file.create_dataset(name, data=values, track_order=True)
        for axis, dimension in enumerate(dimensions):
            dataset.dims[axis].attach_scale(self._scales[dimension])
        dataset.attrs.create("_Netcdf4Coordinates", self._numbers(dimensions), dtype="i4")
        self._describe(dataset, attributes)

    def text(self, name: str, text: str, **attributes: str) -> None:
        """One text as a variable of characters."""
        characters = as_characters([text])[0]
        self.variable(name, characters, (self._text_length(name, characters),), _Encoding="utf-8", **attributes)

    def texts(self, name: str, texts: Sequence[str], dimension: str, **attributes: str) -> None:
        """A text for each place of a dimension."""
        characters = as_characters(texts)
        length = self._text_length(name, characters)
        self.variable(name, characters, (dimension, length), _Encoding="utf-8", **attributes)

    def _text_length(self, name: str, characters: NDArray[np.bytes_]) -> str:
        dimension = f"{name}_length"
        self.dimension(dimension, characters.shape[-1])
        return dimension

    def _make_scale(self, dataset: Any, name: str, scale_name: str) -> None:
        dataset.make_scale(scale_name)
        dataset.attrs.create("_Netcdf4Dimid", self.dimensions, dtype="i4")
        self._scales[name] = dataset

    def _numbers(self, dimensions: Sequence[str]) -> list[int]:
        order = list(self._scales)
        return [self._before + order.index(name) for name in dimensions]

    def _describe(self, dataset: Any, attributes: dict[str, str]) -> None:
        for name, text in attributes.items():
            self._set(dataset, name, text)

    @staticmethod
    def _set(owner: Any, name: str, text: str) -> None:
        """Text attributes as fixed-length strings, which netCDF calls characters; an empty one cannot be stored."""
        import h5py

        if text:
            data = text.encode("utf-8", "replace")
            owner.attrs.create(name, data, dtype=h5py.string_dtype("utf-8", len(data)))


def as_characters(texts: Sequence[str]) -> NDArray[np.bytes_]:
    """Texts as an array (n, length) of single bytes of UTF-8, padded with zeros; length is at least 1."""
    encoded = np.array([text.encode("utf-8", "replace") for text in texts], dtype=np.bytes_)
    if encoded.itemsize == 0:
        encoded = encoded.astype("S1")
    return encoded.view("S1").reshape(len(texts), encoded.itemsize)


def as_texts(characters: NDArray[np.bytes_]) -> list[str]:
    """The texts of an array (n, length) of single bytes."""
    rows = np.ascontiguousarray(characters)
    joined = rows.view(f"S{rows.shape[-1]}").reshape(len(rows))
    return [text.decode("utf-8") for text in joined.tolist()]
