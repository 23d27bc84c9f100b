"""Run the stages of a simulation one after the other and join what they recorded.

A stage is a model without the parts its `without` names, from the state in which the stage before it ended. Bodies are
the same in all stages, so a state carries over as it is; flexible ones that are rigid in a stage are brought into that
state and out of it by build.freezing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from .channels import History, make_channels
from .mechanics.tables import LATCH
from .results import Channel, EnergyAudit, Event, State
from .results.audit import ACCOUNTS
from .results.extremes import Steps, at_rows
from .results.trust import DRIFT, LEFT_OUT, Finding
from .schema.near_words import advice
from .schema.problems import ModelError
from .solve.legs import Jump, Leg, Limit, Snap
from .solve.steps import AS_INTEGRATED, TRACED
from .step_rows import ENERGIES, PlaceRows, StepRows

EVENT_KINDS = 8  # per pair, see solve.impacts
CONTACT_EVENTS = (
    ("hit", "surfaces touch"),
    ("release", "the force falls to zero before surfaces part"),
    ("reload", "the force returns"),
    ("separation", "surfaces part"),
    ("slip", "begins to slip"),
    ("stick", "begins to stick"),
    ("jam", "slip is stopped by an impact without collision"),
)
PUSHES = 0.01  # of its largest tension: a cable that pushes with more is no cable
NO_MOTION = 1e-10  # of the model's size, in the time of a run
IMPACTS = 7  # its place in the rows of energy
REMOVABLE = ("joints", "drives", "forces", "contacts", "events")


@dataclass
class StageRun:
    """What one stage left behind."""

    stage: Any
    start: Any
    catalogue: Any
    run: Any
    begin: float
    next_refused: str = ""  # why the stage after it could not begin

    @property
    def rows(self) -> int:
        return self.run.rows

    @property
    def rigid(self) -> tuple[str, ...]:
        """Flexible bodies that are rigid in it."""
        return self.stage.rigid

    @property
    def is_static(self) -> bool:
        return bool(self.run.solver == "quasi-static")

    def times(self) -> np.ndarray:
        """Of the rows; along a path its length takes the place of time, so that it always grows."""
        return self.run.abscissa(self.begin, self.stage.duration)

    def phases(self) -> list[dict[str, Any]]:
        """Which solvers ran it, from when to when, and why."""
        legs = self.run.legs
        ends = [*legs[1:], Leg("", self.run.time, "", self.run.counters().get("steps", 0), self.run.cpu_s)]
        return [
            {
                "stage": self.stage.name, "solver": leg.solver, "begin": leg.begin, "end": after.begin,
                "steps": after.steps - leg.steps, "cpu_s": after.cpu_s - leg.cpu_s, "why": leg.why,
            }
            for leg, after in zip(legs, ends, strict=True)
        ]  # fmt: skip

    def model_times(self) -> np.ndarray:
        return self.run.record.time[: self.rows]

    @cached_property
    def between(self) -> StepRows | None:
        """The run between its outputs, where states were kept."""
        states = 0 if self.is_static else int(self.run.loop.count[TRACED])
        if states < 2:
            return None
        held = (self.stage.baumgarte.alpha, self.stage.baumgarte.beta) if self.run.solver == "baumgarte" else (0.0, 0.0)
        as_integrated = bool(self.run.loop.count[AS_INTEGRATED])
        return StepRows(self.start, self.catalogue, self.run.record, 0, states, as_integrated, held)

    @cached_property
    def places_between(self) -> PlaceRows | None:
        """Of a quasi-static run along time."""
        places = self.run.places
        if places is None or places.count < 2:
            return None
        return PlaceRows(self.start, self.catalogue, places.record, places.count)

    def channels(self) -> dict[str, Channel]:
        found = make_channels(History(self.start, self.catalogue, self.run.record, self.rows))
        between = self.places_between if self.is_static else self.between
        if between is not None:
            for channel in found:
                channel.steps = partial(steps_of, between, channel.name)
        return {channel.name: channel for channel in found}

    def energy(self) -> np.ndarray:
        """(9, rows): kinetic, gravity, strain, then works since the start, impacts in its first instant among them."""
        e = self.run.record.energy[: self.rows].T.copy()
        if self.rows and self.is_static:
            stored = e[:3].sum(axis=0)
            e[3:] -= e[3:, :1]
            e[3] = stored - stored[0]
        return e

    def first_and_last_energy(self, e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(9,) at the begin and at the end: of the rows with energies e, or of states before and after these."""
        first, last, between = e[:, 0], e[:, -1], self.between
        if between is not None and self.times()[0] > between.time[0]:
            first = between.rows(np.array([0])).energy[0]
        if between is not None and self.times()[-1] < between.time[-1]:
            last = between.rows(np.array([len(between.time) - 1])).energy[0]
        return first, last

    def energy_steps(self, e: np.ndarray, shift: np.ndarray) -> Steps:
        """Accounts at the steps, or at the rows where no more is known."""
        if self.between is None:
            return at_rows(self.times(), lambda: (e + shift[:, None]).T)
        steps = self.between.of(ENERGIES)
        return steps._replace(ends=lambda: steps.ends() + shift, inside=lambda which: steps.inside(which) + shift)

    def rounding(self) -> float:
        """Energy in the last digit of the model's size, under the largest force in a joint, or of all of it on a way
        that nobody would call a motion [J]."""
        held = np.abs(self.run.record.multiplier[: self.rows])
        roundings = np.finfo(float).eps * self.start.length * np.nanmax(held, initial=0.0)
        if self.is_static or not self.run.duration > 0.0:
            return float(roundings)
        speed, mass = NO_MOTION * self.start.length / self.run.duration, self.start.system.tables.nodes["mass"].sum()
        return float(max(roundings, 0.5 * mass * speed**2))

    def reached(self) -> list[str]:
        """Events that ended it."""
        if self.is_static:
            return []
        names = list(self.catalogue.events)
        return [names[i] for t, i, _ in self.run.events if i >= 0 and t >= self.run.time]

    def undetermined(self) -> list[Finding]:
        """Reactions that rigid bodies cannot share among joints: a load that is read off one of them is any of many."""
        if not self.start.superfluous:
            return []
        words = (
            "The model is over-constrained (a note says by which joints): forces and torques of these joints, and of "
            "those they share a load with, are one of many possible sets. Free a direction, or let a bushing or a "
            "flexible body stand for one of them."
        )
        return [Finding("fair", "Reactions", words)]

    def first_place(self) -> list[Finding]:
        """Whether a stage or restart had to put bodies elsewhere before it could begin, for its joints and drives."""
        share = self.start.moved / self.start.length
        if share < DRIFT[0]:
            return []
        words = (
            f"At t = {self.start.t:.6g} s bodies were moved by up to {self.start.moved:.3g} m at once, because joints "
            "or drives that act from there on do not fit where they were: let what acts before end where these begin."
        )
        return [Finding("fair" if share < DRIFT[1] else "bad", "Start of a stage", words)]

    def branches(self) -> list[Finding]:
        """Balanced places that reality would not take, or not by this way."""
        found, t = [], getattr(self.run, "unstable_from", None)
        if t is not None:
            words = (
                f"By t = {t:.6g} s the balance is unstable, and no stable branch was found near; what follows would "
                "not be seen in reality. 'snaps: follow' lets the model go where it would."
            )
            found.append(Finding("fair", "Stability", words))
        if self.is_static and self.run.jumps:
            words = (
                f"The balance jumped to another branch, first at t = {self.run.jumps[0].time:.6g} s (see the events); "
                "where it really goes is for inertia to decide: use 'snaps: follow', or a dynamic stage."
            )
            found.append(Finding("fair", "Branches", words))
        return found

    def slack_cables(self) -> list[Finding]:
        """Cables over pulleys that would have had to push."""
        said = []
        for cable in (c for c in self.catalogue.couplers.values() if c.unit and c.stretch is None):
            tension = self.run.record.multiplier[: self.rows, cable.row]
            most = np.abs(tension).max(initial=0.0)
            pushes = np.flatnonzero(tension < -1e-9 * most)
            if len(pushes):
                begin = self.model_times()[pushes[0]]
                words = (
                    f"Its tension is below zero from t = {begin:.4g} s on, down to {tension.min():.4g} N, where a real "
                    "cable hangs loose: preload it, or give it a 'stiffness', with which it does."
                )
                level = "bad" if tension.min() < -PUSHES * most else "fair"
                said.append(Finding(level, f"Pulley cable '{cable.name}'", words))
        return said

    def said_of_extremes(self) -> list[str]:
        """Where not every step is looked at."""
        if self.is_static or self.run.time <= self.start.t:
            return []
        looked, steps = int(self.run.loop.count[TRACED]), self.run.counters()["steps"]
        if looked < 2:
            return [f"{LEFT_OUT} know outputs only: states of all steps would be too large"]
        if steps <= 2 * looked:
            return []
        return [f"{LEFT_OUT} look at every {round(steps / looked)}th step only"]

    def events(self) -> list[Event]:
        names = list(self.catalogue.events.values())
        if self.is_static:
            times = self.times()
            return [limit_event(times[limit.row], limit) for limit in self.run.limits] + [
                jump_event(jump) for jump in self.run.jumps
            ]
        found = [snap_event(self.run.time, self.run.snap)] if self.run.snap else []
        for t, i, value in sorted(self.run.events, key=lambda event: event[0]):
            if i >= 0:
                found.append(Event(names[i].name, t, f"{names[i].watched} crosses {names[i].level:g}"))
            else:
                found.append(contact_event(t, -1 - i, value, self.start.system.tables, self.catalogue))
        return found

    def state(self, number: int, model_hash: str) -> State | None:
        """Where it ended, for a stage to come; None if it never began."""
        from .solve.initial import anchors_of, fingerprint
        from .solve.memory import memory_of

        ended = self.run.state()
        if ended is None:
            return None
        t, q, v = ended
        memory = memory_of(self.start, self.run)
        frozen = self.start.system.drafts.frozen
        if frozen is not None:
            q, v = frozen.expanded(q, v)
        return State(
            t, q, v, anchors_of(self.start), number, model_hash, self.start.system.drafts.bodies,
            contacts=memory.contacts, joints=memory.joints, scheme=self.run.scheme,
            system=fingerprint(self.start.system.tables), reached=self.reached(),
        )  # fmt: skip


def snap_event(t: float, snap: Snap) -> Event:
    about = (
        f"the structure snaps: '{snap.moves_most}' goes {snap.way:.4g} m while loads and drives are held; "
        f"{snap.set_free:.4g} J are set free and taken out"
    )
    return Event("snap", t, about, snap._asdict())


def limit_event(t: float, limit: Limit) -> Event:
    which = "largest" if limit.highest else "smallest"
    about = f"limit point: loads and drives are at their {which} here, those of t = {limit.time:.9g} s (path.time)"
    return Event("limit point", t, about, {"load_time": limit.time})


def jump_event(jump: Jump) -> Event:
    about = (
        f"the balance jumps to another branch: '{jump.moves_most}' goes {jump.way:.4g} m however short the increment, "
        f"and about {jump.set_free:.4g} J are set free"
    )
    return Event("jump", jump.time, about, jump._asdict())


def contact_event(t: float, code: int, impulse: float, tables, catalogue) -> Event:
    """A change of a contact, which pair of its surfaces and how; or of a joint with friction."""
    pair, kind = divmod(code, EVENT_KINDS)
    if pair >= len(tables.pairs):
        joint = list(catalogue.grips)[pair - len(tables.pairs)]
        if tables.grips[pair - len(tables.pairs)]["friction"] == LATCH:
            return Event(f"{joint}.latched", t, "the latch closes")
        word, about = CONTACT_EVENTS[kind]
        return Event(f"{joint}.{word}", t, f"friction of the joint: {about}")
    number = int(tables.pairs[pair]["contact"])
    name = list(catalogue.contacts)[number]
    first = int((tables.pairs["contact"] == number).argmax())
    which = f", pair {pair - first + 1}" if (tables.pairs["contact"] == number).sum() > 1 else ""
    word, about = CONTACT_EVENTS[kind]
    by = f", impulse {impulse:.9g} N s" if impulse else ""
    return Event(f"{name}.{word}", t, f"{about}{which}{by}")


def steps_of(between: StepRows | PlaceRows, name: str) -> list[Steps]:
    return [between.of(name)]


def steps_in(channel: Channel, part: StageRun) -> Steps:
    """A channel of a stage at its steps, or at its rows where no more is known."""
    return channel.steps()[0] if channel.steps else at_rows(part.times(), lambda: channel.values)


@dataclass
class Joined:
    """All stages on one time axis."""

    time: np.ndarray
    channels: list[Channel]
    events: list[Event]
    audit: EnergyAudit | None
    notes: list[str] = field(default_factory=list)


def stage_model(model, stage):
    """The model of a stage. Raises ModelError for a name that is not there."""
    if not stage.without and stage.gravity is None:
        return model
    known = [name for section in REMOVABLE for name in model.section(section)]
    for name in stage.without:
        if name not in known:
            message = f"stage '{stage.name}': there is no joint, drive, force or event '{name}'{advice(name, known)}"
            raise ModelError(model.problem(("simulate", "stages"), message))
    changed = type(model).__new__(type(model))
    changed.__dict__.update(model.__dict__)
    changed.entities = {
        section: {n: e for n, e in entities.items() if n not in stage.without}
        for section, entities in model.entities.items()
    }
    if stage.gravity is not None:
        changed.gravity = stage.gravity
    return changed


def join(parts: list[StageRun]) -> Joined:
    """One time axis, every channel over all stages (not a number where a stage does not have it), one audit."""
    parts = [part for part in parts if part.rows] or parts[:1]
    time = np.maximum.accumulate(np.concatenate([part.times() for part in parts]))  # sums of durations are rounded
    found = [part.channels() for part in parts]
    channels = list(found[0].values()) if len(parts) == 1 else joined_channels(parts, found)
    if any(part.is_static and part.stage.control == "path" for part in parts):
        about = "time at which loads and drives are taken: the load factor along a path of equilibria"
        channels.append(Channel("path.time", "s", np.concatenate([part.model_times() for part in parts]), about=about))
    events = [event for part in parts for event in part.events()]
    return Joined(time, channels, events, joined_audit(parts, time))


def joined_channels(parts: list[StageRun], found: list[dict[str, Channel]]) -> list[Channel]:
    names = dict.fromkeys(name for channels in found for name in channels)
    rows = [part.rows for part in parts]

    def whole(name: str) -> Channel:
        first = next(channels[name] for channels in found if name in channels)

        def values():
            shape = (len(first.components),) if first.components else ()
            pieces = [
                channels[name].values if name in channels else np.full((n, *shape), np.nan)
                for channels, n in zip(found, rows, strict=True)
            ]
            return np.concatenate(pieces)

        def steps() -> list[Steps]:
            return [
                steps_in(channels[name], part) for part, channels in zip(parts, found, strict=True) if name in channels
            ]

        known = any(name in channels and channels[name].steps for channels in found)
        return Channel(name, first.unit, values, first.components, first.about, steps=steps if known else None)

    return [whole(name) for name in names]


def joined_audit(parts: list[StageRun], time: np.ndarray) -> EnergyAudit | None:
    """Works go on from stage to stage; in quasi-static ones work is taken as what is stored, and nothing is audited."""
    if not len(time) or all(part.is_static for part in parts):
        return None
    pieces: list[tuple[StageRun, np.ndarray, np.ndarray]] = []  # with energies at rows, and what is added to them
    held: dict[str, float] = {}  # strain energy of what is rigid
    last = np.zeros(9)
    for part in parts:
        e, shift, lost = part.energy(), np.zeros(9), 0.0
        before = pieces[-1][0] if pieces else None
        held = {name: held.get(name, 0.0) if name in held else strain_of(before, name) for name in part.rigid}
        shift[2] = sum(held.values())
        first, end = part.first_and_last_energy(e)
        if pieces:
            begun = first[3:5].sum() - first[5:].sum()  # work done and lost in its first instant
            shift[3:] = last[3:]
            if part.rigid:  # a plastic impact
                lost = max(0.0, last[0] - first[0])
                shift[IMPACTS] += lost
            # what gravity switched on or off, or a released joint, changes at once is no scheme's error
            shift[3] += first[:3].sum() + shift[2] - last[:3].sum() + lost - begun
        pieces.append((part, e, shift))
        last = end + shift

    def steps() -> list[Steps]:
        return [part.energy_steps(e, shift) for part, e, shift in pieces]

    rows = np.concatenate([e + shift[:, None] for _, e, shift in pieces], axis=1)
    known = any(part.between is not None for part in parts)
    rounding = max(part.rounding() for part in parts)
    return EnergyAudit(
        time, **dict(zip(ACCOUNTS, rows, strict=True)), steps=steps if known else None, rounding=rounding
    )


def strain_of(part: StageRun | None, name: str) -> float:
    """Of a body at the end of a stage; nothing if it is as drawn [J]."""
    return 0.0 if part is None else float(part.channels()[f"{name}.strain_energy"].final)
