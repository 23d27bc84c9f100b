"""A contract over all tests: what `simulate` refuses before its first step, `check` refuses with the same words."""

import hypothesis
import pytest

from tapespring import Model, ModelError

hypothesis.settings.register_profile("repeatable", derandomize=True)  # the same examples wherever tests run
hypothesis.settings.load_profile("repeatable")

NOT_OF_THE_MODEL = ("progress", "checkpoint")


@pytest.fixture(autouse=True)
def refused_alike(monkeypatch):
    """Every refusal by `Model.simulate` in a test is asked of `Model.check` again."""
    simulate = Model.simulate

    def both(self, duration=None, **settings):
        try:
            return simulate(self, duration, **settings)
        except ModelError as error:
            refused = error
        after_the_start = "no balanced start" in str(refused)  # found by solving, which a check does not do
        another = settings.get("restart") is not None or settings.get("refine")  # a state, or a finer model, is refused
        if not another and not after_the_start:
            given = {
                key: value for key, value in settings.items() if key not in (*NOT_OF_THE_MODEL, "restart", "refine")
            }
            with pytest.raises(ModelError) as checked:
                self.check(duration, **given)
            assert str(checked.value) == str(refused)
        raise refused

    monkeypatch.setattr(Model, "simulate", both)
