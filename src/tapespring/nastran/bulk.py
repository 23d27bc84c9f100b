"""Bulk data understood: grids in basic coordinates, elements, masses, ties and what is held; and what was not.

Cards that make the structure and are not understood are mistakes. Cards of loads, analyses and output are none, but
they are told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..schema.problems import Problem
from .cards import Card, Deck
from .properties import READERS, Isotropic, mat1
from .systems import System, Systems
from .values import CardError, Fields

#: Loads, analyses and output: they do not change mass and stiffness.
BESIDE = set(
    re.findall(
        r"\w+",
        """PARAM EIGR EIGRL EIGB EIGC EIGP FORCE FORCE1 FORCE2 MOMENT MOMENT1 MOMENT2 PLOAD PLOAD1 PLOAD2 PLOAD4 GRAV
        RFORCE LOAD DLOAD RLOAD1 RLOAD2 TLOAD1 TLOAD2 DAREA DELAY DPHASE TABLED1 TABLED2 TABLED3 TABLED4 TABDMP1 TABLES1
        TABLEM1 FREQ FREQ1 FREQ2 FREQ3 FREQ4 TSTEP TSTEPNL NLPARM SPCD TEMP TEMPD TEMPP1 TEMPRB SET SET1 SET3 PLOTEL
        SUPORT SUPORT1 ECHOON ECHOOFF DESVAR DRESP1 DRESP2 DCONSTR DOPTPRM ASET ASET1 BSET BSET1 CSET CSET1 QSET QSET1
        USET USET1""",
    )
)
WORDS = {"CORD1R", "CORD1C", "CORD1S", "CORD2R", "CORD2C", "CORD2S"}


@dataclass(frozen=True, eq=False)
class Point:
    """GRID"""

    x: np.ndarray  # basic
    system: int  # of displacements
    held: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Element:
    """Grids, property and what orients or shifts it."""

    name: str  # of the card
    number: int
    property: int
    grids: tuple[int, ...]
    fields: Fields
    up: np.ndarray | None = None  # vector in plane 1 of a bar, basic
    offsets: tuple[np.ndarray, np.ndarray] | None = None


@dataclass(frozen=True, eq=False)
class Lump:
    """CONM2, in basic axes: inertia about its own centre of mass."""

    grid: int
    mass: float
    offset: np.ndarray
    inertia: np.ndarray
    fields: Fields


@dataclass(frozen=True, eq=False)
class Tie:
    """RBE2"""

    master: int
    components: tuple[int, ...]
    grids: tuple[int, ...]
    fields: Fields


@dataclass
class Bulk:
    """All that was understood, by the numbers of the file; `problems` and `beside` say what was not."""

    grids: dict[int, Point] = field(default_factory=dict)
    elements: dict[int, Element] = field(default_factory=dict)
    materials: dict[int, Isotropic] = field(default_factory=dict)
    properties: dict[int, object] = field(default_factory=dict)
    lumps: list[Lump] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    held: list[tuple[int, tuple[int, ...], Fields]] = field(default_factory=list)  # grid, components
    dmig: list[Fields] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    weight_to_mass: float = 1.0
    coupled: bool = False  # PARAM,COUPMASS: mass of bars and rods as matrices
    system: Callable[[int], System] | None = None

    def axes_of(self, grid: int) -> np.ndarray:
        """(3, 3) axes of a grid's displacements."""
        assert self.system is not None
        point = self.grids[grid]
        return self.system(point.system).axes_at(point.x)


def understood(deck: Deck, ignore: tuple[str, ...] = ()) -> Bulk:
    """All cards read; every problem is kept."""
    return Reader(deck, tuple(name.upper() for name in ignore)).run()


class Reader:
    """Collects what the cards say."""

    def __init__(self, deck: Deck, ignore: tuple[str, ...]):
        self.deck, self.ignore, self.bulk = deck, ignore, Bulk()
        self.raw: dict[int, Fields] = {}  # grids
        self.systems = Systems(self.grid_at)
        self.spc: dict[int, list[tuple[int, tuple[int, ...], Fields]]] = {}
        self.added: dict[int, list[int]] = {}
        self.defaults: dict[str, Fields] = {}
        self.beside: Counter[str] = Counter()
        self.lines: dict[str, Card] = {}

    def run(self) -> Bulk:
        structural = [card for card in self.deck.cards if not self.is_beside(card)]
        for card in ordered(structural):
            self.guarded(self.take, Fields(card))
        for number, fields in self.raw.items():
            self.guarded(self.place, number, fields)
        self.guarded(self.choose_supports)
        for element in self.bulk.elements.values():
            self.guarded(self.check, element)
        self.bulk.system = lambda number: self.systems(number, Fields(self.deck.cards[0]))
        for name, count in sorted(self.beside.items()):
            where = self.lines[name]
            what = "left out as asked" if name in self.ignore else "not used: it changes neither mass nor stiffness"
            self.bulk.beside.append(f"{where.file}:{where.line}: {count} × {name}: {what}")
        return self.bulk

    def guarded(self, action: Callable, *given) -> None:
        try:
            action(*given)
        except CardError as error:
            if error.problem not in self.bulk.problems:
                self.bulk.problems.append(error.problem)

    def is_beside(self, card: Card) -> bool:
        if card.name == "PARAM" and card.fields[1].upper() in ("WTMASS", "COUPMASS"):
            return False
        beside = card.name in self.ignore or card.name in BESIDE
        if beside:
            self.beside[card.name] += 1
            self.lines.setdefault(card.name, card)
        return beside

    # -- cards ------------------------------------------------------------------------------------------------------
    def take(self, f: Fields) -> None:
        name = f.card.name
        if name in WORDS:
            self.systems.add(f)
        elif name in READERS:
            self.enter(self.bulk.properties, f, READERS[name])
        elif name == "MAT1":
            self.enter(self.bulk.materials, f, mat1)
        elif name == "GRDSET":
            self.defaults["GRID"] = f
        elif name in TAKEN:
            TAKEN[name](self, f)
        else:
            raise f.fail("this card is not understood; replace it, or leave it out knowingly with --ignore " + name)

    def enter(self, table: dict, f: Fields, reader: Callable) -> None:
        number = f.integer(1, "number")
        if number in table:
            raise f.fail(f"{number} is there already")
        table[number] = reader(f)

    def grid(self, f: Fields) -> None:
        number = f.integer(1, "ID")
        if number in self.raw:
            raise f.fail(f"grid {number} is there already")
        self.raw[number] = f

    def place(self, number: int, f: Fields) -> None:
        if number not in self.bulk.grids:
            standard = self.defaults.get("GRID")
            given = {k: f if f.text(k) or standard is None else standard for k in (2, 6, 7)}
            system = self.systems(given[2].integer(2, "CP", 0), f)
            x = system.point(f.vector(3, "coordinates"))
            out = given[6].integer(6, "CD", 0)
            if out < 0:
                raise f.fail("CD = -1 (fluid): no body has such points")
            self.bulk.grids[number] = Point(x, out, given[7].components(7, "PS"))

    def grid_at(self, number: int, user: Fields) -> np.ndarray:
        if number not in self.raw:
            raise user.fail(f"there is no grid {number}")
        self.place(number, self.raw[number])
        return self.bulk.grids[number].x

    def axes_at(self, number: int, user: Fields) -> np.ndarray:
        x = self.grid_at(number, user)
        return self.systems(self.bulk.grids[number].system, user).axes_at(x)

    def element(self, f: Fields, grids: list[int], **more) -> None:
        number = f.integer(1, "EID")
        if number in self.bulk.elements:
            raise f.fail(f"element {number} is there already")
        chosen = f.integer(2, "PID", number)
        self.bulk.elements[number] = Element(f.card.name, number, chosen, tuple(grids), f, **more)

    def rod(self, f: Fields) -> None:
        self.element(f, [f.integer(3, "GA"), f.integer(4, "GB")])

    def bar(self, f: Fields) -> None:
        a, b = f.integer(3, "GA"), f.integer(4, "GB")
        if f.text(8).upper() not in ("", "GGG"):
            raise f.fail(f"OFFT (field 9) is '{f.text(8)}', but offsets in basic axes (GGG) are understood")
        f.refuse_given({9: "PA", 10: "PB"}, "released ends are not understood; join the bars by a joint instead")
        if f.card.name == "CBEAM":
            f.refuse_given({17: "SA", 18: "SB"}, "warping is not understood; remove it")
        at = self.grid_at(a, f)
        axes = self.axes_at(a, f)
        if f.text(5) and not f.text(6) and not f.text(7) and f.text(5).isdigit():
            up = self.grid_at(f.integer(5, "G0"), f) - at
        else:
            up = axes @ np.array(f.vector(5, "orientation"))
        offsets = []
        for k, grid in ((11, a), (14, b)):
            offsets.append(self.axes_at(grid, f) @ np.array(f.vector(k, "offset")))
        if not np.linalg.norm(up) > 0.0:
            raise f.fail("has no orientation: give the vector or the grid of plane 1 (fields 6 to 8)")
        self.element(f, [a, b], up=up, offsets=(offsets[0], offsets[1]))

    def shell(self, f: Fields) -> None:
        count = 4 if f.card.name == "CQUAD4" else 3
        shift = 3 + count + 1  # after THETA or MCID, which isotropic sheets do not need
        f.refuse_given({shift: "ZOFFS"}, "nodes lie in the middle of a sheet here; move them there")
        f.refuse_given({k: "thickness at a corner" for k in range(11, 11 + count)}, "give it with PSHELL")
        self.element(f, [f.integer(3 + k, f"G{k + 1}") for k in range(count)])

    def solid(self, f: Fields) -> None:
        grids = f.integers(3, "grids")
        wanted = {"CHEXA": 8, "CTETRA": 10}[f.card.name]
        if len(grids) != wanted:
            if f.card.name == "CTETRA" and len(grids) == 4:
                raise f.fail("4-node tetrahedra are far too stiff and not understood; mesh with 10-node ones")
            raise f.fail(f"has {len(grids)} grids, but {wanted} are understood")
        self.element(f, grids)

    def conm2(self, f: Fields) -> None:
        grid, chosen = f.integer(2, "G"), f.integer(3, "CID", 0)
        x = self.grid_at(grid, f)
        offset = np.array(f.vector(5, "offset"))
        system = self.systems(max(chosen, 0), f)
        axes = system.axes if chosen > 0 else np.eye(3)
        offset = offset - x if chosen == -1 else axes @ offset
        i11, i21, i22, i31, i32, i33 = (f.real(k, "inertia", 0.0) for k in (9, 10, 11, 12, 13, 14))
        own = np.array([[i11, -i21, -i31], [-i21, i22, -i32], [-i31, -i32, i33]])
        if np.linalg.eigvalsh(own)[0] < -1e-12 * max(np.abs(own).max(), 1e-300):
            raise f.fail("its inertia is not that of a body: an eigenvalue is negative")
        self.bulk.lumps.append(Lump(grid, f.real(4, "M", 0.0), offset, axes @ own @ axes.T, f))

    def rbe2(self, f: Fields) -> None:
        words = [w for w in f.card.fields[4:] if w]
        if words and "." in words[-1]:  # thermal expansion
            raise f.fail("ALPHA (thermal expansion) is not understood; remove it")
        self.bulk.ties.append(Tie(f.integer(2, "GN"), f.components(3, "CM"), tuple(f.integers(4, "GM")), f))

    def spc_card(self, f: Fields) -> None:
        chosen = self.spc.setdefault(f.integer(1, "SID"), [])
        for k in (2, 5):
            if f.text(k):
                f.refuse_given({k + 2: "D"}, "prescribed displacements are no part of a structure")
                chosen.append((f.integer(k, "G"), f.components(k + 1, "C"), f))

    def spc1(self, f: Fields) -> None:
        chosen = self.spc.setdefault(f.integer(1, "SID"), [])
        components = f.components(2, "C")
        thru = "THRU" in (w.upper() for w in f.card.fields)
        chosen += [(g, components, f) for g in f.integers(3, "grids") if not thru or g in self.raw]

    def spcadd(self, f: Fields) -> None:
        self.added[f.integer(1, "SID")] = f.integers(2, "sets")

    def param(self, f: Fields) -> None:
        if f.text(1).upper() == "WTMASS":
            self.bulk.weight_to_mass = f.real(2, "WTMASS")
        else:
            self.bulk.coupled = f.integer(2, "COUPMASS") > 0

    def matrix(self, f: Fields) -> None:
        self.bulk.dmig.append(f)

    # -- afterwards -------------------------------------------------------------------------------------------------
    def choose_supports(self) -> None:
        """Those of the set that case control names, or of the only one there is."""
        if not self.spc:
            return
        chosen = self.deck.chosen.get("SPC")
        if chosen is None:
            tops = set(self.added) or set(self.spc)
            if len(tops) > 1:
                card = next(iter(self.spc.values()))[0][2]
                known = ", ".join(map(str, sorted(tops)))
                raise card.fail(f"case control chooses no SPC set and there are several ({known}); write SPC = … there")
            chosen = next(iter(tops))
        for number in self.added.get(chosen, [chosen]):
            self.bulk.held += self.spc.get(number, [])
        self.bulk.held = [entry for entry in self.bulk.held if self.known_grid(entry)]

    def known_grid(self, entry) -> bool:
        if entry[0] not in self.raw:
            self.bulk.problems.append(entry[2].card.problem(f"there is no grid {entry[0]}; add GRID {entry[0]}"))
        return entry[0] in self.raw

    def check(self, element: Element) -> None:
        for grid in element.grids:
            if grid not in self.raw:
                raise element.fields.fail(
                    f"element {element.number}: there is no grid {grid}; add GRID {grid}, or correct the number"
                )
        found = self.bulk.properties.get(element.property)
        if found is None:
            raise element.fields.fail(
                f"element {element.number}: there is no property {element.property} that is understood; "
                f"add {PROPERTY_CARDS[element.name]} {element.property}, or correct the number"
            )
        wanted = PROPERTY_OF[element.name]
        if type(found).__name__ not in wanted:
            raise element.fields.fail(
                f"element {element.number}: property {element.property} is of another kind of element; "
                f"refer to {PROPERTY_CARDS[element.name]}"
            )
        if found.material not in self.bulk.materials:  # type: ignore[attr-defined]
            missing = f"property {element.property}: there is no MAT1 {found.material}; add it, or correct the number"  # type: ignore[attr-defined]
            raise element.fields.fail(missing)


def ordered(cards: list[Card]) -> list[Card]:
    """Coordinate systems and grids first: others refer to them."""
    return sorted(cards, key=lambda card: card.name not in WORDS and card.name not in ("GRID", "GRDSET"))


PROPERTY_OF = {
    "CBAR": ("BarSection", "ShapedBar"),
    "CBEAM": ("BarSection", "ShapedBar"),
    "CROD": ("RodSection",),
    "CQUAD4": ("Plate",),
    "CTRIA3": ("Plate",),
    "CHEXA": ("Bulk3",),
    "CTETRA": ("Bulk3",),
}
PROPERTY_CARDS = {
    "CBAR": "PBAR or PBARL",
    "CBEAM": "PBEAM or PBEAML",
    "CROD": "PROD",
    "CQUAD4": "PSHELL",
    "CTRIA3": "PSHELL",
    "CHEXA": "PSOLID",
    "CTETRA": "PSOLID",
}
TAKEN: dict[str, Callable[[Reader, Fields], None]] = {
    "GRID": Reader.grid,
    "CBAR": Reader.bar,
    "CBEAM": Reader.bar,
    "CROD": Reader.rod,
    "CQUAD4": Reader.shell,
    "CTRIA3": Reader.shell,
    "CHEXA": Reader.solid,
    "CTETRA": Reader.solid,
    "CONM2": Reader.conm2,
    "RBE2": Reader.rbe2,
    "SPC": Reader.spc_card,
    "SPC1": Reader.spc1,
    "SPCADD": Reader.spcadd,
    "PARAM": Reader.param,
    "DMIG": Reader.matrix,
}
