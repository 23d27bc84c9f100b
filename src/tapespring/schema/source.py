"""Model files: YAML read with the place of every key and value, and written whole or not at all.

Keys are text, a key given twice is an error; anchors, aliases and merges (`<<`) work. What counts as a number
stands in `yaml_rules`.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .near_words import nearest
from .problems import DataPath, ModelError, Place, Problem, cut_short
from .text_file import LARGEST, read_bytes
from .yaml_nodes import DEEPEST_NESTING, MOST_VALUES, TOO_DEEP, NodeReader, Position, position
from .yaml_rules import dumper, loader


@dataclass
class Source:
    """What was read: the data, and the position (line, column) of the value and of the key at each path."""

    data: dict[str, Any]
    places: dict[DataPath, Position] = field(default_factory=dict)
    key_places: dict[DataPath, Position] = field(default_factory=dict)
    file: str = ""

    def place(self, path: DataPath, *, of_key: bool = False) -> Place | None:
        """The place of the value at `path`, or of its key; what is not in the file is placed at the entry around it."""
        found = (self.key_places if of_key else self.places).get(path) or self.places.get(path)
        around = path
        while found is None and around:
            around = around[:-1]
            found = self.key_places.get(around) or self.places.get(around)
        if found is None:
            return Place(self.file) if self.file else None
        return Place(self.file, *found)

    def problem(self, path: DataPath, message: str, *, of_key: bool = False) -> Problem:
        """A problem at `path`, with its place in the file."""
        return Problem(self.place(path, of_key=of_key), path, message)


def read_yaml(path: str | Path) -> Source:
    """Read a model file. Raises ModelError with the line of what is wrong."""
    path = Path(path)
    return parse_yaml(_read_text(path), str(path))


def parse_yaml(text: str, file: str = "") -> Source:
    """Read YAML text; `file` is the name that errors show. Raises ModelError."""
    node = _compose(text, file)
    if node is None:
        message = "the file is empty; a model starts with lines such as 'name: My model' and 'bodies:'"
        raise ModelError.at(file, 0, 0, message)
    if node.id != "mapping":
        found = {"sequence": "a list", "scalar": "a single value"}[node.id]
        message = f"the top level is {found}; a model is made of entries such as 'bodies:' and 'joints:'"
        raise ModelError.at(file, *position(node), message)
    reader = NodeReader(file)
    return Source(reader.read(node), reader.places, reader.key_places, file)


def _read_text(path: Path) -> str:
    file = str(path)
    try:
        content = read_bytes(path, LARGEST)
    except FileNotFoundError:
        raise ModelError.at(file, 0, 0, f"no such file{_near_file(path)}") from None
    except IsADirectoryError:
        raise ModelError.at(file, 0, 0, "is a folder; give the model file in it") from None
    except OSError as error:
        raise ModelError.at(file, 0, 0, f"cannot be read: {error.strerror}") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ModelError.at(
            file, line, 0, "not a text file in UTF-8; a model file is YAML, so save it as that"
        ) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise ModelError.at(file, line, 0, "not a text file, for it holds a zero byte; remove it")
    return text


def _near_file(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"; the folder '{folder}' does not exist"
    near = nearest(path.name, sorted(p.name for p in folder.iterdir() if p.is_file()))
    if near:
        return f"; did you mean '{near}'?"
    models = sorted(p.name for p in folder.iterdir() if p.suffix in (".yaml", ".yml"))[:10]
    return f"; model files here: {', '.join(models)}" if models else "; there is no .yaml file in that folder"


def _compose(text: str, file: str):
    """The tree of YAML nodes, or None for an empty document."""
    import yaml

    try:
        _check_size(text, file)
        return yaml.compose(text, Loader=loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise ModelError.at(file, line, column, _explanation(error, text, line)) from None
    except yaml.YAMLError as error:
        found = text.find(chr(error.character)) if isinstance(error, yaml.reader.ReaderError) else 0
        line, why = 1 + text.count("\n", 0, found), str(error).splitlines()[0]
        raise ModelError.at(file, line, 0, f"not YAML: {why}; remove it") from None


def _check_size(text: str, file: str) -> None:
    """Refuse nesting that would exhaust the stack of a recursive reader, and values that would fill the memory."""
    import yaml

    depth = values = 0
    for event in yaml.parse(text, Loader=loader()):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        values += isinstance(event, yaml.NodeEvent)
        too_many = values > 2 * MOST_VALUES  # for keys are among them
        if depth > DEEPEST_NESTING or too_many:
            message = f"more than {MOST_VALUES} values; split the model" if too_many else TOO_DEEP
            raise ModelError.at(file, *position(event), message)


def _explanation(error, text: str, line: int) -> str:
    """What a syntax error most likely means, and what to do."""
    lines = text.splitlines()
    words = lines[line - 1] if 0 < line <= len(lines) else ""
    problem = str(error.problem)
    if "\t" in words[: len(words) - len(words.lstrip())] or "'\\t'" in problem:
        return "a tab stands where blanks are wanted; YAML is indented with spaces only"
    if "undefined alias" in problem:
        return f"not YAML: {problem}; text that starts with '*' must be in quotes"
    if "expected a single document" in str(error):
        return "a second document starts here ('---'); a model file holds one"
    if "mapping values are not allowed" in problem:
        return (
            f"not YAML: a second ':' in '{cut_short(words.strip())}'; check the indentation, or put the text in quotes"
        )
    start = error.context_mark
    since = f" ({error.context}, line {start.line + 1})" if error.context and start else ""
    near = f"; near '{cut_short(words.strip())}'" if words.strip() else "; something is not closed"
    return f"not YAML: {problem}{since}{near}"


def yaml_text(data: dict[str, Any]) -> str:
    """Plain data as YAML that `parse_yaml` reads back equal, in the order given."""
    import yaml

    return yaml.dump(data, Dumper=dumper(), sort_keys=False, allow_unicode=True, default_flow_style=None, width=118)


def write_yaml(data: dict[str, Any], path: str | Path) -> None:
    """Write a file whole or not at all."""
    text = yaml_text(data)
    with replacing(Path(path)) as temporary:
        temporary.write_text(text, encoding="utf-8")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place if the block succeeds, and vanishes if it does not. Raises
    OSError, also for a name that is no file."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "that name is a folder, device or pipe, not a file", str(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
