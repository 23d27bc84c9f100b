"""Drive a compiled time loop from Python: chunks, progress, Ctrl-C, hand-over from explicit to stiff."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..mechanics import tables as tb
from ..mechanics.linking import CONTACT_EVENTS
from . import ode, status
from .contact_tasks import can_change, goes_through
from .initial import Start, choose_rows_anew
from .legs import Leg, Snap
from .memory import recall, take_slip
from .progress import progress_words
from .runge_kutta import new_runge_kutta
from .steps import (
    END,
    EVALUATIONS,
    EVENTS,
    FACTORIZATIONS,
    FRESH,
    ITERATIONS,
    MAX_STEP,
    NEXT_OUTPUT,
    OLD_STEP,
    REJECTED,
    STEP,
    STEPS,
    STIFF_HINTS,
    TIME,
    WORST_G,
    WORST_G_TIME,
    WORST_RATE,
    WORST_RATE_TIME,
    Loop,
    Record,
    new_loop,
    new_record,
)
from .timeline.breaks import breaks_of
from .trace import is_full, ready_to_trace, with_more_room

CHUNK_SECONDS = 0.1  # between looks at the clock, the keyboard and the progress bar
FIRST_CHUNK = 200  # steps until the first look, of models with no more than LIGHT nodes and no law in Python
LIGHT = 100
PATIENCE = 2.0  # seconds an automatic run may take before the stiff method is tried
FLEXIBLE = 1e-6  # tolerance of `implicit` unless given
OVERTIME = -1  # returned by `advance`, never by a kernel


@dataclass
class Run:
    """What a transient left behind."""

    loop: Loop
    record: Record
    code: int
    interrupted: bool = False
    solver: str = "ode"
    cpu_s: float = 0.0
    duration: float = 1.0
    aside_s: float = 0.0  # CPU spent compiling in between
    pace: float = 0.0  # simulated seconds per second, when last measured
    events: list[tuple[float, int, float]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    legs: list[Leg] = field(default_factory=list)
    step: Any = None  # what advances the loop
    snap: Snap | None = None  # of a structure that was followed through one, see snap

    @property
    def rows(self) -> int:
        """Output rows written."""
        return int(self.loop.count[NEXT_OUTPUT])

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return float(self.loop.clock[TIME])

    def state(self) -> tuple[float, np.ndarray, np.ndarray]:
        """(time, q, v) reached."""
        return self.time, self.loop.q.copy(), self.loop.v.copy()

    @property
    def scheme(self) -> dict[str, np.ndarray]:
        """What the solver knows of its last steps; nothing where an event ended the run within one."""
        known = getattr(self.step, "memory", None)
        return known(self.loop) if known and self.code != status.STOPPED_BY_EVENT else {}

    def abscissa(self, begin: float, duration: float) -> np.ndarray:
        """Times of the rows."""
        return self.record.time[: self.rows]

    def counters(self) -> dict[str, int]:
        count = self.loop.count
        names = {"steps": STEPS, "rejected": REJECTED, "evaluations": EVALUATIONS, "newton_iterations": ITERATIONS}
        return {name: int(count[i]) for name, i in names.items()} | {"projections": int(count[FACTORIZATIONS])}

    def violation(self) -> dict[str, float]:
        """Largest violation met at step ends before projection."""
        clock = self.loop.clock
        names = {
            "position": WORST_G,
            "position_time": WORST_G_TIME,
            "velocity": WORST_RATE,
            "velocity_time": WORST_RATE_TIME,
        }
        return {name: float(clock[i]) for name, i in names.items()}


def state_scale(t: tb.Tables, length: float, speed: float, slip: int = 0) -> np.ndarray:
    """Natural size of every component of (q, v, elastic slip, works)."""
    kinds = t.nodes["kind"][t.nodes["kind"] != tb.GROUND]
    turning = np.array([False] * 3 + [True] * 4)
    place, rate = np.where(turning, 1.0, length), np.where(turning[:6], speed / length, speed)
    given = [np.broadcast_to(row, (len(kinds), len(row)))[which_freedoms(kinds, len(row))] for row in (place, rate)]
    return np.concatenate((*given, np.full(slip, length), np.ones(tb.N_POWERS)))


def which_freedoms(kinds: np.ndarray, most: int) -> np.ndarray:
    """(nodes, most) True for what nodes have: points three, others all."""
    return (kinds != tb.POINT)[:, None] | (np.arange(most) < 3)


def slip_size(t: tb.Tables, solver: str) -> int:
    """Numbers of elastic slip that are part of the state: where it is integrated along."""
    sticks = (t.contacts["friction"] == tb.STICKING).any()
    return 3 * len(t.pairs) if sticks and solver in ("auto", "ode", "baumgarte") else 0


def stepper(name: str, start: Start, settings, notes: list[str]):
    """A function of (loop, record, max_steps) that advances a loop with this solver; it may add to the notes."""
    t, work = start.system.tables, start.work
    nq, nv = len(start.q), len(start.v)
    if name in ("ode", "baumgarte"):
        alpha, beta = (settings.baumgarte.alpha, settings.baumgarte.beta) if name == "baumgarte" else (0.0, 0.0)
        options = [name == "ode", alpha, beta, settings.solver == "auto", settings.step or 0.0, 0, 0.1 * start.weakest]
        options.append(goes_through(t))
        rk = new_runge_kutta(t, nq, nv, options, slip_size(t, name), work.pairs)

        def advance_ode(loop, record, n):
            if can_change(t) and not work.core[CONTACT_EVENTS]:
                from .impacts import contact_events

                work.core[CONTACT_EVENTS] = contact_events.address(t, work, loop, record, 0, 0, 0)
            if len(rk.body):
                from .plane_steps import link_plane

                link_plane(t, work, loop, rk)
            return ode.run(t, work, loop, rk, record, n)

        return advance_ode
    if name == "explicit":
        from .explicit_run import ExplicitStepper

        return ExplicitStepper(start, settings, 0.1 * natural_step(start), notes)
    if name == "implicit":
        from .implicit_run import ImplicitStepper

        return ImplicitStepper(start, settings)
    from .kkt import new_kkt

    kkt = new_kkt(t)
    if name == "stiff":
        from . import stiff

        bdf = stiff.new_stiff(t, work)
        return lambda loop, record, n: stiff.run(t, work, loop, bdf, kkt, record, n)
    from . import conserving

    middle = conserving.new_conserving(t, work, settings.step or natural_step(start))
    return lambda loop, record, n: conserving.run(t, work, loop, middle, kkt, record, n)


def is_flexible(t: tb.Tables) -> bool:
    return len(t.beams) + len(t.bars) + len(t.cells) > 0


def settings_in_force(t: tb.Tables, settings):
    """(settings, notes): flexible models run `implicit` unless told otherwise, and that to FLEXIBLE unless told how
    exactly: a method of order 2 has no business with 1e-9 where fast vibrations along elements are damped anyway."""
    notes = []
    if settings.solver == "auto" and tb.has_momentum(t):
        settings = settings.model_copy(update={"solver": "ode"})
    if settings.solver == "auto" and tb.is_augmented(t):
        settings = settings.model_copy(update={"solver": "implicit"})
        notes.append("auto: a contact has an augmented law, so 'implicit' runs the model")
    if settings.solver == "auto" and is_flexible(t):
        settings = settings.model_copy(update={"solver": "implicit"})
        notes.append("auto: the model has flexible parts, so 'implicit' runs it")
    if settings.solver == "auto" and len(t.pairs):
        settings = settings.model_copy(update={"solver": "ode"})
        notes.append("auto: the model has contacts, so 'ode' runs it, which finds the instants at which they change")
    if settings.solver == "auto" and len(t.grips):
        settings = settings.model_copy(update={"solver": "ode"})
        if (t.grips["friction"] == tb.LATCH).all():
            notes.append("auto: the model has latches, so 'ode' runs it, which finds when they close")
        else:
            notes.append("auto: joints have friction, so 'ode' runs the model, which finds when they stick and slip")
    if settings.solver == "implicit" and not settings.step and "tolerance" not in settings.model_fields_set:
        settings = settings.model_copy(update={"tolerance": FLEXIBLE})
        notes.append(
            f"implicit: steps are chosen for a tolerance of {FLEXIBLE:g}; give a tolerance or a step to change"
        )
    return settings, notes


def natural_step(start: Start) -> float:
    """A step for methods without error control: a small part of the time to cross the model [s]."""
    return 0.005 * start.length / start.speed


def new_run(start: Start, settings, times, notes: list[str]) -> Run:
    """At the start of settings.duration."""
    t, end = start.system.tables, start.t + float(settings.duration)
    tolerances, explicit = (settings.tolerance, settings.atol), settings.solver == "explicit"
    if explicit:
        scale = np.array([start.length])  # without error control no more is asked for
    else:
        scale = state_scale(t, start.length, start.speed, slip_size(t, settings.solver))
    within = not explicit or len(t.watches) > 0
    breaks, said = breaks_of(t, start.t, end)
    loop = new_loop(t, start.q, start.v, start.t, end, scale, tolerances, within, breaks)
    loop.watched[start.reached] = np.nan
    if settings.max_step:
        loop.clock[MAX_STEP] = settings.max_step
    record = new_record(t, times, len(start.system.drafts.rows))
    solver = "ode" if settings.solver == "auto" else settings.solver
    notes += said
    return Run(loop, record, status.PAUSED, solver=solver, duration=end - start.t, notes=notes)


@dataclass
class BegunTransient:
    """A transient about to take its first step: what was made for it, and nothing computed yet."""

    run: Run
    step: Callable[[Loop, Record, int], int]
    start: Start
    settings: Any  # in force
    auto: bool

    def go_on(self, progress=None, keep=None) -> Run:
        """Integrate to the end; never loses what was computed. `keep` is called with the run between chunks."""
        run, step, start, settings, auto = self.run, self.step, self.start, self.settings, self.auto
        step(run.loop, run.record, 0)  # loads or compiles the kernel, which is not the solver's time
        began = time.process_time()
        try:
            chunk = first_chunk(start.system.tables)
            advance(run, step, progress, PATIENCE if auto else None, keep, chunk)
            while run.code in (status.RESELECT, status.STIFF, OVERTIME):
                if run.code == status.RESELECT:
                    take_slip(run, start.work)
                    choose_rows_anew(start, run.loop.q, run.loop.v, float(run.loop.clock[TIME]))
                    run.loop.count[FRESH] = 1
                    step, patience = stepper(run.solver, start, settings, run.notes), PATIENCE if auto else None
                else:
                    spent = time.process_time() - began - run.aside_s
                    step, patience = better_of_two(run, step, start, settings, spent)
                advance(run, step, progress, patience, keep)
        except KeyboardInterrupt:
            run.interrupted = True
        run.cpu_s = time.process_time() - began - run.aside_s
        take_events(run)
        if run.code != status.DONE or not run.rows:
            from .last_row import with_last_row

            run.record = with_last_row(start.system.tables, start.work, run.loop, run.record)
        return run


def begin_transient(start: Start, settings, times) -> BegunTransient:
    """Choose the solver and make what it needs, for settings.duration from the start. Raises ModelError."""
    settings, notes = settings_in_force(start.system.tables, settings)
    auto = settings.solver == "auto"
    recall(start, settings.solver not in ("implicit", "explicit") and not goes_through(start.system.tables))
    why = "; ".join(note.removeprefix("auto: ") for note in notes if note.startswith("auto: "))
    step = stepper("ode" if auto else settings.solver, start, settings, notes)
    run = new_run(start, settings, times, notes)  # after what the stepper needed for a while, into its room
    run.record = ready_to_trace(start.system.tables, run.record, len(run.loop.y))
    run.legs = [Leg(run.solver, run.time, why or ("nothing is stiff so far" if auto else ""))]
    return BegunTransient(run, step, start, settings, auto)


def run_transient(start: Start, settings, times, progress=None) -> Run:
    """Integrate from the start for settings.duration."""
    return begin_transient(start, settings, times).go_on(progress)


def first_chunk(t: tb.Tables) -> int:
    """Steps until the first look at the keyboard: fewer where they may take long."""
    return 1 if (t.laws["kind"] == tb.PYTHON).any() else max(1, FIRST_CHUNK * LIGHT // max(LIGHT, len(t.nodes)))


def advance(run: Run, step, progress, patience, keep=None, chunk: int = FIRST_CHUNK) -> None:
    """Call the loop in chunks until it ends; OVERTIME when what is left would take longer than `patience` [s]."""
    clock = run.loop.clock
    run.step = step
    first, since = clock[TIME], time.perf_counter()
    begin = clock[END] - run.duration
    while True:
        began = time.perf_counter()
        run.code = step(run.loop, run.record, chunk)
        take_events(run)
        run.record = with_more_room(run.record, run.loop)
        now = time.perf_counter()
        if progress is not None:
            words = progress_words(clock[TIME], clock[OLD_STEP] or clock[STEP], run.record, run.rows)
            progress((clock[TIME] - begin) / run.duration, words)
        if run.code != status.PAUSED:
            return
        if keep is not None:
            keep(run)
        if patience is not None and now - since > CHUNK_SECONDS:
            pace = (clock[TIME] - first) / (now - since)
            if clock[END] - clock[TIME] > patience * pace:
                run.code, run.pace = OVERTIME, pace
                return
        chunk = int(min(1_000_000, max(1, chunk * min(8.0, CHUNK_SECONDS / max(now - began, 1e-6)))))


def better_of_two(run: Run, step, start: Start, settings, spent: float):
    """Try the stiff method from here for a moment; go on with whichever advances faster. (step, patience)"""
    trial, anchor = copied_loop(run.loop), start.work.anchor.copy()
    trial.clock[STEP], trial.count[FRESH] = 0.0, 1
    began = time.process_time()
    stiff = stepper("stiff", start, settings, run.notes)
    stiff(trial, run.record, 0)
    run.aside_s += time.process_time() - began
    before, since = run.loop.clock[TIME], time.perf_counter()
    code = status.PAUSED
    while code == status.PAUSED and not is_full(run.record, trial) and time.perf_counter() - since < CHUNK_SECONDS:
        code = stiff(trial, run.record, 100)
    pace = (trial.clock[TIME] - before) / (time.perf_counter() - since)
    if code in (status.PAUSED, status.DONE, status.STOPPED_BY_EVENT) and pace > 2.0 * run.pace:
        gain = f", where 'stiff' advances {pace / run.pace:.0f} times as fast as 'ode'" if run.pace > 0.0 else ""
        run.legs.append(Leg("stiff", float(before), f"the motion is stiff{gain}", int(run.loop.count[STEPS]), spent))
        run.loop, run.solver = trial, "auto: ode, then stiff"
        run.notes.append(f"auto: the motion is stiff at t = {before:.4g} s{gain}; 'stiff' took over")
        return stiff, None
    start.work.anchor[:] = anchor
    if run.code == status.STIFF:
        run.loop.count[STIFF_HINTS] = 0
    return step, 30.0 * PATIENCE


def copied_loop(loop: Loop) -> Loop:
    """A loop that can go its own way from the same state."""
    y, out = loop.y.copy(), loop.out.copy()
    nq, nv = len(loop.q), len(loop.v)
    views = {"y": y, "q": y[:nq], "v": y[nq : nq + nv], "works": y[len(y) - tb.N_POWERS :]}
    outs = {"out": out, "out_q": out[:nq], "out_v": out[nq : nq + nv]}
    rest = {name: array.copy() for name, array in loop._asdict().items() if name not in views | outs}
    return Loop(**views, **outs, **rest)


def take_events(run: Run) -> None:
    """Move events out of the compiled loop's buffer."""
    n = int(run.loop.count[EVENTS])
    r = run.record
    run.events += [(float(r.event_time[i]), int(r.event_watch[i]), float(r.event_value[i])) for i in range(n)]
    run.loop.count[EVENTS] = 0
    if run.code == status.STOPPED_BY_EVENT:  # the step went on beyond
        run.events = [event for event in run.events if event[0] <= run.time]
