"""The sensor's vehicle by other inputs than closed forms of velocity: accelerations, CSV files, a vehicle simulated
before; and variants of the pendulum itself."""

import numpy as np
import pytest

import tapespring as ts
from tapespring.bench.case import from_yaml
from tapespring.bench.histories import history

TIMES = tuple(0.01 * k for k in range(21))  # of the references
PULSE = "-(2*9.924288/0.1)*sin(pi*min(t, 0.1)/0.1)^2"
AT = ["-0.737 m", "0.706 m", "0.0584 m"]


def angles(file: str) -> np.ndarray:
    h = history(file)
    return np.arctan2(np.hypot(h["s1"], h["s2"]), h["s3"])


def with_vehicle(**motion):
    vehicle = {"kind": "moving_frame", "markers": {"pivot": AT}} | motion
    return from_yaml("seatbelt_1.yaml")().set("bodies.vehicle", vehicle)


def write_csv(path, columns: dict[str, np.ndarray]) -> None:
    rows = zip(*columns.values(), strict=True)
    text = "\n".join(",".join(f"{x:.17g}" for x in row) for row in rows)
    path.write_text(f"{','.join(columns)}\n{text}\n")


def test_acceleration_by_a_formula():
    model = with_vehicle(velocity=["9.924288 m/s", 0, 0], acceleration=[PULSE, 0, 0])
    assert model.simulate(outputs=TIMES)["pivot.angle"].values == pytest.approx(angles("seatbelt_1.csv"), abs=1e-9)


def test_acceleration_from_a_file_in_g(tmp_path):
    """As an accelerometer gives it, of a smooth pulse; sampled at 10 kHz, it is followed to 1e-7."""
    t = np.arange(2001) * 1e-4
    a = -(2 * 9.924288 / 0.1) * np.sin(np.pi * np.minimum(t, 0.1) / 0.1) ** 2
    write_csv(tmp_path / "sled.csv", {"t": t, "ax": a / 9.81})
    model = with_vehicle(velocity=["9.924288 m/s", 0, 0], acceleration=[0, 0, 0])
    model.folder = tmp_path
    sled = {"csv": "sled.csv", "time": "t", "column": "ax", "scale": 9.81, "interpolation": "smooth"}
    results = model.set("bodies.vehicle.acceleration", [sled, 0, 0]).simulate(outputs=TIMES)
    assert results["pivot.angle"].values == pytest.approx(angles("seatbelt_1.csv"), abs=1e-7)


def test_velocities_from_a_vehicle_simulated_before(tmp_path):
    """Case 3 as the source did it: the vehicle by itself, its histories as the sensor's input."""
    vehicle = ts.Model(gravity=(0, 0, 9.81))
    vehicle.rigid("vehicle", mass=1200, inertia=(600, 2400, 2600), velocity=(20, 0, 0), angular_velocity=(12, -12, 12))
    t = np.arange(2001) * 5e-4
    flight = vehicle.simulate("1 s", outputs=tuple(t), tolerance=1e-12)
    w, x, y, z = flight["vehicle.orientation"].values.T
    R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                  [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                  [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])  # fmt: skip
    own = np.einsum("jin,nj->ni", R, flight["vehicle.velocity"].values)
    spin = flight["vehicle.angular_velocity"].values
    columns = {f"v{k}": own[:, k] for k in range(3)} | {f"w{k}": spin[:, k] for k in range(3)}
    write_csv(tmp_path / "flight.csv", {"t": t} | columns)

    def column(name):
        return {"csv": "flight.csv", "time": "t", "column": name, "interpolation": "smooth"}

    model = with_vehicle(velocity=[20, 0, 0])
    model.folder = tmp_path
    model = model.set("bodies.vehicle.velocity", [column(f"v{k}") for k in range(3)])
    model = model.set("bodies.vehicle.angular_velocity", [column(f"w{k}") for k in range(3)])
    model = model.set("bodies.bob.velocity", [10.5116, -9.8604, -0.372])
    results = model.simulate("1 s", outputs=tuple(0.05 * k for k in range(21)))
    assert results["pivot.angle"].values == pytest.approx(angles("seatbelt_3.csv"), abs=1e-7)


def test_stiffness_that_fades_with_attitude():
    """Upside down nothing is left of it (Eq. 22), and the sensor swings as without a spring; upright all of it."""
    upright = from_yaml("seatbelt_1.yaml")().set("forces.pivot.vertical", [0, 0, 1]).simulate(outputs=TIMES)
    assert upright["pivot.angle"].values == pytest.approx(angles("seatbelt_1.csv"), abs=1e-9)
    over = from_yaml("seatbelt_1.yaml")().set("forces.pivot.vertical", [0, 0, -1]).simulate("50 ms", outputs=10)
    free = from_yaml("seatbelt_1.yaml")().set("forces.pivot.stiffness", [0.0]).simulate("50 ms", outputs=10)
    assert over["pivot.angle"].values == pytest.approx(free["pivot.angle"].values, abs=1e-10)


def test_half_of_the_stiffness_is_left_on_the_side():
    side = from_yaml("seatbelt_1.yaml")().set("forces.pivot.vertical", [0, 1, 0]).simulate("50 ms", outputs=10)
    half = [0.5 * k for k in (0.0172, 5.62, 0.0, 0.0, 910.0)]
    softer = from_yaml("seatbelt_1.yaml")().set("forces.pivot.stiffness", half).simulate("50 ms", outputs=10)
    assert side["pivot.angle"].values == pytest.approx(softer["pivot.angle"].values, abs=1e-10)


def test_energy_closes_while_stiffness_fades():
    model = from_yaml("seatbelt_3.yaml")().set("forces.pivot.vertical", [0, 0, 1])
    small = model.set("bodies.vehicle.mass", 1200).set("bodies.vehicle.inertia", [600, 2400, 2600])
    results = small.simulate("0.3 s")
    assert results.audit.largest_residual[0] < 1e-6  # J; the spring takes up and gives back some tenths


def distributed(length: float, inertia: float):
    """The pendulum as a rigid rod of the same mass with its centre of mass `length` from the pivot."""
    model = from_yaml("seatbelt_1.yaml")()
    data = model.to_plain()
    data["bodies"]["bob"] = {
        "kind": "rigid", "mass": "0.032 kg", "at": ["-0.737 m", "0.706 m", 0.0584 + length],
        "velocity": ["9.924288 m/s", 0, 0], "inertia": [inertia, inertia, min(inertia, 1e-9)],
    }  # fmt: skip
    data["joints"] = {
        "arm": {"kind": "universal", "between": ["vehicle.pivot", "bob"], "at": AT, "axis": "x", "axis2": "y"}
    }
    return ts.Model.from_plain(data)


def test_distributed_mass_becomes_the_point_mass_in_the_limit():
    results = distributed(0.0263, 1e-13).simulate(tolerance=1e-9, outputs=TIMES)
    assert results["pivot.angle"].values == pytest.approx(angles("seatbelt_1.csv"), abs=1e-6)


def test_distributed_mass_moves_as_its_reduced_length_says():
    """In a plane a rigid pendulum with m, c and J about its centre moves as a point of mass m c/l at l = c + J/(m c):
    its inertia m c² + J and its static moment m c are the same."""
    m, c, J = 0.032, 0.02, 4e-6
    rigid = distributed(c, J).simulate(tolerance=1e-11)
    l = c + J / (m * c)
    point = from_yaml("seatbelt_1.yaml")().set("bodies.bob.at", [-0.737, 0.706, 0.0584 + l])
    point = point.set("bodies.bob.mass", m * c / l).simulate()
    assert rigid["pivot.angle"].values == pytest.approx(point["pivot.angle"].values, abs=1e-9)


def test_locking_intervals_are_events():
    results = from_yaml("seatbelt_1b.yaml")().simulate()
    order = [event.name for event in results.events if event.name != "peak"]
    assert order == ["lock", "unlock", "lock", "unlock"]


def test_velocity_beside_acceleration_is_a_number():
    with pytest.raises(ts.ModelError, match="'velocity' is that at the start: three numbers"):
        with_vehicle(velocity=["5*t", 0, 0], acceleration=[PULSE, 0, 0])


def test_a_line_without_length_is_refused():
    with pytest.raises(ts.ModelError, match="drawn at the same point"):
        from_yaml("seatbelt_1.yaml")().set("bodies.bob.at", [-0.737, 0.706, 0.0584])
