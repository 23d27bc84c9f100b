"""The command line: `tapespring run pendulum.yaml`. Everything heavy is imported by the command that needs it.

Exit codes: 0 all well; 1 the run did not complete, or a benchmark is out of tolerance; 2 bad input; 3 the results
cannot be written; 4 it ran, but its verdict is "do not trust"; 130 interrupted, with what was reached
saved.
"""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from .screen import compiling_told, exit_codes, leave_unwritten

HELP = """Simulate mechanisms, and say how far to trust the result.

Exit codes: 0 all well; 1 the run did not complete, or a benchmark is out of tolerance; 2 bad input; 3 the results
cannot be written; 4 it ran, but its verdict is "do not trust"; 130 interrupted (what was reached is saved)."""

app = typer.Typer(help=HELP, no_args_is_help=True, pretty_exceptions_enable=False)

ModelFile = Annotated[Path, typer.Argument(metavar="FILE", help="Model file (YAML).", show_default=False)]
StateFile = Annotated[
    Optional[Path],  # noqa: UP045  typer reads the annotation
    typer.Option(help="About the state in a results file or checkpoint.", show_default=False),
]
Solver = Annotated[Optional[str], typer.Option(help="auto, ode, implicit, stiff …", show_default=False)]  # noqa: UP045
Duration = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(help="How long to simulate, such as '10 s'.", show_default=False),
]
Refine = Annotated[bool, typer.Option("--refine", help="Run again with half the element sizes and steps: errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
AllowPython = Annotated[bool, typer.Option("--allow-python", help="Run Python code that the file names.")]
AllowOutside = Annotated[bool, typer.Option("--allow-outside", help="Read files it names outside its folder.")]


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from .. import __version__

        typer.echo(f"tapespring {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    pass


@app.command()
def run(
    file: ModelFile,
    out: Annotated[
        Optional[Path],  # noqa: UP045  typer reads the annotation
        typer.Option(help="Results file, netCDF-4; else out/<model>.nc.", show_default=False),
    ] = None,
    changes: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--set", metavar="PATH=VALUE", help="Change a value, such as bodies.bob.mass='2 kg'. Repeatable."),
    ] = None,
    solver: Solver = None,
    duration: Duration = None,
    restart: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="Go on from the state in a results file or checkpoint.", show_default=False),
    ] = None,
    checkpoint: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="File to keep the state in while running, renewed every minute.", show_default=False),
    ] = None,
    refine: Refine = False,
    report: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="Also write an HTML page with animation, curves and trust.", show_default=False),
    ] = None,
    allow_python: AllowPython = False,
    allow_outside: AllowOutside = False,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but mistakes.")] = False,
) -> None:
    """Simulate a model, print a summary and save the results."""
    with exit_codes():
        from .running import run_file

        given: dict[str, Any] = {"solver": solver, "duration": duration, "restart": restart, "checkpoint": checkpoint}
        given["refine"] = True if refine else None
        settings = {key: value for key, value in given.items() if value is not None}
        allowed = {"allow_python": allow_python, "allow_outside": allow_outside}
        run_file(file, out, changes or [], settings, allowed, page=report, as_json=as_json, quiet=quiet)


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The model file to write (.yaml).", show_default=False)],
    about: Annotated[str, typer.Option("--about", help="pendulum, strap or contact.")] = "pendulum",
) -> None:
    """Write a commented model to change and run."""
    with exit_codes():
        from .starting import write_starter

        write_starter(file, about)


@app.command()
def examples(
    name: Annotated[
        Optional[str],  # noqa: UP045  typer reads the annotation
        typer.Argument(help="An example to copy here; else all are listed.", show_default=False),
    ] = None,
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--out", "-o", help="The copy; else its own name in this folder.", show_default=False),
    ] = None,
) -> None:
    """List the examples, or copy one."""
    with exit_codes():
        from .starting import copy_example, list_examples

        if name is None:
            list_examples()
        else:
            copy_example(name, out)


@app.command()
def report(
    files: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Results files (.nc).", show_default=False)],
    out: Annotated[
        Optional[Path],  # noqa: UP045  typer reads the annotation
        typer.Option(help="The page; else beside the first run, as .html.", show_default=False),
    ] = None,
) -> None:
    """One HTML page that plays a run beside its curves and says how far to trust it; several runs are compared."""
    with exit_codes():
        from .reporting import report_runs

        report_runs(files, out)


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="RUN", help="Results file (.nc).", show_default=False)],
    out: Annotated[
        Path, typer.Argument(metavar="FILE", help="A .csv, .png, .svg, .gif, .mp4 or .pvd (ParaView) file.")
    ],
    names: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--channel", help="For .csv, .png, .svg: only these, as 'bob.*'. Repeatable.", show_default=False),
    ] = None,
    speed: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(help="For movies: simulated seconds per second; else at most 10 s long.", show_default=False),
    ] = None,
) -> None:
    """A run for other programs: channels as CSV or curves, the motion as a movie or a VTK time series."""
    with exit_codes():
        from .reporting import export_run

        export_run(file, out, names or [], speed)


@app.command()
def check(
    file: ModelFile,
    solver: Solver = None,
    duration: Duration = None,
    allow_python: AllowPython = False,
    allow_outside: AllowOutside = False,
    as_json: AsJson = False,
) -> None:
    """Do all that `run` does before its first step: every mistake with its line."""
    with exit_codes(), compiling_told():
        from .asking import check_file

        given = {"solver": solver, "duration": duration}
        settings = {key: value for key, value in given.items() if value is not None}
        allowed = {"allow_python": allow_python, "allow_outside": allow_outside}
        check_file(file, allowed, settings, as_json)


@app.command()
def modes(
    file: ModelFile,
    count: Annotated[Optional[int], typer.Option(help="How many, from the lowest.", show_default=False)] = None,  # noqa: UP045
    at_equilibrium: Annotated[bool, typer.Option("--at-equilibrium", help="About rest, not as drawn.")] = False,
    at: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="About the balanced place at this time, such as '2 s'.", show_default=False),
    ] = None,
    at_end: Annotated[bool, typer.Option("--at-end", help="About where the model's simulation ends.")] = False,
    state: StateFile = None,
    spin: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(metavar="'AXIS RATE'", help="About steady rotation, such as 'z 300 rpm'.", show_default=False),
    ] = None,
    allow_python: AllowPython = False,
    allow_outside: AllowOutside = False,
    as_json: AsJson = False,
) -> None:
    """Natural frequencies and damping of a model."""
    with exit_codes(), compiling_told():
        from .asking import chosen_place, show_modes

        place = chosen_place(at, at_end, state, at_equilibrium)
        allowed = {"allow_python": allow_python, "allow_outside": allow_outside}
        show_modes(file, count, place, spin, allowed, as_json)


@app.command()
def buckling(
    file: ModelFile,
    count: Annotated[int, typer.Option(help="How many, from the earliest.")] = 4,
    at: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Time of the balanced place it is about; else 0 s.", show_default=False),
    ] = None,
    at_end: Annotated[bool, typer.Option("--at-end", help="About where the model's simulation ends.")] = False,
    state: StateFile = None,
    allow_python: AllowPython = False,
    allow_outside: AllowOutside = False,
    as_json: AsJson = False,
) -> None:
    """Critical times at which loads that grow with time make a model buckle."""
    with exit_codes(), compiling_told():
        from .asking import chosen_place, show_buckling

        allowed = {"allow_python": allow_python, "allow_outside": allow_outside}
        show_buckling(file, count, chosen_place(at, at_end, state), allowed, as_json)


@app.command()
def equilibrium(
    file: ModelFile, allow_python: AllowPython = False, allow_outside: AllowOutside = False, as_json: AsJson = False
) -> None:
    """The position of a model at rest."""
    with exit_codes(), compiling_told():
        from .asking import show_equilibrium

        allowed = {"allow_python": allow_python, "allow_outside": allow_outside}
        show_equilibrium(file, allowed, as_json)


@app.command()
def reduce(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Model (.yaml), NASTRAN bulk data (.bdf), matrices (.npz, .mtx, .op4, .dmig), or modes (.op2).",
            show_default=False,
        ),
    ],
    interfaces: Annotated[
        str,
        typer.Option(help="Places that become frames: 'hub=12,tip=101+102:average'; the name may be left out."),
    ] = "",
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--output", "-o", help="File of the reduced body (.npz).", show_default=False),
    ] = None,
    modes: Annotated[Optional[int], typer.Option(help="Normal modes to keep.", show_default="20")] = None,  # noqa: UP045
    below: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Keep those below a frequency, such as '200 Hz'.", show_default=False),
    ] = None,
    method: Annotated[str, typer.Option(help="craig-bampton, rubin, normal or assumed.")] = "craig-bampton",
    shapes: Annotated[str, typer.Option(help="Assumed ones by formulas: '-2*x*z, 0, x^2; -3*x^2*z, 0, x^3'.")] = "",
    residual: Annotated[
        str, typer.Option(help="Orders of residual modes to add; auto: for frequencies to 1e-6.")
    ] = "auto",
    damping: Annotated[float, typer.Option(help="Damping ratio of every mode.")] = 0.0,
    drop: Annotated[float, typer.Option(help="Leave out directions with less of their mass than this.")] = 1e-8,
    massless: Annotated[str, typer.Option(help="Freedoms without mass: refuse, or follow.")] = "refuse",
    stress: Annotated[
        str, typer.Option(help="What elements carry, to be recovered: 'tube.section_moment,plate.stress:3+10..20'.")
    ] = "",
    stiffening: Annotated[bool, typer.Option("--stiffening", help="Tension stiffens, compression softens it.")] = False,
    solver: Annotated[str, typer.Option(help="auto, pardiso, layers or superlu.")] = "auto",
    ignore: Annotated[str, typer.Option(help="Cards to leave out knowingly, such as 'CBUSH,PBUSH'.")] = "",
    length_unit: Annotated[Optional[str], typer.Option(help="Of bulk data, such as mm.", show_default="m")] = None,  # noqa: UP045
    mass_unit: Annotated[Optional[str], typer.Option(help="Of bulk data, such as t.", show_default="kg")] = None,  # noqa: UP045
    mass: Annotated[Optional[Path], typer.Option(help="Mass matrix beside a .mtx file.", show_default=False)] = None,  # noqa: UP045
    nodes: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            help="Nodes of matrices: number, x, y, z per line, or GRID cards; bulk data of modes.", show_default=False
        ),
    ] = None,
    components: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Freedoms of every node of matrices, such as 'y rz'.", show_default=False),
    ] = None,
    matrices: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Names of mass and stiffness, such as 'MGG KGG'.", show_default=False),
    ] = None,
    held: Annotated[str, typer.Option(help="Nodes of matrices that do not move.")] = "",
    allow_python: AllowPython = False,
    allow_outside: AllowOutside = False,
    as_json: AsJson = False,
) -> None:
    """Reduce a structure to a body of a few modes, and say how many are worth having."""
    with exit_codes(), compiling_told():
        from .reducing import reduce_file

        options = {
            "method": method, "shapes": shapes, "modes": modes, "below": below, "residual": residual,
            "damping": damping, "drop": drop,
            "massless": massless, "stress": stress, "stiffening": stiffening, "solver": solver,
        }  # fmt: skip
        reading = {
            "ignore": ignore, "length_unit": length_unit, "mass_unit": mass_unit, "mass": mass, "nodes": nodes,
            "components": components, "matrices": matrices, "held": held,
            "allow_python": allow_python, "allow_outside": allow_outside,
        }  # fmt: skip
        reduce_file(file, interfaces, output, options, {k: v for k, v in reading.items() if v}, as_json)


@app.command()
def mesh(
    file: ModelFile,
    body: Annotated[Optional[str], typer.Option(help="Whose; needed if there are several.")] = None,  # noqa: UP045
    output: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--output", "-o", help="A .vtu, .vtk, .msh or .inp file.", show_default=False),
    ] = None,
    allow_python: AllowPython = False,
    allow_outside: AllowOutside = False,
    as_json: AsJson = False,
) -> None:
    """The meshes of membranes, shells and solids as they were built; with -o, one of them in a file."""
    with exit_codes():
        from .asking import show_meshes

        allowed = {"allow_python": allow_python, "allow_outside": allow_outside}
        show_meshes(file, body, output, allowed, as_json)


@app.command()
def bench(
    cases: Annotated[Optional[list[str]], typer.Argument(metavar="CASE", show_default=False)] = None,  # noqa: UP045
    listed: Annotated[bool, typer.Option("--list", help="List the cases.")] = False,
    refine: Refine = False,
    report: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="HTML page of the case; of several cases the folder of their pages.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run published problems and compare with their reference values."""
    with exit_codes():
        from .benching import list_cases, run_cases

        if listed:
            list_cases(as_json)
        else:
            run_cases(cases or [], as_json, refine, report)


@app.command()
def fit(
    file: Annotated[Path, typer.Argument(metavar="STUDY", help="Study file (YAML).", show_default=False)],
    out: Annotated[
        Optional[Path],  # noqa: UP045  typer reads the annotation
        typer.Option(help="Report, HTML; else out/<study>.fit.html. A JSON file goes beside it.", show_default=False),
    ] = None,
    profile: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(help="Profile likelihood of a parameter, or 'all'. Repeatable.", show_default=False),
    ] = None,
    afresh: Annotated[bool, typer.Option("--afresh", help="Forget what an interrupted fit has reached.")] = False,
    allow_python: AllowPython = False,
    allow_outside: AllowOutside = False,
    as_json: AsJson = False,
) -> None:
    """Find parameters of a model from measurements, and say how far the data fix them."""
    with exit_codes():
        from .fitting import fit_file

        wanted = True if profile and "all" in profile else profile or False
        allowed = {"allow_python": allow_python, "allow_outside": allow_outside}
        fit_file(file, out, wanted, allowed, afresh=afresh, as_json=as_json)


@app.command()
def sweep(
    file: Annotated[Path, typer.Argument(metavar="STUDY", help="Study file (YAML).", show_default=False)],
    out: Annotated[
        Optional[Path],  # noqa: UP045  typer reads the annotation
        typer.Option(help="Folder of samples, table and report; else out/<study>.sweep.", show_default=False),
    ] = None,
    workers: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="Processes; else as many as there are cores.", show_default=False),
    ] = None,
    cluster: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            metavar="ADDRESS",
            help="A Dask scheduler, such as tcp://host:8786; 'local' starts one here with --workers.",
            show_default=False,
        ),
    ] = None,
    afresh: Annotated[bool, typer.Option("--afresh", help="Forget finished samples.")] = False,
    play: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(metavar="SAMPLE", help="Run one finished sample again and write its page.", show_default=False),
    ] = None,
    allow_python: AllowPython = False,
    allow_outside: AllowOutside = False,
    as_json: AsJson = False,
) -> None:
    """Run a model many times with numbers that scatter: margins, probabilities, what matters."""
    with exit_codes():
        from .sweeping import play_sample, sweep_file

        allowed = {"allow_python": allow_python, "allow_outside": allow_outside}
        if play is not None:
            play_sample(file, out, play, allowed)
        else:
            sweep_file(file, out, allowed, workers=workers, cluster=cluster, afresh=afresh, as_json=as_json)


@app.command("compare-solvers")
def compare_solvers(
    file: ModelFile,
    accuracy: Annotated[float, typer.Option(help="Error of positions, over the size of the motion.")] = 1e-6,
    duration: Annotated[
        Optional[str],  # noqa: UP045  typer reads the annotation
        typer.Option(help="How long to simulate, such as '5 s'; else as in the model.", show_default=False),
    ] = None,
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="Plot of work against precision, SVG; else out/<model>.solvers.svg.", show_default=False),
    ] = None,
    allow_python: AllowPython = False,
    allow_outside: AllowOutside = False,
    as_json: AsJson = False,
) -> None:
    """Which solver suits a model: time, steps and error of each, to a common accuracy."""
    with exit_codes():
        from .comparing import compare_file

        allowed = {"allow_python": allow_python, "allow_outside": allow_outside}
        compare_file(file, out, accuracy, duration, allowed, as_json)


@app.command()
def kinds(
    name: Annotated[Optional[str], typer.Argument(show_default=False, help="One kind, in full.")] = None,  # noqa: UP045
    as_json: AsJson = False,
) -> None:
    """The kinds of bodies, joints, forces … there are, with their fields."""
    with exit_codes():
        from .listing import list_kinds, show_kind

        if name is None:
            list_kinds(as_json)
        else:
            show_kind(name, as_json)


@app.command()
def schema(
    out: Annotated[Optional[Path], typer.Option(help="File to write; else printed.", show_default=False)] = None,  # noqa: UP045
) -> None:
    """The JSON Schema of model files, for editors."""
    with exit_codes():
        from .listing import write_schema

        write_schema(out)


def main() -> None:
    """The `tapespring` command."""
    gc.set_threshold(100_000, 50, 50)  # what is loaded stays: looking through it for garbage took 7 % of a short run
    try:
        app(prog_name="tapespring")
    except OSError as error:
        leave_unwritten(error)
