"""Play with friction between two stops: a slider that is gripped, dragged along, and held by a stop at either end.

    F = k₁ Y + k₂ (Y - z),    z kept within ±G/k₂ of Y by the grip G, and within the stops -d₁ and d₂

Y is the way of the second body along the axis, z that of the slider. Modes: the slider STICKS, is dragged UP or DOWN,
or lies AT_HIGH or AT_LOW. memory[1] holds z while it sticks.
"""

from ..jit import small

STICKS, UP, DOWN, AT_HIGH, AT_LOW = range(5)


@small
def held_slider(law, mode, y, z):
    """(z, whether it moves along with y) in a mode."""
    reach = law.grip / law.slip_stiffness
    if mode == UP:
        return y - reach, True
    if mode == DOWN:
        return y + reach, True
    if mode == AT_HIGH:
        return law.high + 0.0 * y, False
    if mode == AT_LOW:
        return 0.0 * y - law.low, False
    return z + 0.0 * y, False


@small
def dragged_slider(law, y, z):
    """The same for a step that goes one way from a slider at z."""
    reach = law.grip / law.slip_stiffness
    moved, along = z + 0.0 * y, False
    if moved < y - reach:
        moved, along = y - reach, True
    if moved > y + reach:
        moved, along = y + reach, True
    if moved > law.high:
        return law.high + 0.0 * y, False
    if moved < -law.low:
        return 0.0 * y - law.low, False
    return moved, along


@small
def play_force(law, y, z):
    """Force on the second body along the axis."""
    return -1.0 * (law.stiffness * y + law.slip_stiffness * (y - z))


@small
def play_energy(law, y, z):
    return 0.5 * law.stiffness * y * y + 0.5 * law.slip_stiffness * (y - z) * (y - z)


@small
def room_to_stop(law, mode, y):
    """How far a slider that is dragged along is from its stop."""
    reach = law.grip / law.slip_stiffness
    if mode == UP:
        return law.high - (y - reach)
    if mode == DOWN:
        return (y + reach) + law.low
    return 1.0


@small
def room_to_move(law, mode, y, rate, z):
    """How far it is from beginning, or ending, to be dragged along."""
    reach = law.grip / law.slip_stiffness
    if mode == UP:
        return rate
    if mode == DOWN:
        return -rate
    if mode == AT_HIGH:
        return y - law.high + reach
    if mode == AT_LOW:
        return reach - (y + law.low)
    return reach - abs(y - z)


@small
def mode_after(law, mode, y, z, at_stop):
    """The next mode: a stop was reached, or dragging begins or ends."""
    if at_stop:
        return AT_HIGH if mode == UP else AT_LOW
    if mode in (UP, DOWN):
        return STICKS
    if mode == AT_HIGH:
        return DOWN
    if mode == AT_LOW:
        return UP
    return UP if y > z else DOWN
