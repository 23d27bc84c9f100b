"""Results files whatever is in them and whatever happens to them: what is read back is what was written, or one
sentence says that it is not."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_run import make_run

from tapespring.results import Channel, Event, Results, ResultsFileError, State, Status

numbers = st.floats(width=64)
times = st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=5).map(sorted)
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
names = st.from_regex(r"[a-zäß]([a-z0-9 _é]{0,5}[a-z0-9_é])?", fullmatch=True)
labels = st.lists(st.from_regex(r"[a-zα-ω0-9_]{1,5}", fullmatch=True), max_size=4, unique=True).map(tuple)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
records = st.dictionaries(words, plain, max_size=3)
finite = st.integers(-(2**62), 2**62) | st.floats(allow_nan=False)
counts = st.dictionaries(words, finite, max_size=3)
facts_of_contact = ("touches", "deepest", "strongest", "fastest")
contacts = st.dictionaries(words, st.fixed_dictionaries(dict.fromkeys(facts_of_contact, finite)), max_size=2)


@st.composite
def runs(draw):
    time = draw(times)
    made = {}
    for entity, quantity in draw(st.lists(st.tuples(names, names), max_size=3, unique=True)):
        components = draw(labels)
        values = draw(st.lists(numbers, min_size=(n := len(time) * max(len(components), 1)), max_size=n))
        shape = (len(time), len(components)) if components else (len(time),)
        name = f"{entity}.{quantity}"
        made[name] = Channel(name, draw(words), np.array(values).reshape(shape), components, draw(words))
    events = draw(st.lists(st.builds(Event, words, numbers.filter(np.isfinite), words, records), max_size=3))
    q, v = (np.array(draw(st.lists(numbers, min_size=1, max_size=4))) for _ in range(2))
    state = State(draw(st.floats(0, 1e9)), q, v, draw(st.dictionaries(words, st.floats(-9, 9), max_size=2)), 1, "f")
    return Results(
        time, made, status=Status(draw(st.booleans()), draw(words), draw(words), 1.0), events=events,
        counters=draw(counts), timing=draw(counts), contacts=draw(contacts), provenance=draw(records),
        notes=draw(st.lists(words, max_size=2)), state=draw(st.sampled_from([None, state])), scene=draw(records),
    )  # fmt: skip


def facts(run: Results):
    """All of a run, numbers as their bits."""
    channels = {
        name: (c.unit, c.components, c.about, c.values.shape, c.values.tobytes()) for name, c in run.channels.items()
    }
    parts = (
        "status", "events", "counters", "timing", "contacts", "violation", "provenance", "notes", "phases", "scene",
    )  # fmt: skip
    s = run.state
    state = None if s is None else (s.time, s.q.tobytes(), s.v.tobytes(), s.angles, s.stage, s.model)
    return run.time.tobytes(), channels, {part: getattr(run, part) for part in parts}, state


@settings(deadline=None, max_examples=25)
@given(runs())
def test_round_trip(tmp_path_factory, run):
    path = tmp_path_factory.mktemp("round") / "run.nc"
    assert facts(Results.load(run.save(path))) == facts(run)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """(a file of results and a checkpoint as bytes, what they hold, a place to put them)"""
    folder = tmp_path_factory.mktemp("damage")
    run = make_run()
    run.state = State(1.0, np.arange(7.0), np.arange(6.0), {"hinge": 0.5}, 0, "fingerprint")
    return run.save(folder / "run.nc").read_bytes(), facts(run), folder / "damaged.nc"


def read_or_refused(path) -> tuple[Results | None, str]:
    """(what is read, "") or (None, the sentence)."""
    try:
        return Results.load(path), ""
    except ResultsFileError as error:
        return None, str(error)


def assert_noticed(content: bytes, before, path):
    """Read with the same numbers and a note, or refused in one sentence."""
    path.write_bytes(content)
    read, sentence = read_or_refused(path)
    if read is not None:
        assert "another program has changed this results file" in read.notes.pop()
        assert facts(read) == before
        return
    assert "\n" not in sentence
    assert str(path) in sentence
    with pytest.raises(ResultsFileError):
        State.load(path)


@settings(deadline=None, max_examples=150)
@given(st.floats(0, 1, exclude_max=True), st.integers(1, 255))
@example(0.9999, 1)
def test_a_changed_byte_is_noticed(whole, where, flip):
    content, before, path = whole
    changed = bytearray(content)
    changed[int(where * len(content))] ^= flip
    assert_noticed(bytes(changed), before, path)


@settings(deadline=None, max_examples=60)
@given(st.floats(0, 1, exclude_max=True))
def test_a_file_cut_short_is_noticed(whole, part):
    content, before, path = whole
    assert_noticed(content[: int(part * len(content))], before, path)


@settings(deadline=None, max_examples=40)
@given(st.floats(0, 1), st.integers(1, 5000), st.sampled_from([b"\0", b"\xff", b"tapespring"]))
def test_a_block_written_over_is_noticed(whole, where, length, by):
    content, before, path = whole
    begin = int(where * (len(content) - 1))
    changed = content[:begin] + (by * length)[: min(length, len(content) - begin)] + content[begin + length :]
    if changed != content:
        assert_noticed(changed, before, path)


@settings(deadline=None, max_examples=20)
@given(st.binary(min_size=1, max_size=200))
def test_bytes_behind_the_end_are_noticed(whole, more):
    content, before, path = whole
    assert_noticed(content + more, before, path)


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89HDF\r\n\x1a\n", b"\0" * 5000])
def test_what_never_was_a_results_file(whole, content):
    path = whole[2]
    path.write_bytes(content)
    with pytest.raises(ResultsFileError, match="not a tapespring results file"):
        Results.load(path)
