"""Materials and properties of elements, in the units of the file."""

from __future__ import annotations

from dataclasses import dataclass

from .values import Fields

NOT_HERE = "nothing here understands that; remove it, or make it zero"


@dataclass(frozen=True)
class Isotropic:
    """MAT1"""

    young: float
    shear: float
    poisson: float
    density: float


@dataclass(frozen=True)
class BarSection:
    """PBAR, PBEAM: second moments about the element's z axis (plane 1) and y axis (plane 2)."""

    material: int
    area: float
    second_1: float
    second_2: float
    product: float
    torsion: float
    extra: float  # mass per length beside the material's
    shear: tuple[float, float] | None  # parts of the area that carry shear along y and z; None: no shear strain


@dataclass(frozen=True)
class ShapedBar:
    """PBARL, PBEAML"""

    material: int
    shape: str
    sizes: tuple[float, ...]
    extra: float


@dataclass(frozen=True)
class RodSection:
    """PROD"""

    material: int
    area: float
    torsion: float
    extra: float


@dataclass(frozen=True)
class Plate:
    """PSHELL"""

    material: int
    thickness: float
    extra: float


@dataclass(frozen=True)
class Bulk3:
    """PSOLID"""

    material: int


SIZES = {"ROD": 1, "TUBE": 2, "BAR": 2, "BOX": 4, "I": 6}


def mat1(f: Fields) -> Isotropic:
    young, shear, poisson = (f.real(k, name, 0.0) for k, name in ((2, "E"), (3, "G"), (4, "NU")))
    given = [bool(f.text(k)) for k in (2, 3, 4)]
    if sum(given) < 2:
        raise f.fail("needs two of E, G and NU")
    if not given[0]:
        young = 2.0 * shear * (1.0 + poisson)
    elif not given[2]:
        poisson = young / (2.0 * shear) - 1.0 if shear > 0.0 else 0.0
    elif not given[1]:
        shear = young / (2.0 * (1.0 + poisson))
    if not young > 0.0 or not -1.0 < poisson < 0.5:
        raise f.fail(f"E = {young:g} and NU = {poisson:g} are no elastic material")
    return Isotropic(young, shear, poisson, f.real(5, "RHO", 0.0))


def pbar(f: Fields) -> BarSection:
    k1, k2 = f.real(17, "K1", 0.0), f.real(18, "K2", 0.0)
    if (k1 > 0.0) != (k2 > 0.0):
        raise f.fail("K1 and K2 are given for one direction only; give both or none")
    return section(f, 3, (k1, k2) if k1 > 0.0 else None, f.real(19, "I12", 0.0), 6, 7)


def section(f: Fields, area: int, shear, product: float, torsion: int, extra: int) -> BarSection:
    return BarSection(
        f.integer(2, "MID"), positive(f, area, "A"), positive(f, area + 1, "I1"), positive(f, area + 2, "I2"), product,
        positive(f, torsion, "J"), f.real(extra, "NSM", 0.0), shear,
    )  # fmt: skip


def positive(f: Fields, k: int, name: str) -> float:
    value = f.real(k, name, 0.0)
    if not value > 0.0:
        raise f.fail(f"{name} (field {k + 1}) is {value:g}; a beam needs it above zero")
    return value


def pbeam(f: Fields) -> BarSection:
    """One section all along."""
    more, at = f.text(17).upper(), 17
    if more in ("YES", "YESA", "NO"):  # intermediate or other end: must repeat what stands at end A
        at = 33 if more == "YES" else 25  # fields 10 to 17 and 26 to 33 are points of stress recovery
        if f.real(18, "X/XB", 1.0) != 1.0:
            raise f.fail("sections between its ends: " + NOT_HERE)
        here = [f.real(k, "section", 0.0) for k in range(3, 9)]
        there = [f.real(k + 16, "section", here[k - 3]) for k in range(3, 9)]
        if any(abs(a - b) > 1e-9 * max(abs(a), abs(b)) for a, b in zip(here, there, strict=True)):
            raise f.fail("its section changes along the beam: cut the beam into pieces of constant section")
    k1, k2 = f.real(at, "K1", 1.0), f.real(at + 1, "K2", 1.0)
    f.refuse_given({at + k: "warping, shear centre or neutral axis" for k in range(2, 16)}, NOT_HERE)
    return section(f, 3, (k1, k2) if k1 > 0.0 and k2 > 0.0 else None, f.real(6, "I12", 0.0), 7, 8)


def pbarl(f: Fields) -> ShapedBar:
    shape = f.text(4).upper()
    if shape not in SIZES:
        raise f.fail(f"section '{shape}' is not understood, but {', '.join(SIZES)} are; give its numbers with PBAR")
    count = SIZES[shape]
    sizes = tuple(f.real(9 + k, f"DIM{k + 1}") for k in range(count))
    beside = f.text(9 + count)
    if f.card.name == "PBEAML" and any(f.card.fields[10 + count :]):
        raise f.fail("sections at other stations: cut the beam into pieces of constant section")
    return ShapedBar(f.integer(2, "MID"), shape, sizes, f.real(9 + count, "NSM", 0.0) if beside else 0.0)


def prod(f: Fields) -> RodSection:
    return RodSection(f.integer(2, "MID"), positive(f, 3, "A"), f.real(4, "J", 0.0), f.real(6, "NSM", 0.0))


def pshell(f: Fields) -> Plate:
    material = f.integer(2, "MID1")
    if f.integer(4, "MID2", 0) != material:
        raise f.fail("MID2 is not MID1: sheets that bend as they stretch are understood, membranes alone are not")
    if f.text(6) and f.integer(6, "MID3") != material:
        raise f.fail("MID3 is not MID1: " + NOT_HERE)
    if abs(f.real(5, "12I/T**3", 1.0) - 1.0) > 1e-9:
        raise f.fail("12I/T**3 is not 1: " + NOT_HERE)
    if abs(f.real(7, "TS/T", 0.833333) - 5.0 / 6.0) > 1e-4:
        raise f.fail("TS/T is not 0.833333: " + NOT_HERE)
    return Plate(material, positive(f, 3, "T"), f.real(8, "NSM", 0.0))


def psolid(f: Fields) -> Bulk3:
    f.refuse_given({3: "CORDM"}, "isotropic solids need no axes; remove it")
    return Bulk3(f.integer(2, "MID"))


READERS = {
    "PBAR": pbar,
    "PBEAM": pbeam,
    "PBARL": pbarl,
    "PBEAML": pbarl,
    "PROD": prod,
    "PSHELL": pshell,
    "PSOLID": psolid,
}
