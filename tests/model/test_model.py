"""The Python side of models: building them, changing them, and what events and settings mean."""

import subprocess
import sys

import pytest

import tapespring
from tapespring import Model, ModelError
from tapespring.build.builder import build
from tapespring.mechanics import tables as tb
from tapespring.schema.settings import Settings

PENDULUM = """\
name: Simple pendulum
gravity: [0, 0, -9.81 m/s^2]
bodies:
  bob: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}
joints:
  rod: {kind: distance, between: [ground, bob]}
simulate: {duration: 10 s}
"""


def pendulum():
    return Model.from_text(PENDULUM)


def test_import_is_light():
    code = "import sys, tapespring; print([m for m in ('numpy', 'numba', 'pydantic', 'yaml') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_reading_a_model_compiles_nothing():
    code = (
        "import sys\nfrom tapespring import Model\nm = Model()\n"
        "b = m.point_mass('b', mass=1, at=(1, 0, 0))\nm.spring('s', m.ground, b, stiffness='2*x')\n"
        "Model.from_text(m.to_yaml())\nprint('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_public_names():
    assert set(dir(tapespring)) >= {"Model", "ModelError", "Results", "load"}
    with pytest.raises(AttributeError):
        tapespring.Modle  # noqa: B018


def test_api_and_file_give_the_same_model(tmp_path):
    m = Model(name="Simple pendulum", gravity=(0, 0, -9.81), duration="10 s")
    bob = m.point_mass("bob", mass="1 kg", at=("1 m", 0, 0))
    m.distance("rod", m.ground, bob)
    assert m == pendulum()
    assert m.to_plain() == pendulum().to_plain()
    m.save(tmp_path / "p.yaml")
    assert tapespring.load(tmp_path / "p.yaml") == m


def test_handles_are_references():
    m = Model()
    arm = m.rigid("arm", mass=1, inertia=[1, 1, 1], markers={"tip": [1, 0, 0]})
    bob = m.point_mass("bob", mass=1, at=(3, 0, 0))
    m.spring("s", arm.marker("tip"), bob, stiffness=1)
    m.distance("d", m.ground.at(0, 0, 1), arm.at("0.5 m", 0, 0))
    m.spherical("ball", between=[m.ground, arm])
    assert m["s"].to_plain()["between"] == ["arm.tip", "bob"]
    assert m["d"].between[1].at == (0.5, 0.0, 0.0)
    assert m.check("1 s") == []
    assert Model.from_plain(m.to_plain()) == m


def test_api_answers_mistakes():
    m = Model()
    m.point_mass("bob", mass=1)
    with pytest.raises(ModelError, match=r"bodies.b.mass: -1 is out of range"):
        m.point_mass("b", mass=-1)
    with pytest.raises(ModelError, match="taken already"):
        m.point_mass("bob", mass=1)
    with pytest.raises(ModelError, match="cannot be a name"):
        m.point_mass("b.c", mass=1)
    with pytest.raises(ModelError, match="did you mean 'revolute'"):
        m.add("revolut", "x")
    with pytest.raises(TypeError, match="positional"):
        m.distance("rod", "bob")
    with pytest.raises(KeyError, match="did you mean 'bob'"):
        m["bop"]
    m.distance("rod", "ground", "bop")
    with pytest.raises(ModelError, match=r"joints.rod.between\[1\]: unknown body 'bop'; did you mean 'bob'"):
        m.check("1 s")
    with pytest.raises(ModelError, match="no bodies"):
        Model().check("1 s")


def test_methods_are_documented():
    assert "initial" in Model.revolute.__doc__
    assert Model().load.__doc__.startswith("Add a force")
    assert "model file" in Model.load.__doc__


def test_set_gives_a_changed_copy():
    m = pendulum()
    changed = m.set("bodies.bob.mass", "2 kg")
    assert (m["bob"].mass, changed["bob"].mass) == (1.0, 2.0)
    assert m.set("bodies.bob.at[2]", "5 mm")["bob"].at == (1.0, 0.0, 0.005)
    assert m.set("bodies.bob.at", "[0, 1 m, 0]")["bob"].at == (0.0, 1.0, 0.0)
    assert m.set("bodies.bob.velocity", (0, 1, 0))["bob"].velocity == (0.0, 1.0, 0.0)
    assert m.set("simulate.duration", "5").settings.duration == 5.0
    assert m.set("gravity.2", "-1.62 m/s^2").gravity == (0.0, 0.0, -1.62)
    assert m.set("name", "other").name == "other"


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("bodies.bop.mass", "2", "did you mean 'bob'?"),
        ("bodis.bob.mass", "2", "did you mean 'bodies'?"),
        ("bodies.bob.mas", "2", "did you mean 'mass'?"),
        ("bodies.bob.mass", "2 m", "but a mass is wanted"),
        ("bodies.bob.mass.x", "2", "is a single value"),
        ("bodies.bob.at[3]", "2", "3 items"),
    ],
)
def test_set_answers_mistakes(path, value, words):
    with pytest.raises(ModelError, match=words.replace("?", r"\?")):
        pendulum().set(path, value)


def test_callables_stay_in_python_but_not_in_files(tmp_path):
    m = pendulum()
    m.joint_torque("motor", "rod", value=lambda t: t)
    m.spring("s", "ground", "bob", stiffness=lambda x: x)
    assert m.set("bodies.bob.mass", 2)["s"].stiffness.function(3.0) == 3.0
    assert m.hash() != pendulum().hash()
    with pytest.raises(ModelError, match=r"forces\.motor: .*cannot be written to a file.*python: 'my_laws:friction'"):
        m.save(tmp_path / "m.yaml")
    assert list(tmp_path.iterdir()) == []


def test_python_functions_beside_the_file(tmp_path):
    (tmp_path / "laws_of_mine.py").write_text("def cubic(x):\n    return 3.0 * x**3\n")
    text = PENDULUM.replace(
        "simulate",
        "forces:\n  s: {kind: spring, between: [ground, bob], stiffness: {python: 'laws_of_mine:cubic'}}\nsimulate",
    )
    (tmp_path / "m.yaml").write_text(text)
    m = Model.load(tmp_path / "m.yaml", allow_python=True)
    assert Model.from_text(m.to_yaml(), tmp_path, allow_python=True) == m


def test_hash_tells_models_apart():
    assert pendulum().hash() == pendulum().hash()
    assert pendulum().hash() != pendulum().set("bodies.bob.mass", 2).hash()


def test_events():
    text = PENDULUM + (
        "events:\n  low: {watch: bob.position.x, direction: falling, stop: true}\n"
        "  fast: {watch: bob.velocity.z, level: 2 m/s, direction: rising}\n  stretch: {watch: rod.length.rate}\n"
        "  long: {watch: rod, level: 1 m}\n"
    )
    assembler, catalogue = build(Model.from_text(text), ".")
    low, fast, stretch, long = assembler.watches
    assert assembler.measures[low[0]].kind == tb.ALONG_WORLD
    assert low[1:] == (0, 0.0, -1, 1)
    assert fast[1:] == (1, 2.0, 1, 0)
    assert stretch[:2] == (catalogue.coordinates["rod.length"].measure, 1)
    assert long[1:] == (0, 1.0, 0, 0)
    assert [e.unit for e in catalogue.events.values()] == ["m", "m/s", "m/s", "m"]


def test_settings():
    s = pendulum().settings
    assert (s.duration, s.solver, s.tolerance, s.dissipation) == (10.0, "auto", 1e-9, 0.9)
    assert s.atol == pytest.approx(1e-11)
    times = s.output_times()
    assert (len(times), times[0], times[-1]) == (201, 0.0, 10.0)
    assert s.changed(outputs="3 s").output_times() == [0.0, 3.0, 6.0, 9.0, 10.0]
    assert len(s.changed(outputs="10 ms", duration="1 s").output_times()) == 101
    assert s.changed(outputs=[0, "1 s", 5]).output_times() == [0.0, 1.0, 5.0]
    assert Settings.model_validate(s.changed(outputs="10 ms").to_plain()) == s.changed(outputs="10 ms")
    with pytest.raises(ModelError, match="after the end"):
        s.changed(outputs=[0, 11]).output_times()
    with pytest.raises(ModelError, match="needs a duration"):
        Settings().output_times()
    with pytest.raises(ModelError, match="did you mean 'tolerance'"):
        s.changed(tolerence=1e-6)
    with pytest.raises(ModelError, match=r"simulate\.dissipation"):
        s.changed(dissipation=1.5)
