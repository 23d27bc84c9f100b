"""Equations derived with SymPy: A01 and the sensor, against closed forms, references and the engine."""

import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

import tapespring as ts
from tapespring import fitting
from tapespring.bench.case import from_yaml
from tapespring.bench.histories import history
from tapespring.schema.source import read_yaml

sympy = pytest.importorskip("sympy", reason="an extra: pip install tapespring[symbolic]")
mechanics = pytest.importorskip("sympy.physics.mechanics")

from tapespring.symbolic import Equations  # noqa: E402
from tapespring.symbolic.pendulum import pendulum  # noqa: E402
from tapespring.symbolic.sensor import sensor, squared_sine  # noqa: E402

STUDIES = Path(fitting.__file__).parent / "studies"


@pytest.fixture(scope="module")
def case1():
    return sensor()


@pytest.mark.parametrize("by", ["kane", "lagrange"])
def test_a01(by):
    results = pendulum(by).simulate("10 s", tolerance=1e-12, outputs=100)
    assert results.status.complete
    where = results["a01.x"].final, results["a01.y"].final
    assert where == pytest.approx((0.275087462576, -0.961419205099), abs=1e-10)  # elliptic functions


def polar(file: str) -> np.ndarray:
    h = history(file)
    return np.arctan2(np.hypot(h["s1"], h["s2"]), h["s3"])


def test_sensor_in_a_stop_agrees_with_reference_and_engine(case1):
    results = case1.simulate("0.2 s", tolerance=1e-11, outputs=20)
    engine = from_yaml("seatbelt_1.yaml")().simulate(outputs=tuple(results.time))
    assert results["sensor.angle"].values == pytest.approx(polar("seatbelt_1.csv"), abs=1e-9)
    assert results["sensor.angle"].values == pytest.approx(engine["pivot.angle"].values, abs=1e-9)


def test_sensor_struck_from_the_side():
    both = sensor((squared_sine(0.0, 0.1, -9.924288), squared_sine(0.04, 0.06, 3.0), 0))
    results = both.simulate("0.2 s", tolerance=1e-11, outputs=20)
    assert results["sensor.angle"].values == pytest.approx(polar("seatbelt_2.csv"), abs=1e-9)


def test_sensor_in_a_vehicle_that_turns_and_rolls():
    """Coriolis, centrifugal and Euler forces: the engine knows them from nothing but the motion of a frame."""
    t = mechanics.dynamicsymbols._t
    roll = sympy.sin(7 * t) / 2  # about b1, so that gravity turns in the vehicle's axes
    equations = sensor((3, 0, 0), (roll.diff(t), 0, 0), (0, sympy.sin(roll), sympy.cos(roll)))
    found = equations.simulate("0.3 s", tolerance=1e-11, outputs=30)
    model = from_yaml("seatbelt_1.yaml")()
    model = model.set("bodies.vehicle", {
        "kind": "moving_frame", "velocity": [3, 0, 0], "angular_velocity": ["3.5*cos(7*t)", 0, 0],
        "markers": {"pivot": [-0.737, 0.706, 0.0584]},
    })  # fmt: skip
    speed = np.array([3.0, 0.0, 0.0]) + np.cross([3.5, 0.0, 0.0], [-0.737, 0.706, 0.0847])
    model = model.set("bodies.bob.velocity", speed.tolist())
    engine = model.simulate("0.3 s", outputs=tuple(found.time))
    assert np.ptp(engine["pivot.angle"].values) > 0.1
    assert found["sensor.angle_x"].values == pytest.approx(engine["pivot.angle_x"].values, abs=1e-9)
    assert found["sensor.angle_y"].values == pytest.approx(engine["pivot.angle_y"].values, abs=1e-9)


def test_equations_are_fitted_as_models_are(case1):
    """Two parameters from the record, the others at the optimum of the study of the engine."""
    data = read_yaml(STUDIES / "seatbelt.yaml").data
    record = deepcopy(data["experiments"]["stop"])
    record["measured"][0]["channel"] = "sensor.angle_x"
    study = {"parameters": {"k1": {"path": "k1", "guess": 5.0}, "l": {"path": "l", "guess": 0.022}},
             "experiments": {"stop": record}}  # fmt: skip
    fixed = {key: data["parameters"][key] for key in ("k1", "l")}
    by_equations = ts.fit(study, case1, folder=STUDIES)
    by_engine = ts.fit(data | {"parameters": {
        "k1": fixed["k1"] | {"guess": 5.0}, "l": fixed["l"] | {"guess": 0.022}}}, folder=STUDIES)  # fmt: skip
    assert by_equations.converged
    assert by_equations["k1"] == pytest.approx(by_engine["k1"], rel=1e-5)
    assert by_equations["l"] == pytest.approx(by_engine["l"], rel=1e-5)
    assert by_equations.std == pytest.approx(by_engine.std, rel=1e-2)


def test_results_are_saved_and_read_back(case1, tmp_path):
    results = case1.simulate("50 ms", outputs=5)
    again = ts.Results.load(results.save(tmp_path / "run.nc"))
    assert again["sensor.angle"].values == pytest.approx(results["sensor.angle"].values, abs=0)


def a_particle():
    q, u = mechanics.dynamicsymbols("q u")
    m, c = sympy.symbols("m c")
    frame, point = mechanics.ReferenceFrame("N"), mechanics.Point("P")
    point.set_vel(frame, u * frame.x)
    kane = mechanics.KanesMethod(frame, [q], [u], [u - q.diff()])
    return kane, mechanics.Particle("p", point, m), (point, -c * u * frame.x), (q, u, m, c)


def test_equations_that_are_not_formed_yet():
    kane, *_ = a_particle()
    with pytest.raises(ts.ModelError, match=r"call kanes_equations\(bodies, loads\) first"):
        Equations(kane, parameters={})


def test_a_symbol_without_a_value():
    kane, particle, load, (_, _, m, _) = a_particle()
    kane.kanes_equations([particle], [load])
    with pytest.raises(ts.ModelError, match="no value is given for c; name it among 'parameters'"):
        Equations(kane, parameters={m: 1.0}).simulate("1 s")


def test_a_start_of_something_else():
    kane, particle, load, (_, _, m, c) = a_particle()
    kane.kanes_equations([particle], [load])
    with pytest.raises(ts.ModelError, match="'m' is no coordinate or speed"):
        Equations(kane, parameters={m: 1.0, c: 1.0}, start={m: 1.0})


def test_decay_by_a_damper():
    kane, particle, load, (_, u, m, c) = a_particle()
    kane.kanes_equations([particle], [load])
    results = Equations(kane, parameters={m: 2.0, c: 3.0}, start={u: 1.0}).simulate("1 s", tolerance=1e-11)
    assert results["equations.u"].final == pytest.approx(np.exp(-1.5), abs=1e-10)


def test_without_sympy_it_says_how_to_get_it():
    code = (
        "import sys\nsys.modules['sympy'] = None\n"
        "from tapespring.symbolic import Equations\n"
        "try:\n    Equations(None, parameters={})\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "tapespring.symbolic needs sympy: pip install tapespring[symbolic]" in done.stdout


def test_the_example_of_the_document():
    text = (Path(__file__).parents[2] / "docs" / "symbolic.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("complete ")


def test_a_study_file_names_equations(tmp_path):
    """Length of a pendulum from its period, by a function beside the study."""
    (tmp_path / "swing.py").write_text("from tapespring.symbolic.pendulum import pendulum\n")
    t = np.linspace(0.0, 2.0, 41)
    model = pendulum()
    y = model.simulate("2 s", tolerance=1e-11, outputs=tuple(t))["a01.y"].values
    (tmp_path / "data.csv").write_text("t,y\n" + "\n".join(f"{a:.6f},{b:.12f}" for a, b in zip(t, y, strict=True)))
    (tmp_path / "study.yaml").write_text(
        "model: swing.py:pendulum\nparameters:\n  l: {path: l, guess: 0.9 m}\nexperiments:\n  swing:\n"
        "    data: data.csv\n    measured: [{channel: a01.y, column: y, unit: m}]\n"
    )
    with pytest.raises(ts.ModelError, match="Python code"):
        ts.fit(tmp_path / "study.yaml")
    assert ts.fit(tmp_path / "study.yaml", allow_python=True)["l"] == pytest.approx(1.0, rel=1e-6)


def test_unknown_parameter_of_equations(case1):
    measured = [{"channel": "sensor.angle", "column": "angle"}]
    study = {
        "parameters": {"k": {"path": "k9", "guess": 5.0}},
        "experiments": {"stop": {"data": "seatbelt.csv", "time": "t", "measured": measured}},
    }
    with pytest.raises(ts.ModelError, match="the equations have no parameter 'k9'"):
        ts.fit(study, case1, folder=STUDIES)
