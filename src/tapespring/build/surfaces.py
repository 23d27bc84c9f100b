"""The part of a builder that takes surfaces and contacts."""

from __future__ import annotations

import numpy as np

from ..kinds.refusal import Refusal
from ..mechanics import tables as tb
from . import catalogue as cat
from .assembler import Assembler, CrowdDraft, SurfaceDraft


class Surfaces:
    """Needs what a Builder has."""

    assembler: Assembler
    catalogue: cat.Catalogue

    def next_spot(self) -> int:
        """Number of the first spot of the next surface."""
        last = self.assembler.surfaces[-1] if self.assembler.surfaces else None
        return last.spot + len(last.nodes) if last else 0

    def add_surface(self, kind: int, spots, **about) -> int:
        """A surface on (node, point) spots; about: fields of SurfaceDraft."""
        nodes, points = [n for n, _ in spots], [np.asarray(p, float) for _, p in spots]
        about = {"feature": about.get("radius", 0.0)} | about
        if "size" in about:
            about["size"] = np.array(about["size"], float)
        self.assembler.surfaces.append(SurfaceDraft(kind, nodes, points, **about, spot=self.next_spot()))
        return len(self.assembler.surfaces) - 1

    def can_touch(self, i: int, j: int) -> bool:
        """Whether two surfaces move relative to each other and are not neighbours."""
        a, b = (self.assembler.surfaces[k] for k in (i, j))
        free = {n for s in (a, b) for n in s.nodes if self.assembler.nodes[n].kind in (tb.POINT, tb.FRAME)}
        return bool(free) and not set(a.nodes) & set(b.nodes)

    def can_meet(self, i: int, j: int) -> bool:
        """Whether a gap between them can fall below zero: not between points and lines without a radius."""
        a, b = (self.assembler.surfaces[k] for k in (i, j))
        return a.kind not in (tb.BALL, tb.SEGMENT) or a.radius + b.radius > 0.0

    def feature_of(self, surfaces) -> float:
        """Smallest size of surfaces that touch [m]; the model's own where they have none."""
        sizes = [self.assembler.surfaces[k].feature for k in surfaces]
        found = [s for s in sizes if s > 0.0]
        return min(found) if found else 1e-2

    def add_contact(self, contact, row, pairs, sides) -> None:
        """Enter a contact: its law and its pairs, the first surface of each of the lower kind."""
        number = self.next_contact(contact, row, sides)
        self.assembler.pairs += [(i, j, number, sign) for i, j, sign in pairs]
        for i, j, _ in pairs:
            hollow, inside = self.assembler.surfaces[i], self.assembler.surfaces[j]
            if hollow.kind in (tb.RING, tb.SOCKET):
                hollow.size = np.array([hollow.radius - inside.radius, 0.0, 0.0])
                if hollow.size[0] <= 0.0:
                    raise Refusal("the journal is not smaller than the hole it is in", "between")

    def add_crowd(self, contact, row, members, near: float, pairs, sides, always=()) -> None:
        """Enter a contact among many; members: lists of surfaces, bodies, sides, roles, what they meet, and kin.
        Always: pairs that need not be found."""
        number = self.next_contact(contact, row, sides)
        self.assembler.pairs += [(i, j, number, 0.0) for i, j in always]
        all_pairs = None if pairs is None else [(i, j, number, sign) for i, j, sign in pairs]
        surfaces, bodies, side, roles, meets, kin = members
        draft = CrowdDraft(number, surfaces, bodies, side, roles, meets, kin, near, all_pairs)
        self.assembler.crowds.append(draft)

    def next_contact(self, contact, row, sides) -> int:
        """Enter a law and its contact; its number."""
        number = len(self.assembler.contacts)
        self.assembler.contacts.append(row)
        self.assembler.contact_labels.append(contact.name)
        self.assembler.contact_ends.append(len(self.assembler.surfaces))
        self.catalogue.contacts[contact.name] = cat.ContactEntry(
            contact.name, number, sides, getattr(contact, "overlap", "keep")
        )
        return number
