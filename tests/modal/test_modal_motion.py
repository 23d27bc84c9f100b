"""Bodies by modes move as the points they are made of."""

import numpy as np
import pytest
from cloud_body import INTERFACES, LOAD, OFFSET, SPRING, Cloud

import tapespring as ts
from tapespring.modal.floating import centred, floating
from tapespring.modal.inertia import inertia_of

V, W, BALL = np.array([0.3, 0.1, 0.0]), np.array([1.0, -0.6, 0.8]), np.array([1.0, 2.0, 3.0])


@pytest.fixture(scope="module")
def cloud():
    return Cloud()


@pytest.fixture(scope="module")
def folder(cloud, tmp_path_factory):
    place = tmp_path_factory.mktemp("modal")
    cloud.reduced().save(place / "cloud.npz")
    return place


def thrown(cloud, folder, **settings):
    """The cloud turns, and pulls a point mass on a spring."""
    data = {
        "name": "cloud",
        "bodies": {
            "cloud": {"kind": "modal", "file": "cloud.npz", "velocity": V.tolist(), "angular_velocity": W.tolist()},
            "ball": {"kind": "point_mass", "mass": LOAD, "at": (cloud.places[0] + OFFSET).tolist(),
                     "velocity": BALL.tolist()},
        },
        "forces": {"spring": {"kind": "spring", "between": ["cloud.p0", "ball"], "stiffness": SPRING,
                              "free_length": 0.0}},
    }  # fmt: skip
    results = ts.Model.from_plain(data, folder=folder).simulate("3 s", outputs=10, **settings)
    names = [*(f"cloud.p{k}.position" for k in INTERFACES), "ball.position"]
    return results, np.array([results[name].values[-1] for name in names])


def test_mean_axes_are_those_of_the_points(cloud):
    """Integrals by the formulas against integrals of the moved shapes themselves."""
    inertia = inertia_of(cloud.mass_matrix, cloud.places, cloud.freedoms, cloud.shapes + 0.1)
    found, moved = centred(inertia)
    arms = cloud.places - inertia.centre
    shapes = (cloud.shapes + 0.1).reshape(len(arms), 3, -1) - moved[:3]
    shapes -= np.cross(moved[3:].T[None], arms[:, None]).transpose(0, 2, 1)
    wanted = inertia_of(cloud.mass_matrix, arms, cloud.freedoms, shapes.reshape(cloud.shapes.shape))
    for name in ("second", "momentum", "spin", "by_shape", "by_two", "gyration", "modal"):
        assert np.abs(getattr(found, name) - getattr(wanted, name)).max() < 1e-12


def test_interfaces_take_their_mass_from_the_rest(cloud):
    """Together they have the mass, the momentum and the frequencies of the whole."""
    whole, body = cloud.reduced(), floating(cloud.reduced(), fixed=False)
    assert body.inertia.mass + sum(i.mass for i in body.interfaces) == pytest.approx(cloud.masses.sum(), rel=1e-14)
    together = body.inertia.modal + sum(i.mass * i.frame.translation.T @ i.frame.translation for i in body.interfaces)
    P = sum(i.mass * i.frame.translation for i in body.interfaces)
    X = [i.frame.position - body.inertia.centre for i in body.interfaces]
    Q = sum(i.mass * np.cross(x, i.frame.translation.T).T for i, x in zip(body.interfaces, X, strict=True))
    m = sum(i.mass for i in body.interfaces)
    rigid = np.zeros((6, 6))
    rigid[:3, :3], rigid[3:, 3:] = body.inertia.mass * np.eye(3), body.inertia.second
    for i, x in zip(body.interfaces, X, strict=True):
        A = np.hstack((np.eye(3), -np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])))
        rigid += i.mass * A.T @ A
    coupling = np.vstack((P, Q))
    free = together - coupling.T @ np.linalg.solve(rigid, coupling)
    squares = np.linalg.eigvals(np.linalg.solve(free, np.diag(body.stiffness))).real
    assert m < 0.1 * cloud.masses.sum()
    assert np.sort(squares) == pytest.approx(np.diag(whole.stiffness), rel=1e-11)


def test_motion_is_that_of_the_points(cloud, folder):
    """Amplitudes reach a tenth of the body: all terms of second order take part."""
    results, places = thrown(cloud, folder, solver="ode", tolerance=1e-10)
    assert np.abs(results["cloud.amplitudes"].values).max() > 0.05
    assert np.abs(places - cloud.flown(3.0, V, W, BALL)).max() < 1e-10
    assert results.audit.relative < 1e-9


def test_momentum_is_kept(cloud, folder):
    """Linear and angular, with what the shapes have of it."""
    results, _ = thrown(cloud, folder, solver="ode", tolerance=1e-10)
    for name in ("system.momentum", "system.angular_momentum"):
        values = results[name].values
        assert np.ptp(values, axis=0).max() < 1e-9 * np.abs(values).max()
    places = cloud.places - cloud.masses @ cloud.places / cloud.masses.sum()
    own = np.einsum("k,ki->i", cloud.masses, np.cross(places, np.cross(W, places)))
    centre, total = cloud.places[0] + OFFSET, cloud.masses.sum()
    middle = cloud.masses @ cloud.places / total
    wanted = own + total * np.cross(middle, V + np.cross(W, middle)) + LOAD * np.cross(centre, BALL)
    assert results["system.angular_momentum"].values[0] == pytest.approx(wanted, rel=1e-10)


def test_implicit_steps_converge_to_it(cloud, folder):
    """Of second order in the step."""
    wanted = cloud.flown(3.0, V, W, BALL)
    errors = [
        np.abs(thrown(cloud, folder, solver="implicit", step=h)[1] - wanted).max() for h in (4e-3, 2e-3)
    ]  # fmt: skip
    assert errors[1] < 2e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
