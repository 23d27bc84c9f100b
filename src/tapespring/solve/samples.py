"""Many runs of one model in one compiled loop: numbers go into its tables, it begins anew, runs, and the next follows.

Rows, events and states of all samples stand one behind the other in one record: times of outputs are repeated for every
sample, with one after the last that is never reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import call_loop, device, kernel
from ..mechanics.linking import accelerations, project
from ..mechanics.projection import copy, largest
from .initial import CLOSED
from .retrace import energies_at
from .status import DONE, PAUSED
from .steps import EVENTS, NEXT_OUTPUT, TRACED

MOST_STEPS = 1_000_000
LEFT = -1  # code of a sample that has to begin with more care
ROOM = 64  # events per sample there is room for, in the mean
AUDITED, SPARSE = 33, 4  # states of a sample whose energies are kept, at most; and one in so many


class Filling(NamedTuple):
    """How tables follow from a few numbers: sums of these and of their inverses, or products of powers."""

    size: np.ndarray  # (numbers,) of each
    inverse: np.ndarray  # numbers whose inverse counts
    factor: np.ndarray  # (entries, 1 + numbers + inverses)
    power: np.ndarray  # (entries, 1 + inverses) of a product, its logarithm at the sizes first; zeros if there is none
    taken: np.ndarray  # (entries,) the number that an entry is, or -1
    place: np.ndarray  # (entries,) in words
    words: np.ndarray  # memory of all tables that change


class Samples(NamedTuple):
    """What is run, how it begins, and how it ends."""

    number: np.ndarray  # (samples, numbers)
    code: np.ndarray  # (samples,) how each ended
    events: np.ndarray  # (samples + 1,) where those of each begin
    states: np.ndarray  # (samples + 1,) the same of states between outputs
    energy: np.ndarray  # (samples, AUDITED, 9) accounts at some of these, from the first to the last
    memory: np.ndarray  # of work and loop
    first: np.ndarray  # what it was at first
    q0: np.ndarray  # as drawn, out of the tables' memory
    v0: np.ndarray
    length: np.ndarray  # (1,) of the model
    q: np.ndarray  # scratch
    v: np.ndarray
    moves: np.ndarray  # places in v of velocities and of angular velocities
    turns: np.ndarray
    like_length: np.ndarray  # components of a state by what they are measured with
    like_speed: np.ndarray
    like_rate: np.ndarray
    apart: np.ndarray  # (1,) 1: surfaces may not overlap at the start


@device
def fill(filling, x):
    """Tables of these numbers."""
    for e in range(len(filling.place)):
        row, n = filling.factor[e], len(x)
        value = row[0]
        for i in range(n):
            value += row[1 + i] * (x[i] / filling.size[i])
        for i in range(len(filling.inverse)):
            k = filling.inverse[i]
            value += row[1 + n + i] * (filling.size[k] / x[k])
        exponent = filling.power[e, 0]
        for i in range(len(filling.inverse)):
            if filling.power[e, 1 + i] != 0.0:
                k = filling.inverse[i]
                exponent += filling.power[e, 1 + i] * np.log(abs(x[k]) / filling.size[k])
        if exponent != 0.0:
            value *= np.exp(exponent)
        if filling.taken[e] >= 0:
            value = x[filling.taken[e]]
        filling.words[filling.place[e]] = value


@kernel
def fill_tables(filling, samples, s):
    """Tables of sample s."""
    fill(filling, samples.number[s])


@device
def largest_at(values, places):
    most = 0.0
    for i in range(len(places)):
        most = max(most, abs(values[places[i]]))
    return most


@device
def natural_speed(samples, v, a, length):
    """See initial.model_speed."""
    fast = max(largest_at(v, samples.moves), length * largest_at(v, samples.turns))
    hurried = max(largest_at(a, samples.moves), length * largest_at(a, samples.turns))
    speed = max(fast, np.sqrt(hurried * length))
    return speed if np.isfinite(speed) and speed > 0.0 else 1.0


@device
def overlaps(work):
    least = 0.0
    for i in range(work.pair_count[0]):
        least = min(least, work.pair_out[i, 0])
    return least < 0.0


@device
def begin(tables, work, loop, samples):
    """A consistent start, as `Reruns` finds it; False if it has to be searched for."""
    q, v, length = samples.q, samples.v, samples.length[0]
    small = 1e-13 * length
    copy(samples.first, samples.memory)
    copy(samples.q0, q)
    copy(samples.v0, v)
    copy(samples.v0, loop.out_v)
    for _ in range(100):
        project(tables, 0.0, q, loop.out_v, work, small)
        if not largest(work.g) > small:
            break
    if not largest(work.g) <= CLOSED * length:
        return False
    for _ in range(2):
        copy(q, loop.out_q)
        project(tables, 0.0, loop.out_q, v, work, small)
    accelerations(tables, 0.0, q, v, work, loop.out_a, 0.0, 0.0)
    if work.dropped[0] != 0 or (samples.apart[0] and overlaps(work)):
        return False
    speed = natural_speed(samples, v, loop.out_a, length)
    copy(samples.first, samples.memory)
    copy(q, loop.q)
    copy(v, loop.v)
    for i in range(len(samples.like_length)):
        loop.scale[samples.like_length[i]] = length
    for i in range(len(samples.like_speed)):
        loop.scale[samples.like_speed[i]] = speed
    for i in range(len(samples.like_rate)):
        loop.scale[samples.like_rate[i]] = speed / length
    return True


@device
def look_at_energies(tables, work, loop, record, first, end, out):
    """Of some states of a run, which do not hang on its outputs; rows beyond these repeat the last one."""
    rows = min(AUDITED, max(2, (end - first) // SPARSE))
    for i in range(AUDITED):
        if i < rows:
            energies_at(tables, work, loop, record, first + i * (end - 1 - first) // (rows - 1), out[i])
        else:
            copy(out[i - 1], out[i])


@kernel
def run_samples(tables, work, loop, rk, record, filling, samples, address, first, rows):
    """Run samples from `first` on with the loop at an address, `rows` outputs each; returns where it ended: behind the
    last, or where there is no more room for events or states."""
    for s in range(first, len(samples.code)):
        at = samples.events[s]
        samples.code[s], samples.events[s + 1], samples.states[s + 1] = LEFT, at, samples.states[s]
        fill(filling, samples.number[s])
        if not begin(tables, work, loop, samples):
            continue
        record.contact[s * rows : (s + 1) * rows] = 0.0
        loop.count[NEXT_OUTPUT], loop.count[EVENTS], loop.count[TRACED] = s * rows, at, samples.states[s]
        arguments = (tables, work, loop, rk, record, np.int64(MOST_STEPS))
        samples.code[s] = call_loop(address, arguments)
        if samples.code[s] == DONE:
            samples.events[s + 1], samples.states[s + 1] = loop.count[EVENTS], loop.count[TRACED]
            look_at_energies(tables, work, loop, record, samples.states[s], samples.states[s + 1], samples.energy[s])
        elif samples.code[s] == PAUSED and s > first:
            return s
    return len(samples.code)
