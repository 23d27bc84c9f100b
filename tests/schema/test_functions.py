"""Scalar functions in every way of writing them, their round trips, and the answers to mistakes."""

import math
from typing import Annotated

import pytest
from pydantic import TypeAdapter, ValidationError

from tapespring.schema.functions import (
    Constant,
    Expression,
    ForceHistory,
    FunctionOf,
    Polynomial,
    PythonFunction,
    ScalarFunction,
    Table,
    TableFile,
)
from tapespring.schema.programs import evaluate
from tapespring.schema.units import FORCE, LENGTH, NUMBER

FORCE_OF_TIME = TypeAdapter(ForceHistory)
FORCE_LAW = TypeAdapter(Annotated[ScalarFunction, FunctionOf(FORCE, ("x", "v", "t"), LENGTH)])
PLAIN_NUMBER = TypeAdapter(Annotated[ScalarFunction, FunctionOf(NUMBER)])


def read(value, adapter=FORCE_OF_TIME):
    return adapter.validate_python(value)


def double(t):
    return 2.0 * t


@pytest.mark.parametrize(
    ("written", "newtons"),
    [(5, 5.0), (0.5, 0.5), ("5", 5.0), ("5 kN", 5000.0), ("-3e2 mN", -0.3), ({"value": "2 kN"}, 2000.0)],
)
def test_constants(written, newtons):
    assert read(written) == Constant(value=newtons)


def test_a_constant_of_the_wrong_dimension():
    with pytest.raises(ValidationError, match=r"'5 kg' is a mass \(kg\), but a force is wanted here"):
        read("5 kg")
    with pytest.raises(ValidationError, match="unknown unit 'Nn'"):
        read("5 Nn")


@pytest.mark.parametrize(
    ("text", "at_two"),
    [
        ("0.1*sin(2*pi*5*t)", 0.1 * math.sin(20 * math.pi)),
        ("1/t", 0.5),
        ("2*t", 4.0),
        ("2*pi", 2 * math.pi),
        ("5 kN/s*t", 10e3),
        ("5 N + 3 N", 8.0),
        ("min(5, t)", 2.0),
        ("3 N*step(t)", 3.0),
        ("- 5 N", -5.0),
    ],
)
def test_text_that_is_no_quantity_is_an_expression(text, at_two):
    for written in (text, {"expression": text}):
        function = read(written)
        assert isinstance(function, Expression)
        assert evaluate(function.program, (2.0,)) == pytest.approx(at_two, abs=1e-12)


def test_expressions_know_the_variables_of_their_field():
    law = read("100*x + 3*v - t", FORCE_LAW)
    assert evaluate(law.program, (1.0, 2.0, 3.0)) == 103.0
    with pytest.raises(ValidationError, match=r"unknown name 'x' \(known here: t, pi"):
        read("100*x")
    with pytest.raises(ValidationError, match=r"'2 t' needs an operator; write '2\*t'"):
        read("2 t")
    moved = read(law, FORCE_LAW)
    assert moved == law
    with pytest.raises(ValidationError, match="unknown name 'x'"):
        read(law, FORCE_OF_TIME)


def test_polynomials():
    assert read({"polynomial": [1, 2, 3]}) == Polynomial(polynomial=(1.0, 2.0, 3.0))
    with pytest.raises(ValidationError, match="at least 1 item"):
        read({"polynomial": []})
    with pytest.raises(ValidationError, match="not a finite number"):
        read({"polynomial": [1, math.nan]})


def test_tables_by_rows_and_by_columns_with_units():
    expected = Table(x=(0.0, 0.01, 0.02), y=(0.0, 5.0, 2000.0), unit="N")
    assert read({"table": [[0, 0], ["10 ms", "5 N"], [0.02, "2 kN"]]}) == expected
    assert read({"table": {"x": [0, "10 ms", 0.02], "y": [0, 5, "2 kN"]}}) == expected
    law = read({"table": [[0, 0], ["10 mm", 5]]}, FORCE_LAW)
    assert law.x == (0.0, 0.01)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0, 0], [0.32, 1], [0.31, 2]], r"time is not increasing at row 3 \(0.31 after 0.32\); sort the rows"),
        ([[0, 0], [0, 1]], r"time repeats at row 2 \(0 again\); remove one"),
        ([[0, 0]], "a table needs at least 2 rows, this one has 1"),
        ([], "at least 2 rows, this one has 0"),
        ([[0, 0], [1, None]], "row 2: nothing is not a force"),
        ([[0, 0], [1, math.nan]], "row 2: nan is not a finite number"),
        ([[0, 0], ["1 kg", 1]], r"row 2: '1 kg' is a mass \(kg\), but a time"),
        ([[0, 0], [1, 2, 3]], r"row 2: \[1, 2, 3\] is not a pair"),
        ({"x": [0, 1], "y": [1]}, "2 values of x, 1 of y"),
        ({"x": [0, 1]}, "a table by columns has exactly x and y, not x"),
        (5, "5 is not a table"),
        ({"x": 5, "y": [1]}, "5 is not a table"),
    ],
)
def test_refused_tables(table, message):
    with pytest.raises(ValidationError, match=message):
        read({"table": table})


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"polynomal": [1]}, "'polynomal' is not a kind of function; did you mean 'polynomial'"),
        ({"zzz": 1}, "'zzz' is not a kind of function; write one of .*polynomial, table, csv"),
        ({}, "is not a kind of function"),
        ({"csv": "a.csv", "colunm": 1}, "'colunm' does not belong beside 'csv'; did you mean 'column'"),
        ({"table": [[0, 1], [1, 2]], "scale": 2}, "'scale' does not belong beside 'table'; allowed are interpolation"),
        ({"table": [[0, 1], [1, 2]], "interpolation": "cubic"}, "'cubic' is not known; write one of linear, monotone,"),
        ({"csv": "a.csv", "interpolation": "lineal"}, "'lineal' is not known; did you mean 'linear'"),
        ({"table": [[0, 1], [1, 2]], "interpolation": [1]}, "is not known; write one of linear"),
        ({"polynomial": [1, 2], "interpolation": "linear"}, "does not belong beside 'polynomial'; 'polynomial' stands"),
        ({"expression": "t", "variables": ["x"]}, "'variables' does not belong beside 'expression'"),
        ({"python": "no_colon"}, "'no_colon' is not of the form 'module:function'"),
        ({"python": "m:f", "function": print}, "'function' does not belong beside 'python'"),
        ({"csv": "a.csv", "time": 0, "x": 1}, "give either 'time' or 'x', not both"),
        ([1, 2], "a list is not a function; write one of"),
        (None, "nothing is not a force"),
        (True, "true is not a force"),
        ("banana", "unknown name 'banana'"),
    ],
)
def test_what_is_not_a_function(written, message):
    with pytest.raises(ValidationError, match=message):
        read(written)


@pytest.mark.parametrize(
    "written",
    [
        "5.25 kN",
        {"polynomial": [0.1, 1e-30]},
        {"table": [[0, 0], ["10 ms", "5 N"]]},
        {"csv": "a.csv"},
        {"csv": "a.csv", "time": "t", "column": 3, "scale": 9.81},
        "2*t",
        {"python": "my_laws:friction"},
        double,
    ],
)
def test_round_trips(written):
    function = read(written)
    for mode in ("json", "python"):
        again = read(FORCE_OF_TIME.dump_python(function, mode=mode))
        assert FORCE_OF_TIME.dump_python(again, mode="json") == FORCE_OF_TIME.dump_python(function, mode="json")
    if written is not double:
        assert again == function


def test_what_is_written():
    def plain(written, adapter=FORCE_OF_TIME):
        return adapter.dump_python(read(written, adapter), mode="json")

    assert plain("5 kN") == "5000.0 N"
    assert plain(0.3, PLAIN_NUMBER) == 0.3
    assert plain("2*t") == {"expression": "2*t"}
    assert plain({"csv": "a.csv", "column": "ax"}) == {"csv": "a.csv", "column": "ax"}
    assert plain(double) == {"python": f"{__name__}:double"}


def test_a_lambda_works_but_cannot_be_written():
    function = read(lambda t: 3.0 * t)
    assert function.resolve().function(2.0) == 6.0
    with pytest.raises(ValueError, match=r"cannot be written to a file; define it in a module"):
        FORCE_OF_TIME.dump_python(function, mode="json")


def test_python_functions_beside_the_model(tmp_path):
    (tmp_path / "laws_beside_model.py").write_text("calls = []\ndef friction(v):\n    return -0.3 * v\nrate = 5\n")
    friction = read({"python": "laws_beside_model:friction"}).resolve(tmp_path)
    assert friction.function(2.0) == -0.6
    again = read({"python": "laws_beside_model:friction"}).resolve(tmp_path)
    assert again.function is friction.function
    with pytest.raises(ValueError, match="has no function 'fricton'; did you mean 'friction'"):
        PythonFunction(python="laws_beside_model:fricton").resolve(tmp_path)
    with pytest.raises(ValueError, match="'laws_beside_model:rate' is not a function"):
        PythonFunction(python="laws_beside_model:rate").resolve(tmp_path)
    with pytest.raises(ValueError, match=r"no module 'no_such_laws' in .* put no_such_laws.py there"):
        PythonFunction(python="no_such_laws:f").resolve(tmp_path)


def test_installed_python_functions():
    assert read({"python": "math:sin"}).resolve().function is math.sin


def test_a_module_that_fails_leaves_nothing_behind(tmp_path):
    (tmp_path / "laws_that_fail.py").write_text("raise RuntimeError('bad laws')\n")
    for _ in range(2):
        with pytest.raises(RuntimeError, match="bad laws"):
            PythonFunction(python="laws_that_fail:f").resolve(tmp_path)


def test_constants_resolve_to_themselves():
    function = read(5)
    assert function.resolve("/nowhere") is function


def test_json_schema_names_unit_and_ways():
    schema = FORCE_LAW.json_schema()
    assert "force in N as a function of x, v, t" in schema["description"]
    assert {choice["type"] for choice in schema["anyOf"]} == {"number", "string", "object"}


def write(folder, text, name="shaker.csv"):
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


GOOD = "t,ax,ay\n0,1,10\n0.1,2,20\n0.2,3,30\n"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (GOOD, {"time": "t", "column": "ax"}),
        (GOOD, {"x": 0, "column": 1}),
        (GOOD, {"column": "ax"}),
        ("0,1\n0.1,2\n0.2,3", {}),
        ("t;ax\n0;1\n0.1;2\n0.2;3\n", {}),
        ("t\tax\n0\t1\n0.1\t2\n0.2\t3\n", {"column": "ax"}),
        ("# made by hand\n# t ax\n0 1\n0.1 2\n\n0.2   3\n", {"column": "ax"}),
        ("\ufefft, ax\r\n0, 1\r\n0.1, 2\r\n0.2, 3\r\n,\r\n", {"column": "ax"}),
        ('"t","a, x"\n0,1\n0.1,2\n0.2,3\n', {"column": "a, x"}),
        ("ax,t\n1,0\n2,0.1\n3,0.2\n", {"time": "t"}),
    ],
)
def test_csv_files(tmp_path, text, asked):
    write(tmp_path, text)
    assert TableFile(csv="shaker.csv", **asked).resolve(tmp_path) == Table(x=(0.0, 0.1, 0.2), y=(1.0, 2.0, 3.0))


def test_csv_values_are_scaled(tmp_path):
    write(tmp_path, GOOD)
    table = read({"csv": "shaker.csv", "time": "t", "column": "ay", "scale": 9.81}).resolve(tmp_path)
    assert table.y == (98.10000000000001, 196.20000000000002, 294.3)


@pytest.mark.parametrize(
    ("text", "asked", "message"),
    [
        (
            "t,ax\n0,1\n0.32,2\n0.31,3\n",
            {"time": "t"},
            r"shaker.csv: time is not increasing at row 4 \(0.31 after 0.32\); sort the file",
        ),
        ("t,ax\n0,1\n0,2\n", {}, "shaker.csv: t repeats at row 3"),
        ("t,ax\n0,1\n1,\n", {}, "shaker.csv: row 3: empty value in column 'ax'; fill or remove the gap"),
        ("t,ax\n0,1\n1,nan\n", {}, "row 3: 'nan' in column 'ax' is a gap"),
        ("t;ax\n0;1\n1;2,5\n", {}, "row 3: '2,5' in column 'ax' is not a number; write a decimal point"),
        ("t,ax\n0,1\n1,oops\n", {}, "row 3: 'oops' in column 'ax' is not a number"),
        ("t,ax\n0,1\n1,2,3\n", {}, "shaker.csv: row 3: 3 values where the file has 2 columns"),
        (GOOD, {"column": "axx"}, r"shaker.csv: no column 'axx'; did you mean 'ax'\? \(columns: t, ax, ay\)"),
        (GOOD, {"column": "temperature"}, "no column 'temperature'; columns: t, ax, ay"),
        (GOOD, {"column": 7}, "there is no column 7; the file has 3, counted from 0: t, ax, ay"),
        (GOOD, {}, r"say which column is meant with 'column:' \(columns: ax, ay\)"),
        ("t\n0\n1\n", {}, "say which column is meant"),
        ("t,ax,ax\n0,1,2\n1,2,3\n", {"column": "ax"}, "two columns are named 'ax'"),
        ("t,ax\n0,1\n", {}, "shaker.csv: a table needs at least 2 rows, this one has 1"),
        ("", {}, "shaker.csv: the file holds no data"),
        ("# only words\n", {}, "shaker.csv: the file holds no data"),
        (b"\xff\xfe\x00\x81", {}, "not a text file in UTF-8"),
    ],
)
def test_refused_csv_files(tmp_path, text, asked, message):
    write(tmp_path, text)
    with pytest.raises(ValueError, match=message):
        TableFile(csv="shaker.csv", **asked).resolve(tmp_path)


def test_a_missing_csv_file(tmp_path):
    write(tmp_path, GOOD, "shaker_run2.csv")
    with pytest.raises(ValueError, match=r"no file 'shaker_run.csv' in .*; did you mean 'shaker_run2.csv'"):
        TableFile(csv="shaker_run.csv").resolve(tmp_path)
    with pytest.raises(ValueError, match=r"no file 'a.csv'"):
        TableFile(csv="nowhere/a.csv").resolve(tmp_path)
