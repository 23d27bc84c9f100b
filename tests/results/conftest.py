"""A small run with everything in it."""

import pytest
from small_run import make_run

from tapespring.results import Results


@pytest.fixture
def run() -> Results:
    return make_run()
