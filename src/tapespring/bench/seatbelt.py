"""The seatbelt sensor: a spherical pendulum on a moving vehicle, and when it locks the belt.

Histories and values were integrated independently, in extended precision, in unit vectors that have no singular point.
The pulse of the vehicle and its inertia are not published; those of cases 1, 2 and 3 here are ours.
"""

from functools import partial

from .case import Quantity, at, case, from_yaml
from .histories import largest_difference

SOURCE = (
    "spherical pendulum on a moving frame (a seatbelt pendulum sensor, Shock and Vibration): its parameters, our inputs"
)
DIRECTION = {f"s{k + 1}": f"pivot.direction.{axis}" for k, axis in enumerate("xyz")}
# peak of the angle and its time; when the belt locks and unlocks; the angle at some times
STOPS = {
    "1": (
        (0.32963463617503774, 0.03243883720420584),
        {"lock": [0.023079996270902514], "unlock": [0.08928125864743965]},
        {0.05: 0.29764490763429, 0.1: 0.03671159608808, 0.2: 0.01003785786761},
    ),
    "1b": (
        (0.3625232025926057, 0.02794384859303446),
        {
            "lock": [0.01946810775683033, 0.09996181155779456],
            "unlock": [0.07695995584170388, 0.11114244293612807],
        },
        {0.05: 0.32450431737832, 0.1: 0.15029626073769, 0.2: 0.11132161030768},
    ),
    "2": (
        (0.32963463617503774, 0.03243883720420584),
        {"lock": [0.023079996270902514], "unlock": [0.0912361816624756]},
        {0.05: 0.29772262446957, 0.1: 0.07767178180494, 0.2: 0.05676412979027},
    ),
}
TUMBLES = {
    "3": (0.006371047770379081, {0.1: 0.35489302915355, 0.5: 0.30036204395386, 1.0: 0.35239425271245}),
    "3_weightless": (0.006372542136154301, {0.1: 0.3541469486301469, 1.0: 0.3537236107261192}),
}


def event_times(results, name: str) -> list[float]:
    return [event.time for event in results.events if event.name == name]


def nth_event(name: str, k: int):
    """Time of an event; ValueError if there were fewer."""

    def time(results) -> float:
        found = event_times(results, name)
        if k >= len(found):
            raise ValueError(f"only {len(found)} times '{name}'")
        return found[k]

    return time


def angle_at(time: float, value: float) -> Quantity:
    return Quantity(f"angle at {time:g} s", "rad", value, 1e-9, SOURCE, "R", at("pivot.angle", time))


def history_of(name: str) -> Quantity:
    difference = largest_difference(f"seatbelt_{name}.csv", DIRECTION)
    return Quantity("direction, all stored times", "1", 0.0, 1e-9, SOURCE, "R", difference)


def stops(name: str):
    (_, when), events, angles = STOPS[name]
    yield Quantity("time of the peak", "s", when, 1e-8, SOURCE, "R", nth_event("peak", 0))
    for event, times in events.items():
        for k, time in enumerate(times):
            yield Quantity(f"{event} {k + 1}", "s", time, 1e-8, SOURCE, "R", nth_event(event, k))
        count = partial(lambda results, event: len(event_times(results, event)), event=event)
        yield Quantity(f"number of {event}s", "1", len(times), 0.1, SOURCE, "R", count)
    for time, value in angles.items():
        yield angle_at(time, value)
    yield history_of(name)


def tumbles(name: str):
    lock, angles = TUMBLES[name]
    yield Quantity("lock", "s", lock, 1e-8, SOURCE, "R", nth_event("lock", 0))
    count = partial(lambda results, event: len(event_times(results, event)), event="unlock")
    yield Quantity("number of unlocks", "1", 0.0, 0.1, SOURCE, "R", count)
    for time, value in angles.items():
        yield angle_at(time, value)
    yield history_of(name)


def peak(name: str) -> Quantity:
    """The angle itself, at the instant of its peak."""
    (value, _), _, _ = STOPS[name]
    return Quantity("peak of the angle", "rad", value, 1e-9, SOURCE, "R", lambda results: results["pivot.angle"].max())


def with_peak(name: str):
    """Outputs every 10 ms and at the peak."""
    (_, when), _, _ = STOPS[name]
    return from_yaml(f"seatbelt_{name}.yaml", outputs=sorted([*(k * 0.01 for k in range(21)), when]))


CASES = (
    *(
        case(
            f"seatbelt_{name}",
            f"seatbelt sensor, case {name}",
            with_peak(name),
            partial(lambda name: [peak(name), *stops(name)], name),
        )
        for name in STOPS
    ),
    *(
        case(
            f"seatbelt_{name}",
            f"seatbelt sensor, case {name.replace('_', ', ')}",
            from_yaml(f"seatbelt_{name}.yaml"),
            partial(tumbles, name),
        )
        for name in TUMBLES
    ),
)
