"""Pydantic's findings told in the user's words: place, thing and remedy, all of a file in one pass."""

import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from .near_words import advice, listing, nearest
from .problems import DataPath, ModelError, Problem
from .quantities import Quantity
from .source import Source
from .vectors import VectorOf

M = TypeVar("M", bound=BaseModel)


def validated(model: type[M], data: Any, path: DataPath = (), source: Source | None = None) -> M:
    """`data`, which stands at `path` of the source, as a `model`. Raises ModelError with every problem in it."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ModelError(problems_of(error, model, data, path, source)) from None


def problems_of(
    error: ValidationError, annotation: Any, data: Any, path: DataPath = (), source: Source | None = None
) -> list[Problem]:
    """The problems behind a ValidationError of `data` checked against a model (or any type); `data` is at `path`."""
    findings = [_Finding(details, annotation, data) for details in error.errors(include_url=False)]
    meant = {(*f.parent, f.suggestion) for f in findings if f.kind == "extra_forbidden"}
    problems = []
    for finding in findings:
        if finding.kind == "missing" and (*finding.parent, finding.name) in meant:
            continue  # the misspelt field says it already
        where = (*path, *(finding.parent if finding.kind == "missing" else finding.at))
        of_key = finding.kind in ("missing", "extra_forbidden", "invalid_key")
        place = source.place(where, of_key=of_key) if source else None
        problem = Problem(place, where, finding.message())
        if problem not in problems:
            problems.append(problem)
    return problems


class _Finding:
    """One entry of pydantic's list: where it is in the data as written, and what to say."""

    def __init__(self, details: Mapping[str, Any], annotation: Any, data: Any):
        self.details = details
        self.kind: str = details["type"]
        self.input = details.get("input")
        self.context: dict[str, Any] = details.get("ctx", {})
        loc = tuple(step for step in details["loc"] if step != "[key]")
        self.at = path_in_data(loc, data, keep_last=self.kind == "missing")
        if self.kind == "union_tag_invalid" and isinstance(self.input, Mapping):
            self.at = (*self.at, *(k for k in [self.context["discriminator"].strip("'")] if k in self.input))
        self.parent, self.name = self.at[:-1], self.at[-1] if self.at else ""
        self.annotation = annotation
        self.loc = loc
        self.suggestion = nearest(str(self.name), self.siblings) if self.kind == "extra_forbidden" else None

    @property
    def siblings(self) -> list[str]:
        """The fields allowed where this one stands."""
        models = models_at(self.annotation, self.loc[:-1])
        return list(dict.fromkeys(field for model in models for field in field_names(model)))

    def message(self) -> str:
        say = getattr(self, f"say_{self.kind}", None)
        if say is not None:
            return say()
        if self.kind in PLAIN_WORDS:
            return PLAIN_WORDS[self.kind].format(**self.context) + f", not {shown(self.input)}"
        reason = self.details["msg"]
        return f"{reason[0].lower()}{reason[1:]} (written: {shown(self.input)})"

    def say_extra_forbidden(self) -> str:
        return f"unknown field{advice(str(self.name), self.siblings, 'fields here:')}"

    def say_missing(self) -> str:
        if isinstance(self.name, int):
            return f"entry {self.name + 1} of the list is missing; add it"
        for model in models_at(self.annotation, self.loc[:-1]):
            if example := example_of(model, str(self.name)):
                return f"needs '{self.name}' (for example {example})"
        return f"needs '{self.name}'"

    def say_value_error(self) -> str:
        return str(self.context["error"])

    say_assertion_error = say_value_error

    def say_union_tag_invalid(self) -> str:
        expected = [tag.strip("'") for tag in self.context["expected_tags"].split(", ")]
        discriminator = self.context["discriminator"].strip("'")
        return f"unknown {discriminator} '{self.context['tag']}'{advice(str(self.context['tag']), expected)}"

    def say_union_tag_not_found(self) -> str:
        kinds = [tag for model in models_at(self.annotation, self.loc) for tag in literal_kinds(model)]
        choices = f"; choose among {listing(kinds)}" if kinds else ""
        return f"needs {self.context['discriminator']}{choices}"

    def say_literal_error(self) -> str:
        expected = self.context["expected"].replace(" or ", ", ").replace("'", "").split(", ")
        noun = f"unknown {self.name}" if isinstance(self.name, str) else "unknown choice"
        return f"{noun} {shown(self.input)}{advice(str(self.input), expected)}"

    say_enum = say_literal_error


PLAIN_WORDS = {
    "string_type": "text is wanted here (in quotes if it looks like a number)",
    "bool_type": "true or false is wanted here",
    "bool_parsing": "true or false is wanted here",
    "int_type": "a whole number is wanted here",
    "int_parsing": "a whole number is wanted here",
    "int_from_float": "a whole number is wanted here",
    "float_type": "a number is wanted here",
    "float_parsing": "a number is wanted here",
    "list_type": "a list such as [a, b] is wanted here",
    "tuple_type": "a list such as [a, b] is wanted here",
    "dict_type": "entries such as {{name: value}} are wanted here",
    "model_type": "entries such as {{name: value}} are wanted here",
    "model_attributes_type": "entries such as {{name: value}} are wanted here",
    "too_short": "at least {min_length} items are wanted here",
    "too_long": "at most {max_length} items are wanted here",
    "greater_than": "must be above {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be below {lt}",
    "less_than_equal": "must be at most {le}",
}


def shown(value: Any) -> str:
    """A value as the user wrote it, cut short."""
    words = {None: "nothing", True: "true", False: "false"}
    text = words[value] if value is None or isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def path_in_data(loc: Sequence[str | int], data: Any, *, keep_last: bool = False) -> DataPath:
    """Pydantic's location without the names of types that it adds for unions; a missing field's name is kept."""
    path: list[str | int] = []
    for i, step in enumerate(loc):
        if holds(data, step):
            data = data[step]
        elif not (keep_last and i == len(loc) - 1):
            continue
        path.append(step)
    return tuple(path)


def holds(data: Any, step: str | int) -> bool:
    """Whether `data[step]` exists."""
    if isinstance(data, Mapping):
        return step in data
    return isinstance(data, (list, tuple)) and isinstance(step, int) and step < len(data)


def field_names(model: type[BaseModel]) -> list[str]:
    """The fields a user may write: a field kept out of files (`exclude=True`) is not among them."""
    return [field.alias or name for name, field in model.model_fields.items() if not field.exclude]


def models_at(annotation: Any, loc: Sequence[str | int]) -> list[type[BaseModel]]:
    """The models that may stand at a pydantic location inside a type."""
    found = list(members(annotation))
    for step in loc:
        deeper = [inner for member in found for inner in inside(member, step)]
        tagged = [member for member in found if is_model(member) and step in tags(member)]
        found = tagged or deeper or found  # the name of a tag or type selects; any other leads deeper
    return [member for member in found if is_model(member)]


def members(annotation: Any) -> Iterator[Any]:
    """The alternatives of a type: unions opened, annotations taken off."""
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        yield from members(typing.get_args(annotation)[0])
    elif origin in (typing.Union, types.UnionType):
        for member in typing.get_args(annotation):
            yield from members(member)
    else:
        yield annotation


def inside(member: Any, step: str | int) -> Iterator[Any]:
    """The types one step inside a model or a container."""
    if is_model(member):
        for name, field in member.model_fields.items():
            if step in (name, field.alias):
                yield from members(field.annotation)
    elif typing.get_origin(member) in (dict, list, tuple, Mapping, Sequence):
        for argument in typing.get_args(member)[-1:] if typing.get_origin(member) is dict else typing.get_args(member):
            yield from members(argument)


def is_model(member: Any) -> bool:
    """Whether a type is a pydantic model."""
    return isinstance(member, type) and issubclass(member, BaseModel)


def tags(model: type[BaseModel]) -> set[Any]:
    """The names by which pydantic's locations tell a model of a union: its class, and its literal `kind`."""
    return {model.__name__, *literal_kinds(model)}


def literal_kinds(model: type[BaseModel]) -> tuple[str, ...]:
    """What a user writes as `kind:` for this model."""
    kind = model.model_fields.get("kind")
    return typing.get_args(kind.annotation) if kind and typing.get_origin(kind.annotation) is typing.Literal else ()


def example_of(model: type[BaseModel], name: str) -> str | None:
    """How a field is written: from its own examples, or from the dimension of its type."""
    field = model.model_fields.get(name)
    if field is None:
        return None
    if field.examples:
        return str(field.examples[0])
    for rule in field.metadata:
        if isinstance(rule, Quantity):
            return rule.dimension.example
        if isinstance(rule, VectorOf):
            return f"[{rule.dimension.example}, 0, 0]"
    whole_type: Any = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    examples = TypeAdapter(whole_type).json_schema().get("examples")
    return str(examples[0]) if examples else None
