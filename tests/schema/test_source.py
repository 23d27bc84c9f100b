"""Model files: data, places, refusals with lines, and writing that reads back."""

import os
import random

import pytest
import yaml

from tapespring.schema import yaml_rules
from tapespring.schema.problems import ModelError, Place
from tapespring.schema.source import Source, parse_yaml, read_yaml, write_yaml, yaml_text

PENDULUM = """\
name: Simple pendulum
gravity: [0, 0, -9.81 m/s^2]
bodies:
  bob: {kind: point_mass, mass: 1 kg, at: [1 m, 0, 0]}
  rod:
    mass: 2
"""


def test_data_and_places(tmp_path):
    file = tmp_path / "pendulum.yaml"
    file.write_text(PENDULUM)
    source = read_yaml(file)
    assert source.data["bodies"]["bob"] == {"kind": "point_mass", "mass": "1 kg", "at": ["1 m", 0, 0]}
    assert source.file == str(file)
    assert source.places["gravity", 2] == (2, 17)
    assert source.key_places["bodies", "bob"] == (4, 3)
    assert source.places["bodies", "bob"] == (4, 8)
    assert source.key_places["bodies", "rod", "mass"] == (6, 5)
    assert source.places["bodies", "rod", "mass"] == (6, 11)


def test_what_is_not_in_the_file_is_placed_at_the_entry_around_it():
    source = parse_yaml(PENDULUM, "p.yaml")
    assert source.place(("bodies", "rod", "at", 2)) == Place("p.yaml", 5, 3)
    assert source.place(("bodies", "rod", "mass")) == Place("p.yaml", 6, 11)
    assert source.place(("bodies", "rod", "mass"), of_key=True) == Place("p.yaml", 6, 5)
    assert source.place(("joints",)) == Place("p.yaml", 1, 1)
    assert str(source.problem(("bodies", "rod"), "is odd")) == "p.yaml:6: bodies.rod: is odd"
    assert Source({}).place(("a",)) is None


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1e-3", 1e-3),
        ("1E5", 1e5),
        ("-2e+3", -2e3),
        ("1.", 1.0),
        (".5", 0.5),
        ("1.5e3", 1500.0),
        ("+3", 3),
        ("010", 10),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("1:30", "1:30"),
        ("2024-01-01", "2024-01-01"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("1e", "1e"),
        ("'1e-3'", "1e-3"),
        ("!!str 5", "5"),
        ("!!float 5", 5.0),
        (".inf", float("inf")),
        ("25 mm", "25 mm"),
    ],
)
def test_plain_words(written, value):
    got = parse_yaml(f"a: {written}").data["a"]
    assert got == value
    assert type(got) is type(value)


def test_keys_are_text():
    assert parse_yaml("1: a\non: b\n1e3: c").data == {"1": "a", "on": "b", "1e3": "c"}


def test_anchors_and_merges():
    source = parse_yaml(
        "base: &base {mass: 1, size: 2}\nother: &other {size: 5, hue: 6}\n"
        "a: {<<: *base, size: 3}\nb: *base\nc: {<<: [*base, *other]}\nd: &d {<<: *base, deep: {x: 1}}\ne: {<<: *d}\n"
    )
    assert source.data["a"] == {"mass": 1, "size": 3}
    assert source.data["b"] == {"mass": 1, "size": 2}
    assert source.data["c"] == {"mass": 1, "size": 2, "hue": 6}
    assert source.data["e"] == {"mass": 1, "size": 2, "deep": {"x": 1}}
    assert source.places["a", "mass"][0] == 1
    assert source.places["a", "size"][0] == 3
    assert source.places["e", "deep", "x"][0] == 6


REFUSALS = [
    ("", r"m.yaml: the file is empty; a model starts with"),
    ("# only a comment\n", "the file is empty"),
    ("- a\n- b\n", "m.yaml:1: the top level is a list"),
    ("\nhello\n", "m.yaml:2: the top level is a single value"),
    ("a: 1\nb: 2\na: 3\n", "m.yaml:3: 'a' is given twice, on line 1 and on line 3"),
    ("x:\n  a: 1\n  b: 2\n  a: 3\n", "m.yaml:4: 'a' is given twice, on line 2 and on line 4"),
    ("a:\n\tb: 3\n", "m.yaml:2: a tab stands where blanks are wanted"),
    ("a: b: c\n", "m.yaml:1: not YAML: a second ':' in 'a: b: c'; check the indentation"),
    ("a: [1, 2\n", r"m.yaml:\d: not YAML: .*line 1"),
    ("a: 'x\n", "not YAML: .*quoted scalar"),
    ("a: *foo\n", r"m.yaml:1: not YAML: found undefined alias.*; text that starts with '\*' must be in quotes"),
    ("a: 1\n---\nb: 1\n", "m.yaml:2: a second document starts here"),
    ("a: &a [*a]\n", "m.yaml:1: an alias stands inside what it stands for"),
    ("a: &a {<<: *a}\n", "merges a mapping into itself"),
    ("a: {<<: 3}\n", "'<<' merges a mapping"),
    ("a: !!python/object:os.system 3\n", "m.yaml:1: the tag .*python.* is not used in model files"),
    ("a: !mine [3]\n", "the tag '!mine' is not used"),
    ("a: !!int x\n", "'x' cannot be read as '!!int'"),
    ("? [1]\n: 3\n", "m.yaml:1: a key must be a single word"),
    ("a: @b\n", "m.yaml:1: not YAML: .*near 'a: @b'"),
    ("a: " + "[" * 100_000, "m.yaml:1: nested more than 100 deep"),
    ("a: é\nb: \x07\n", "m.yaml:2: not YAML: .*; remove it"),
    ("a0: &a0 1\n" + "".join(f"a{k}: &a{k} [*a{k - 1}]\n" for k in range(1, 2000)), "m.yaml:1: nested more than 100"),
    ("a: b: " + "c" * 10_000, "^.{0,400}$"),
    ("a: @" + "c" * 10_000, "^.{0,400}$"),
]


@pytest.mark.parametrize("with_libyaml", [True, False])
@pytest.mark.parametrize(("text", "message"), REFUSALS)
def test_refusals_have_lines(text, message, with_libyaml, monkeypatch):
    if not with_libyaml:
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    elif not yaml.__with_libyaml__:
        pytest.skip("PyYAML without libyaml")
    yaml_rules.loader.cache_clear()
    try:
        with pytest.raises(ModelError, match=message):
            parse_yaml(text, "m.yaml")
    finally:
        yaml_rules.loader.cache_clear()


def test_aliases_cannot_fill_the_memory(monkeypatch):
    monkeypatch.setattr("tapespring.schema.yaml_nodes.MOST_VALUES", 1000)
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(ModelError, match="aliases stand for more than 1000 values"):
        parse_yaml("\n".join(lines))


def test_merges_of_merges_take_no_longer_than_reading_them():
    begin = "a0: &a0 {p: 1}\n"
    twice = [f"a{k}: &a{k} {{<<: [*a{k - 1}, *a{k - 1}], q{k}: 0}}\n" for k in range(1, 60)]
    assert set(parse_yaml(begin + "".join(twice)).data["a59"]) == {"p", *(f"q{k}" for k in range(1, 60))}
    inward = [f"<<: {{q{k}: 0, " for k in range(98)]
    assert "q97" in parse_yaml("a: {" + "".join(inward) + "x: 0" + "}" * 99).data["a"]


def test_merges_cannot_fill_the_memory(monkeypatch):
    monkeypatch.setattr("tapespring.schema.yaml_nodes.MOST_VALUES", 1000)
    wide = "a: &a {" + ", ".join(f"k{i}: 1" for i in range(100)) + "}\n"
    with pytest.raises(ModelError, match=r"m.yaml:2: merges bring more than 1000 entries"):
        parse_yaml(wide + f"b: {{<<: [{', '.join(['*a'] * 100)}]}}\n", "m.yaml")


def test_more_values_than_fit(monkeypatch):
    monkeypatch.setattr("tapespring.schema.source.MOST_VALUES", 1000)
    with pytest.raises(ModelError, match=r"m.yaml:1: more than 1000 values; split"):
        parse_yaml("a: [" + "1, " * 3000 + "1]", "m.yaml")


def test_pipes_and_devices_are_not_waited_for(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "m.yaml")
    for path in (tmp_path / "m.yaml", "/dev/zero"):
        with pytest.raises(ModelError, match="a pipe or a device, not a file; copy what it gives"):
            read_yaml(path)
    (tmp_path / "large.yaml").write_text("a: 1")
    monkeypatch.setattr("tapespring.schema.source.LARGEST", 3)
    with pytest.raises(ModelError, match="larger than"):
        read_yaml(tmp_path / "large.yaml")


def test_missing_files(tmp_path):
    (tmp_path / "pendulum.yaml").write_text("a: 1")
    with pytest.raises(ModelError, match=r"pendulm.yaml: no such file; did you mean 'pendulum.yaml'\?"):
        read_yaml(tmp_path / "pendulm.yaml")
    with pytest.raises(ModelError, match=r"no such file; model files here: pendulum.yaml"):
        read_yaml(tmp_path / "zzz")
    with pytest.raises(ModelError, match=r"no such file; the folder .* does not exist"):
        read_yaml(tmp_path / "nowhere" / "a.yaml")
    with pytest.raises(ModelError, match="is a folder"):
        read_yaml(tmp_path)


def test_files_that_are_not_text(tmp_path):
    file = tmp_path / "m.yaml"
    file.write_bytes(b"name: x\n\xff\xfe\x81")
    with pytest.raises(ModelError, match=r"m.yaml:2: not a text file in UTF-8"):
        read_yaml(file)
    file.write_bytes(b"name: x\0\n")
    with pytest.raises(ModelError, match=r"m.yaml:1: not a text file"):
        read_yaml(file)
    file.write_bytes("\ufeffname: café\n".encode())
    assert read_yaml(file).data == {"name": "café"}


def random_data(depth):
    words = ["1e-3", "yes", "no", "null", "true", "1.5", "25 mm", "", " x ", "a: b", "#", "*a", "é", "-", "1:30", "010"]
    choice = random.random()
    if depth == 0 or choice < 0.4:
        number = random.choice([1, -1]) * random.random() * 10.0 ** random.randint(-20, 20)
        return random.choice([number, random.randint(-99, 99), True, None, random.choice(words), 1e-05, 1e22])
    if choice < 0.7:
        return [random_data(depth - 1) for _ in range(random.randint(0, 4))]
    return {random.choice(words) + str(i): random_data(depth - 1) for i in range(random.randint(0, 4))}


def test_what_is_written_reads_back_equal(tmp_path):
    random.seed(5)
    for _ in range(100):
        data = {"a": random_data(3), "b": random_data(2)}
        assert parse_yaml(yaml_text(data)).data == data
    write_yaml({"z": (1.0, 2.0), "a": {"n": "no"}}, tmp_path / "m.yaml")
    assert read_yaml(tmp_path / "m.yaml").data == {"z": [1.0, 2.0], "a": {"n": "no"}}
    assert list(read_yaml(tmp_path / "m.yaml").data) == ["z", "a"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    file = tmp_path / "m.yaml"
    write_yaml({"a": 1}, file)
    with pytest.raises(yaml.YAMLError):
        write_yaml({"a": object()}, file)
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_yaml({"a": 2}, file)
    assert file.read_text() == "a: 1\n"
    assert [p.name for p in tmp_path.iterdir()] == ["m.yaml"]
