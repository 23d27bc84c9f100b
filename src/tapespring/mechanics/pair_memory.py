"""What pairs of surfaces remember from step to step, and the modes they are in.

memory[0] the speed at first touch, [1:4] elastic slip z, [4:7] the way it slips, [7] the rate of the gap at the last
step; with an augmented law [8] by how much it is stiffer than told and [9] the load that it bears at no depth; [10:13]
the force at the last step; of a point near a sheet, in loops with steps of their own, [13] the side of it to be on,
[14] the distance from there and [15] the triangle (from 1); [16] 1 once the pair remembers a state. Modes are (OPEN,
CLOSED or RELEASED, STICKS or SLIPS). RELEASED: still within each other, but the law would pull. Loops that find the
instants of change hold modes within a step (BY_MODE), and count elastic slip while a pair sticks; others take what laws
say, with slip since the last step from placements (BY_PLACE) or from velocities (BY_RATE), and note modes for whoever
goes on from there.
"""

OPEN, CLOSED, RELEASED = 0, 1, 2
STICKS, SLIPS = 0, 1
WAY, LAST_RATE = 4, 7  # in pair_memory
STIFFER, LOAD, LAST_FORCE = 8, 9, 10
SIDE, BEFORE, PARTNER, KNOWN = 13, 14, 15, 16
MEMORY = 17  # numbers that a pair remembers
BY_MODE, BY_PLACE, BY_RATE = 0.0, 1.0, 2.0
STEADY = 2  # in contact_step: normals at the nodes of straps do not turn, for a look at stability
AS_A_WHOLE = 3  # in contact_step: what elastic slip stores is not part of powers, but taken off at the end of a step
GRIP = 1.0001  # a contact that has just come to stick bears this much more, so that it does not chatter
NO_SLIP = 1e-16  # m: an elastic slip that is rounding
STILL = 1e-12  # m/s: slower than this nothing slips
AT_LIMIT = 1e-9  # of the kinetic friction: an elastic force this near to it is that of a pair that slips
