"""Object, TypeSet and Init, and the values of Object types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from analyzer.frontends.puppet.types.model.aliases import resolved
from analyzer.frontends.puppet.types.model.base import ContainingType, Printed, Type
from analyzer.frontends.puppet.types.model.collections import TupleType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.values import Value

# An attribute without a value of its own.
MISSING = object()


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of an Object: MISSING stands for no value."""

    name: str
    type: Type
    value: Any = MISSING
    kind: str | None = None

    @property
    def required(self) -> bool:
        """Return whether `new` must be given it."""
        return self.value is MISSING and self.kind not in ("given_or_derived", "derived")


@dataclass(frozen=True, slots=True, eq=False)
class ObjectType(Type):
    """`Object[{name, parent, attributes, ...}]`, usually known by its name."""

    object_name: str | None = None
    parent: Type | None = None
    attributes: tuple[Attribute, ...] = ()
    functions: tuple[tuple[str, Type], ...] = ()
    init_hash: dict[str, Any] = field(default_factory=dict, repr=False)

    simple_name: ClassVar[str] = "Object"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ObjectType):
            return False
        if self.object_name or other.object_name:
            return self.object_name == other.object_name
        return self.attributes == other.attributes and self.parent == other.parent

    def __hash__(self) -> int:
        return hash((self.object_name, self.attributes))

    @property
    def name(self) -> str:
        return self.object_name or self.simple_name

    def ancestors(self) -> Iterator[Type]:
        """Return the type and those it inherits from, itself first."""
        found: Type | None = self
        while found is not None:
            yield found
            found = resolved(found)
            found = found.parent if isinstance(found, ObjectType) else None

    def all_attributes(self) -> dict[str, Attribute]:
        """Return own and inherited attributes, those of the oldest parent first."""
        result: dict[str, Attribute] = {}
        for each in reversed(list(self.ancestors())):
            if isinstance(each, ObjectType):
                result |= {found.name: found for found in each.attributes}
        return result


@dataclass(frozen=True, slots=True, eq=False)
class ObjectValue(Printed):
    """An instance of an Object type."""

    type: ObjectType
    attributes: dict[str, Any]

    def __eq__(self, other: object) -> bool:
        """Return whether the type and what its `equality` names are the same."""
        if not isinstance(other, ObjectValue) or self.type != other.type:
            return False
        names = self.type.init_hash.get("equality", list(self.attributes))
        names = names if isinstance(names, list) else [names]
        return all(self.attributes.get(name) == other.attributes.get(name) for name in names)

    def __hash__(self) -> int:
        return hash(self.type)

    def member(self, name: str, arguments: list[object], block: object = None) -> Value:
        """Return the value of an attribute, MISSING if the type has none of that name.

        Raises:
            TypeProblem: it is only declared, or something is passed to it.
        """
        name = "msg" if (self.type.object_name, name) == ("Error", "message") else name
        found = self.type.all_attributes().get(name)
        label = f"{self.type.name}[{name}]"
        if found is None:
            if any(name == function for function, _ in self.type.functions):
                raise TypeProblem(f"no method is implemented for function {label}")
            return MISSING
        if arguments:
            problem = f"'attribute {label}' expects no arguments, got {len(arguments)}"
            raise TypeProblem(problem)
        if found.kind == "derived":
            raise TypeProblem(f"no method is implemented for derived attribute {label}")
        return found.value if found.kind == "constant" else self.attributes[name]


@dataclass(frozen=True, slots=True, eq=False)
class TypeSetType(Type):
    """`TypeSet[{...}]`: types under a common name."""

    set_name: str | None = None
    types: dict[str, Type] = field(default_factory=dict)

    simple_name: ClassVar[str] = "TypeSet"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeSetType) and self.set_name == other.set_name

    def __hash__(self) -> int:
        return hash(self.set_name)


@dataclass(frozen=True, slots=True, eq=False)
class InitType(ContainingType):
    """`Init[type, arguments]`: the type of the values that `type.new` accepts."""

    arguments: tuple[Any, ...] = ()

    simple_name: ClassVar[str] = "Init"
    # Returns the types of a single value and of lists of arguments; `types` sets it.
    signatures: ClassVar[Callable[[InitType], tuple[Type, list[TupleType]]]]

    def accepted(self) -> tuple[Type, list[TupleType]]:
        """Return the types of a single value and of lists of arguments that `new` accepts."""
        return InitType.signatures(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InitType):
            return False
        return self.type == other.type and self.arguments == other.arguments

    def __hash__(self) -> int:
        return hash(self.type)

    def around(self, other: Type | None) -> InitType:
        return InitType(other, self.arguments)


OBJECT = ObjectType()
TYPE_SET = TypeSetType()
INIT = InitType()


def optional_attribute(name: str, found: Type) -> Attribute:
    """Return an attribute that may be missing."""
    return Attribute(name, OptionalType(found), None)
