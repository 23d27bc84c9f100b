"""What is suggested for a misspelt word."""

import pytest

from tapespring.schema.near_words import advice

HELD = ["x", "y", "z", "turn_x", "turn_y", "turn_z"]


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_turn_by_its_name_elsewhere_is_not_taken_for_a_shift(axis):
    assert advice(f"r{axis}", HELD) == f"; did you mean 'turn_{axis}'?"


def test_a_short_word_is_not_like_half_of_itself():
    assert advice("rx", ["x", "y", "z"]) == "; choose among x, y, z"
    assert advice("ab", ["b", "c"]) == "; choose among b, c"


@pytest.mark.parametrize(("word", "near"), [("turnx", "turn_x"), ("X", "x"), ("masss", "mass"), ("mas", "mass")])
def test_what_is_nearly_right_is_suggested(word, near):
    assert advice(word, [*HELD, "mass"]) == f"; did you mean '{near}'?"
