"""A mutant through the command line, within this process: what it must never do."""

import re
import signal
import warnings
from contextlib import contextmanager

from typer.testing import CliRunner

from tapespring.cli import app

SECONDS = 60
REMEDY = re.compile(
    r"did you mean|choose|write|give|use |such as|for example|must|wanted|needs|remove|leave |add |check |move |correct"
    r"|say |name a|fields here|known here|a model has|bodies:|joints:|markers|it has|put |sort|not YAML|quotes|rename"
    r"|allowed|split|fewer|make |only|stands? |takes|draw|is followed"
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


def faults(text, folder, *command) -> list[str]:
    """What is wrong with how a command answers the text of a model file; nothing if all is well."""
    file = folder / "mutant.yaml"
    file.write_text(text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with limited(SECONDS):
                ended = CliRunner().invoke(app, [command[0], str(file), *command[1:]])
        except HangsError:
            return ["hangs"]
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        return [f"traceback: {type(ended.exception).__name__}: {ended.exception}"[:300]]
    if ended.exit_code not in (0, 1, 2):
        return [f"exit code {ended.exit_code}: {ended.output[-200:]}"]
    return refusal_faults(ended.output, str(file)) if ended.exit_code == 2 else []


def refusal_faults(output, file) -> list[str]:
    """A refusal names file and line and says what to do about it."""
    lines = [line for line in output.splitlines() if line.strip() and not line.startswith("compiling")]
    if not lines:
        return ["refused without a word"]
    found = []
    for line in lines:
        if not re.match(rf"{re.escape(file)}:\d+: ", line):
            found.append(f"no place: {line[:300]}")
        elif not REMEDY.search(line):
            found.append(f"no remedy: {line[:300]}")
    return found
