"""`tapespring new` and `tapespring examples`: something to begin with."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import typer

from ..results import ResultsFileError
from ..schema.near_words import advice
from ..schema.problems import ModelError, Problem

PACKAGE = Path(__file__).parents[1]
STARTERS = PACKAGE / "starters"


def starters() -> list[str]:
    return sorted(file.stem for file in STARTERS.glob("*.yaml"))


def write_starter(file: Path, about: str) -> None:
    """A commented model to change. Raises ModelError, ResultsFileError."""
    if about not in starters():
        raise ModelError(Problem(None, (), f"no starter '{about}'{advice(about, starters(), 'there are')}"))
    text = (STARTERS / f"{about}.yaml").read_text(encoding="utf-8")
    put(file, text.replace("FILE", file.name))
    typer.echo(f"{file}: a commented model; next: tapespring run {file} --report {file.with_suffix('.html')}")


def put(file: Path, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as written:
            written.write(text)
    except FileExistsError:
        raise ResultsFileError(f"'{file}' is there already and was left as it is; give another name") from None
    except OSError as error:
        raise ResultsFileError(f"cannot write '{file}': {error.strerror}") from error


def folder() -> Path:
    """Of the examples: beside the sources, or where they were installed."""
    beside = PACKAGE.parents[1] / "examples"
    return beside if beside.is_dir() else Path(sysconfig.get_path("data")) / "share" / "tapespring" / "examples"


def examples() -> dict[str, Path]:
    """By name, as 'strap' or 'jpl/bump'; a Python file beside a model of its name has '.py' in its own."""
    found = {}
    for file in sorted(
        (p for p in folder().rglob("*") if p.suffix in (".yaml", ".py")), key=lambda p: p.suffix == ".py"
    ):
        name = file.relative_to(folder()).with_suffix("").as_posix()
        found[f"{name}.py" if name in found else name] = file
    return dict(sorted(found.items()))


def about_example(file: Path) -> str:
    """What a file says of itself."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        return text.lstrip("\"'").split("\n")[0].rstrip(".\"'")
    named = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("name:")]
    return named[0] if named else ""


def list_examples() -> None:
    for name, file in examples().items():
        typer.echo(f"{name:<28}{about_example(file)}")
    typer.echo("`tapespring examples NAME` copies one here; `tapespring new FILE` writes a commented model to change")


def copy_example(name: str, out: Path | None) -> None:
    """Into a file, or under its own name here. Raises ModelError, ResultsFileError."""
    found = examples()
    if name not in found:
        raise ModelError(Problem(None, (), f"no example '{name}'{advice(name, found, 'there are')}"))
    target = Path(found[name].name) if out is None else out
    put(target, found[name].read_text(encoding="utf-8"))
    start = "python" if target.suffix == ".py" else "tapespring run"
    typer.echo(f"{target}: {about_example(target)}; next: {start} {target}")
