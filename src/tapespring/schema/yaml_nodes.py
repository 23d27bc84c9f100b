"""YAML nodes turned into plain data, with the place of every key and value."""

import re
from typing import Any

from .problems import DataPath, ModelError
from .yaml_rules import TAG

DEEPEST_NESTING = 100
TOO_DEEP = f"nested more than {DEEPEST_NESTING} deep, which no model is; remove lists and aliases within each other"
MOST_VALUES = 2_000_000  # a few nested aliases can stand for billions

Position = tuple[int, int]  # line and column, from 1


def position(node) -> Position:
    """Line and column of a node, from 1."""
    return node.start_mark.line + 1, node.start_mark.column + 1


class NodeReader:
    """Reads one document; `places` and `key_places` hold the positions of values and keys by path."""

    def __init__(self, file: str):
        self.file = file
        self.places: dict[DataPath, Position] = {}
        self.key_places: dict[DataPath, Position] = {}
        self.open_nodes: set[int] = set()
        self.pairs_of: dict[int, dict[str, tuple[Any, Any]]] = {}  # of mappings that were read, by their nodes
        self.merged = 0

    def refusal(self, node, message: str) -> ModelError:
        return ModelError.at(self.file, *position(node), message)

    def read(self, node, path: DataPath = ()) -> Any:
        """The data of a node that stands at `path`. Raises ModelError."""
        self.places[path] = position(node)
        if len(self.places) > MOST_VALUES:
            raise self.refusal(node, f"aliases stand for more than {MOST_VALUES} values; use fewer of them")
        if len(path) > DEEPEST_NESTING:  # by aliases of aliases
            raise self.refusal(node, TOO_DEEP)
        if node.id == "scalar":
            return self.scalar(node)
        if id(node) in self.open_nodes:
            raise self.refusal(node, "an alias stands inside what it stands for; remove it")
        self.open_nodes.add(id(node))
        data = self.sequence(node, path) if node.id == "sequence" else self.mapping(node, path)
        self.open_nodes.discard(id(node))
        return data

    def scalar(self, node) -> Any:
        tag = node.tag.removeprefix(TAG)
        try:
            if tag in ("str", "merge"):
                return node.value
            if tag == "null":
                return None
            if tag == "bool":
                return node.value.lower() == "true"
            if tag == "int":
                return int(node.value)
            if tag == "float":
                return float(re.sub(r"^([-+]?)\.(inf|nan)$", r"\1\2", node.value, flags=re.IGNORECASE))
        except ValueError:
            raise self.refusal(node, f"'{node.value[:40]}' cannot be read as '!!{tag}'") from None
        raise self.refusal(node, f"the tag '{node.tag}' is not used in model files; remove it")

    def sequence(self, node, path: DataPath) -> list[Any]:
        self.check_tag(node, "seq")
        return [self.read(item, (*path, i)) for i, item in enumerate(node.value)]

    def mapping(self, node, path: DataPath) -> dict[str, Any]:
        data = {}
        for key, (key_node, value_node) in self.pairs(node, merging=()).items():
            self.key_places[(*path, key)] = position(key_node)
            data[key] = self.read(value_node, (*path, key))
        return data

    def pairs(self, node, merging: tuple[int, ...]) -> dict[str, tuple[Any, Any]]:
        """Key and value nodes by key, merges (`<<`) included: a mapping's own entries win, then the first merged."""
        self.check_tag(node, "map")
        if id(node) in self.pairs_of:
            return self.pairs_of[id(node)]
        if id(node) in merging:
            raise self.refusal(node, "'<<' merges a mapping into itself; remove it")
        if len(merging) > DEEPEST_NESTING:
            raise self.refusal(node, TOO_DEEP)
        own: dict[str, tuple[Any, Any]] = {}
        merged: dict[str, tuple[Any, Any]] = {}
        for key_node, value_node in node.value:
            if key_node.id != "scalar":
                raise self.refusal(key_node, "a key must be a single word, not a list or mapping")
            if key_node.tag == TAG + "merge":
                for source in self.merge_sources(value_node):
                    more = self.pairs(source, (*merging, id(node)))
                    self.merged += len(more)
                    if self.merged > MOST_VALUES:
                        raise self.refusal(key_node, f"merges bring more than {MOST_VALUES} entries; use fewer of them")
                    for key, pair in more.items():
                        merged.setdefault(key, pair)
                continue
            key = key_node.value
            if key in own:
                first, again = position(own[key][0])[0], position(key_node)[0]
                raise self.refusal(key_node, f"'{key}' is given twice, on line {first} and on line {again}; remove one")
            own[key] = (key_node, value_node)
        self.pairs_of[id(node)] = merged | own
        return self.pairs_of[id(node)]

    def merge_sources(self, node) -> list[Any]:
        sources = node.value if node.id == "sequence" else [node]
        for source in sources:
            if source.id != "mapping":
                raise self.refusal(source, "'<<' merges a mapping, for example '<<: *defaults'")
        return sources

    def check_tag(self, node, expected: str) -> None:
        if node.tag != TAG + expected:
            raise self.refusal(node, f"the tag '{node.tag}' is not used in model files; remove it")
