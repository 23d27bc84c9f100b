"""Elements of bulk data: their mass goes to grids at once, they themselves to the builder once nodes are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...cells.pieces import Pieces
from ...nastran.bulk import Bulk, Element
from ...nastran.properties import BarSection, Isotropic, Plate, RodSection, ShapedBar
from ...schema.problems import ModelError
from ..meshes.checks import check_elements
from ..meshes.facing import facing_alike
from ..meshes.grid import Grid
from ..refusal import Refusal
from ..sections.circle import Circle
from ..sections.material import Material
from ..sections.rectangle import Rectangle
from ..sections.section import SectionConstants
from ..sections.tube import TubeSection
from ..sheets.layers import Layer, stacked
from ..sheets.solid_material import SolidMaterial
from .grids import GridNodes
from .mesh_body import areas_of, directions
from .shell import SHAPES as SHELLS
from .shell import nodal_directors
from .solid import SHAPES as SOLIDS

Adding = Callable[[object], None]
CELLS = {"CQUAD4": "quad", "CTRIA3": "triangle", "CHEXA": "hexahedron", "CTETRA": "tetra10"}


@dataclass(frozen=True)
class Scale:
    """From the file's units to SI; `to_mass` is PARAM,WTMASS."""

    length: float
    mass: float
    to_mass: float

    def material(self, m: Isotropic) -> tuple[float, float, float, float]:
        """(E, G, ν, ρ)"""
        pressure = self.mass / self.length
        return m.young * pressure, m.shear * pressure, m.poisson, m.density * self.to_mass * self.mass / self.length**3

    def extra(self, value: float, power: int) -> float:
        """Mass per length (1) or area (2)."""
        return value * self.to_mass * self.mass / self.length**power


def add_elements(bulk: Bulk, grids: GridNodes, scale: Scale, damping: float) -> list[Adding]:
    """What to tell the builder later. Raises ModelError."""
    found: list[Adding] = []
    sheets: dict[tuple[int, str], list[Element]] = {}
    for element in bulk.elements.values():
        if element.name in ("CBAR", "CBEAM"):
            found.append(beam(bulk, grids, scale, damping, element))
        elif element.name == "CROD":
            found.append(rod(bulk, grids, scale, damping, element))
        else:
            family = "sheet" if element.name in ("CQUAD4", "CTRIA3") else "solid"
            sheets.setdefault((element.property, family), []).append(element)
    for (_, family), elements in sheets.items():
        found += (sheet if family == "sheet" else solid)(bulk, grids, scale, damping, elements)
    for lump in bulk.lumps:
        unit = scale.to_mass * scale.mass
        place = grids.x[lump.grid] + scale.length * lump.offset
        grids.add_mass(lump.grid, place, unit * lump.mass, unit * scale.length**2 * lump.inertia)
    return found


# -- lines ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class BarShape:
    """Where a bar lies and what it is made from."""

    points: np.ndarray  # (2, 3)
    frame: np.ndarray  # (3, 3) section axes in columns
    length: float
    constants: SectionConstants


def bar_shape(bulk: Bulk, x: dict[int, np.ndarray], scale: Scale, element: Element) -> BarShape:
    """x: positions of grids [m]. Raises ModelError."""
    assert element.up is not None
    assert element.offsets is not None
    points = np.array([x[g] + scale.length * w for g, w in zip(element.grids, element.offsets, strict=True)])
    axis = points[1] - points[0]
    length = float(np.linalg.norm(axis))
    if not length > 0.0:
        raise ModelError(element.fields.card.problem(f"element {element.number} has no length"))
    along = axis / length
    z = np.cross(along, element.up)
    if np.linalg.norm(z) < 1e-9 * np.linalg.norm(element.up):
        message = f"element {element.number}: its orientation vector lies along it; give one across"
        raise ModelError(element.fields.card.problem(message))
    z /= np.linalg.norm(z)
    frame = np.stack((along, np.cross(z, along), z), axis=1)
    return BarShape(points, frame, length, section_constants(bulk, scale, element))


def beam(bulk: Bulk, grids: GridNodes, scale: Scale, damping: float, element: Element) -> Adding:
    """A beam element; half its mass at each end."""
    bar = bar_shape(bulk, grids.x, scale, element)
    own = 0.5 * bar.length * (bar.frame @ bar.constants.inertia @ bar.frame.T)
    for grid, point in zip(element.grids, bar.points, strict=True):
        grids.add_mass(grid, point, 0.5 * bar.length * bar.constants.mass, own, bar.length)

    def add(builder) -> None:
        nodes = (grids.of(element.grids[0]), grids.of(element.grids[1]))
        frames = (bar.frame, bar.frame)
        builder.add_beam_element(nodes, bar.points, frames, bar.length, bar.constants.compliance, damping)

    return add


def section_constants(bulk: Bulk, scale: Scale, element: Element) -> SectionConstants:
    """Raises ModelError."""
    found = bulk.properties[element.property]
    assert isinstance(found, (BarSection, ShapedBar))
    E, G, _, rho = scale.material(bulk.materials[found.material])
    extra = scale.extra(found.extra, 1)
    try:
        if isinstance(found, ShapedBar) and found.shape in BOXES:
            found = BOXES[found.shape](found)
    except ValueError as reason:
        raise ModelError(element.fields.card.problem(f"property {element.property}: {reason}")) from None
    if isinstance(found, ShapedBar):
        try:
            unit = Material.model_validate({"young": E, "shear": G, "density": 1.0})
            shaped = shape_of(found, scale.length).constants(unit)
        except ValueError as reason:
            raise ModelError(element.fields.card.problem(f"property {element.property}: {reason}")) from None
        return SectionConstants(shaped.compliance, rho * shaped.mass + extra, rho * shaped.inertia)
    A, s = found.area * scale.length**2, scale.length**4
    bending = s * np.array([[found.second_2, -found.product], [-found.product, found.second_1]])
    if np.linalg.eigvalsh(bending)[0] <= 0.0:
        raise ModelError(element.fields.card.problem(f"property {element.property}: I12² is not below I1 I2"))
    compliance = np.zeros((6, 6))
    compliance[0, 0], compliance[3, 3] = 1.0 / (E * A), 1.0 / (G * found.torsion * s)
    compliance[4:, 4:] = np.linalg.inv(bending) / E
    if found.shear is not None:
        compliance[1, 1], compliance[2, 2] = (1.0 / (k * G * A) for k in found.shear)
    inertia = np.zeros((3, 3))
    inertia[0, 0], inertia[1:, 1:] = np.trace(bending), bending
    return SectionConstants(compliance, rho * A + extra, rho * inertia)


def shape_of(bar: ShapedBar, unit: float):
    a = [unit * size for size in bar.sizes]
    if bar.shape == "ROD":
        return Circle.model_validate({"radius": a[0]})
    if bar.shape == "TUBE":
        return (
            TubeSection.model_validate({"radius": a[0], "wall": a[0] - a[1]})
            if a[1] > 0.0
            else Circle.model_validate({"radius": a[0]})
        )
    return Rectangle.model_validate({"width": a[1], "thickness": a[0]})  # DIM1 along z, DIM2 along y


def box(bar: ShapedBar) -> BarSection:
    """Torsion by Bredt's formula; webs carry the shear."""
    b, h, t1, t2 = bar.sizes  # along z, along y, thickness of the walls across y, across z
    area = b * h - (b - 2.0 * t2) * (h - 2.0 * t1)
    first = (b * h**3 - (b - 2.0 * t2) * (h - 2.0 * t1) ** 3) / 12.0
    second = (h * b**3 - (h - 2.0 * t1) * (b - 2.0 * t2) ** 3) / 12.0
    torsion = 2.0 * t1 * t2 * (b - t2) ** 2 * (h - t1) ** 2 / (b * t2 + h * t1 - t1**2 - t2**2)
    shear = (2.0 * t2 * h / area, 2.0 * t1 * b / area)
    return BarSection(bar.material, area, first, second, 0.0, torsion, bar.extra, shear)


def i_section(bar: ShapedBar) -> BarSection:
    """Torsion of thin walls; the web carries shear along y, flanges along z."""
    h, low, high, web, f1, f2 = bar.sizes
    if low != high or f1 != f2:
        raise ValueError("an I of unequal flanges has its axis elsewhere; give its numbers with PBAR")
    clear = h - 2.0 * f1
    area = 2.0 * low * f1 + clear * web
    first = (low * h**3 - (low - web) * clear**3) / 12.0
    second = (2.0 * f1 * low**3 + clear * web**3) / 12.0
    torsion = (2.0 * low * f1**3 + (h - f1) * web**3) / 3.0
    shear = (web * (h - f1) / area, 5.0 / 6.0 * 2.0 * low * f1 / area)
    return BarSection(bar.material, area, first, second, 0.0, torsion, bar.extra, shear)


BOXES = {"BOX": box, "I": i_section}


def rod_shape(bulk: Bulk, x: dict[int, np.ndarray], scale: Scale, element: Element) -> tuple[np.ndarray, float, float]:
    """(points, EA, mass per length). Raises ModelError."""
    found = bulk.properties[element.property]
    assert isinstance(found, RodSection)
    E, _, _, rho = scale.material(bulk.materials[found.material])
    area = found.area * scale.length**2
    points = np.array([x[g] for g in element.grids])
    if not np.linalg.norm(points[1] - points[0]) > 0.0:
        raise ModelError(element.fields.card.problem(f"element {element.number} has no length"))
    return points, E * area, rho * area + scale.extra(found.extra, 1)


def rod(bulk: Bulk, grids: GridNodes, scale: Scale, damping: float, element: Element) -> Adding:
    """A bar that carries tension and compression; half its mass at each end."""
    if bulk.properties[element.property].torsion:  # type: ignore[attr-defined]
        card = element.fields.card
        note = f"CROD {element.number}: its torsion (J of PROD) is left out: rods carry tension only here"
        bulk.beside.append(f"{card.file}:{card.line}: {note}")
    points, stiffness, mass = rod_shape(bulk, grids.x, scale, element)
    length = float(np.linalg.norm(points[1] - points[0]))
    for grid, point in zip(element.grids, points, strict=True):
        grids.add_mass(grid, point, 0.5 * mass * length, np.zeros((3, 3)), length)

    def add(builder) -> None:
        nodes = (grids.of(element.grids[0]), grids.of(element.grids[1]))
        builder.add_bar_element(nodes, points, length, stiffness, damping * stiffness, False)

    return add


# -- sheets and solids ------------------------------------------------------------------------------------------------
def mesh_of(grids: GridNodes, elements: list[Element]) -> tuple[Grid, np.ndarray]:
    """(a grid of the elements of one property, numbers of its nodes in the file). Raises ModelError."""
    numbers = np.array(sorted({g for element in elements for g in element.grids}))
    cells, names = {}, {}
    for card in dict.fromkeys(element.name for element in elements):
        mine = [element for element in elements if element.name == card]
        cells[CELLS[card]] = np.searchsorted(numbers, np.array([element.grids for element in mine]))
        names[CELLS[card]] = np.array([element.number for element in mine])
    points = np.array([grids.x[g] for g in numbers.tolist()])
    grid = Grid(points, cells, node_numbers=numbers, cell_numbers=names)
    try:
        check_elements(grid)
        return facing_alike(grid), numbers
    except Refusal as refusal:
        raise ModelError(elements[0].fields.card.problem(str(refusal))) from None


def sheet(bulk: Bulk, grids: GridNodes, scale: Scale, damping: float, elements: list[Element]) -> list[Adding]:
    """Shells of one property."""
    found = bulk.properties[elements[0].property]
    assert isinstance(found, Plate)
    E, _, nu, rho = scale.material(bulk.materials[found.material])
    grid, numbers = mesh_of(grids, elements)
    material = {"young": E, "poisson": nu, "density": rho or 1e-300}
    thickness = found.thickness * scale.length
    section = stacked((Layer.model_validate({"thickness": thickness, "material": material}),))
    pieces = {}
    for name, cells in grid.cells.items():
        corners = grid.points[cells]
        normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, -1] - corners[:, 1])
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        pieces[name] = Pieces(
            SHELLS[name][0], grid.points, cells, directions(corners.mean(axis=1), normals, None, False)
        )
    areas, directors = areas_of(grid, pieces), nodal_directors(grid, pieces)
    for k, number in enumerate(numbers.tolist()):
        mass = (section.mass + scale.extra(found.extra, 2)) * areas[k]
        grids.add_mass(number, grid.points[k], float(mass), section.rotary * areas[k] * np.eye(3), np.sqrt(areas[k]))

    def adding(name: str) -> Adding:
        def add(builder) -> None:
            element, cells = SHELLS[name][1], grid.cells[name]
            form, store = pieces[name].numbers(lambda g: element.stiffness(g, section))
            carried = np.concatenate((directors[name][:, :, None], pieces[name].gathered(element.tangents)), axis=2)
            nodes = np.array([grids.of(g) for g in numbers.tolist()])[cells]
            builder.add_cells(form, nodes, grid.points[cells], carried, store, damping)

        return add

    return [adding(name) for name in grid.cells]


def solid(bulk: Bulk, grids: GridNodes, scale: Scale, damping: float, elements: list[Element]) -> list[Adding]:
    """Solids of one property."""
    found = bulk.properties[elements[0].property]
    E, _, nu, rho = scale.material(bulk.materials[found.material])  # type: ignore[attr-defined]
    grid, numbers = mesh_of(grids, elements)
    stiffness = SolidMaterial.model_validate({"young": E, "poisson": nu, "density": rho or 1e-300}).stiffness()
    pieces, volumes = {}, np.zeros(len(numbers))
    for name, cells in grid.cells.items():
        axes = np.broadcast_to(np.eye(3), (len(cells), 3, 3))
        pieces[name] = Pieces(SOLIDS[name], grid.points, cells, axes)
        np.add.at(volumes, cells, pieces[name].gathered(SOLIDS[name].nodal_volumes))
    for k, number in enumerate(numbers.tolist()):
        grids.add_mass(number, grid.points[k], float(rho * volumes[k]), np.zeros((3, 3)), float(np.cbrt(volumes[k])))

    def adding(name: str) -> Adding:
        def add(builder) -> None:
            cells = grid.cells[name]
            form, store = pieces[name].numbers(lambda g: SOLIDS[name].stiffness(g, stiffness))
            nodes = np.array([grids.of(g) for g in numbers.tolist()])[cells]
            builder.add_cells(form, nodes, grid.points[cells], np.zeros((*nodes.shape, 0, 3)), store, damping)

        return add

    return [adding(name) for name in grid.cells]
