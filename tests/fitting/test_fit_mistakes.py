"""Bad input is answered with the place in the study and the remedy."""

import pytest

import tapespring as ts

MODEL = """
gravity: [0, 0, -9.81 m/s^2]
bodies:
  bob: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}
joints:
  rod: {kind: distance, between: [ground, bob]}
simulate: {duration: 1 s}
"""
STUDY = """
model: model.yaml
parameters:
  x: {path: 'bodies.bob.at[0]', guess: 1.1 m}
experiments:
  swing:
    data: data.csv
    measured:
      - {channel: bob.position.z, column: z}
"""
DATA = "t,z\n" + "\n".join(f"{0.05 * k},{-4.9 * (0.05 * k) ** 2}" for k in range(8))


@pytest.fixture
def fit(tmp_path):
    def run(study=STUDY, data=DATA):
        (tmp_path / "model.yaml").write_text(MODEL)
        (tmp_path / "data.csv").write_text(data)
        (tmp_path / "study.yaml").write_text(study)
        return ts.fit(tmp_path / "study.yaml")

    return run


def refused(fit, words: str, line: int | None = None, **given):
    with pytest.raises(ts.ModelError) as error:
        fit(**given)
    assert words in str(error.value)
    if line is not None:
        assert f"study.yaml:{line}:" in str(error.value)


def test_it_runs_as_it_stands(fit):
    assert fit().converged


def test_data_without_overlap_in_time(fit):
    early = "t,z\n" + "\n".join(f"{0.05 * k - 3},{-k}" for k in range(8))
    refused(fit, "no time in common", 7, data=early)


def test_gaps_in_the_data(fit):
    rows = DATA.splitlines()
    rows[4] = "0.15,nan"
    refused(fit, "row 5: 'nan' in column 'z' is a gap", 9, data="\n".join(rows))


def test_fewer_samples_than_parameters(fit):
    many = STUDY.replace("experiments:", "  m: {path: bodies.bob.mass, guess: 1 kg}\n  g: {path: 'gravity[2]', guess: "
                         "-9 m/s^2, scale: linear}\nexperiments:")  # fmt: skip
    refused(fit, "2 samples cannot fix 3 parameters", study=many, data="t,z\n0,0\n0.1,-0.05")


def test_a_parameter_that_changes_nothing(fit):
    idle = STUDY.replace("experiments:", "  m: {path: bodies.bob.mass, guess: 1 kg}\nexperiments:")
    refused(fit, "'m' (bodies.bob.mass) changes nothing in what was measured", 5, study=idle)


def test_unknown_channel(fit):
    refused(fit, "unknown channel 'bob.position.w'; did you mean 'bob.position.", 9,
            study=STUDY.replace("position.z", "position.w"))  # fmt: skip


def test_channel_with_components(fit):
    refused(fit, "'bob.position' has components; name one, such as bob.position.x", 9,
            study=STUDY.replace("bob.position.z", "bob.position"))  # fmt: skip


def test_unknown_column(fit):
    refused(fit, "no column 'zz'", 9, study=STUDY.replace("column: z", "column: zz"))


def test_unknown_path(fit):
    refused(
        fit, "there is no 'bib' under 'bodies'; did you mean 'bob'?", 4, study=STUDY.replace("bodies.bob", "bodies.bib")
    )


def test_path_to_something_else(fit):
    refused(fit, "not a number", 4, study=STUDY.replace("bodies.bob.at[0]", "bodies.bob.at"))


def test_guess_outside_of_its_bounds(fit):
    refused(fit, "the guess 1.1 is not between its bounds 2 and 3", 4,
            study=STUDY.replace("guess: 1.1 m", "guess: 1.1 m, bounds: [2 m, 3 m]"))  # fmt: skip


def test_unit_of_another_dimension(fit):
    refused(fit, "'3 s' is not of the dimension of m", 4,
            study=STUDY.replace("guess: 1.1 m", "guess: 1.1 m, bounds: [1 m, 3 s]"))  # fmt: skip


def test_misspelt_field(fit):
    refused(fit, "unknown field; did you mean 'guess'?", 4, study=STUDY.replace("guess:", "gess:"))


def test_missing_data_file(fit):
    refused(fit, "no file 'dat.csv'", 7, study=STUDY.replace("data.csv", "dat.csv"))


def test_time_that_does_not_increase(fit):
    refused(fit, "time does not increase", data="t,z\n0,0\n0.2,1\n0.1,2\n0.3,3")


def test_unknown_path_of_an_experiment(fit):
    study = STUDY.replace("    measured:", "    sets: {bodies.bob.mas: 2 kg}\n    measured:")
    refused(fit, "nothing is written at bodies.bob.mas; did you mean 'mass'?", 8, study=study)


def test_offset_that_is_no_parameter(fit):
    refused(fit, "there is no parameter 'zero'", 9, study=STUDY.replace("column: z}", "column: z, offset: zero}"))


def test_prior_without_noise(fit):
    study = STUDY.replace("guess: 1.1 m", "guess: 1.1 m, prior: {mean: 1 m, std: 1 cm}")
    refused(fit, "priors are weighed against the noise", study=study)


def test_formula_that_cannot_be_read(fit):
    study = STUDY.replace("path: 'bodies.bob.at[0]'", "sets: {'bodies.bob.at[0]': 2*valu}")
    refused(fit, "valu", 4, study=study)


def test_model_that_fails_at_the_guess(fit):
    refused(
        fit,
        "the model fails at the guess",
        study=STUDY.replace(
            "path: 'bodies.bob.at[0]', guess: 1.1 m", "path: bodies.bob.mass, guess: -1 kg, scale: linear"
        ),
    )
