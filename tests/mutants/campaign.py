"""A mutant through the command line, within this process: what it must never do."""

import re
import signal
import warnings
from contextlib import contextmanager
from dataclasses import dataclass

from typer.testing import CliRunner

from tapespring.cli import app
from tapespring.cli.screen import BAD_INPUT, NOT_COMPLETE, NOT_TRUSTED

SECONDS = 60
REMEDY = re.compile(
    r"did you mean|choose|write|give|use |such as|for example|must|wanted|needs|remove|leave |add |check |move |correct"
    r"|say |name a|fields here|known here|a model has|bodies:|joints:|markers|it has|put |sort|not YAML|quotes|rename"
    r"|allowed|name two|extend|swap|split|fewer|make |only|lead |stands? |takes|draw|is followed"
)


class HangsError(BaseException):
    """Took longer than any mutant may."""


@contextmanager
def limited(seconds):
    def stop(*_):
        raise HangsError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@dataclass
class Answer:
    """How the command line answered; exit code -1 for a traceback, -2 for none in time."""

    exit_code: int
    output: str


def answer(text, folder, command, *options, seconds=SECONDS) -> Answer:
    """What a command says to the text of a model file; with `seconds` 0 it may take as long as it does."""
    file = folder / "mutant.yaml"
    file.write_text(text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with limited(seconds):
                ended = CliRunner().invoke(app, [command, str(file), *options])
        except HangsError:
            return Answer(-2, "hangs")
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        return Answer(-1, f"traceback: {type(ended.exception).__name__}: {ended.exception}"[:300])
    said = [line for line in ended.output.splitlines() if line.strip() and not line.startswith("compiling")]
    return Answer(ended.exit_code, "\n".join(said))


def faults(answered: Answer, folder) -> list[str]:
    """What is wrong with an answer; nothing if all is well."""
    if answered.exit_code == BAD_INPUT:
        return refusal_faults(answered.output, str(folder / "mutant.yaml"))
    return (
        []
        if answered.exit_code in (0, NOT_COMPLETE, NOT_TRUSTED)
        else [answered.output or f"exit code {answered.exit_code}"]
    )


def refusal_faults(output, file) -> list[str]:
    """A refusal names file and line and says what to do about it."""
    found = [] if output else ["refused without a word"]
    for line in output.splitlines():
        if not re.match(rf"{re.escape(file)}:\d+: ", line):
            found.append(f"no place: {line[:300]}")
        elif not REMEDY.search(line):
            found.append(f"no remedy: {line[:300]}")
    return found
