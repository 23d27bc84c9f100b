"""Which plain words of a YAML file are numbers, true, false or nothing; all others are text.

Differences from PyYAML: `1e-3` is a number; `yes`, `no`, `on`, `off`, dates, `0x1F` and `1:30` stay text.
PyYAML is imported when first needed.
"""

import re
from functools import cache
from typing import Any

TAG = "tag:yaml.org,2002:"
PATTERNS = {  # tag: what a plain word of it looks like, and the characters it can start with ("" for the empty word)
    "bool": (re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")),
    "null": (re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
    "int": (re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789")),
    "float": (
        re.compile(
            r"^(?:[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
            r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$"
        ),
        list("-+.0123456789"),
    ),
    "merge": (re.compile(r"^<<$"), ["<"]),
}


@cache
def loader() -> type:
    """A PyYAML loader of these rules."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml where it is there: ten times as fast

    class Loader(base):
        yaml_implicit_resolvers: dict = {}  # noqa: RUF012, PyYAML's own way of holding them

    for tag, (pattern, first) in PATTERNS.items():
        Loader.add_implicit_resolver(TAG + tag, pattern, first)
    return Loader


@cache
def dumper() -> type:
    """A PyYAML dumper that quotes whatever these rules or PyYAML's own would take for something but text."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data):
            return True

        def represent(self, data):
            top = self.represent_data(data)
            top.flow_style = False  # a line per entry at the top, however short
            self.serialize(top)

    for tag, (pattern, first) in PATTERNS.items():
        Dumper.add_implicit_resolver(TAG + tag, pattern, first)
    Dumper.add_representer(tuple, lambda dumper, data: dumper.represent_list(data))
    return Dumper
