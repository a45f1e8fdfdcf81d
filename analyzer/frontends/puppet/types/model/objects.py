"""Object, TypeSet and Init, and the values of Object types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, resolved
from analyzer.frontends.puppet.types.model.base import ContainingType, Printed, Type
from analyzer.frontends.puppet.types.model.collections import TupleType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.values import Value

Answer = TypeVar("Answer")
# An attribute without a value of its own.
MISSING = object()


@dataclass(frozen=True, slots=True)
class Member:
    """An attribute, a function or a type parameter of an Object: MISSING stands for no value."""

    name: str
    type: Type
    value: Any = MISSING
    kind: str | None = None
    final: bool = False
    override: bool = False
    annotations: Any = field(default=None, compare=False)
    feature: str = "attribute"

    @property
    def is_given(self) -> bool:
        """Return whether `new` takes it."""
        return self.feature == "attribute" and self.kind not in ("constant", "derived")

    def label(self, owner: str) -> str:
        """Return the name for messages: `attribute Owner[name]`."""
        return f"{self.feature} {owner}[{self.name}]"


@dataclass(frozen=True, slots=True, eq=False)
class ObjectType(Type):
    """`Object[{name, parent, attributes, ...}]`, usually known by its name."""

    object_name: str | None = None
    parent: Type | None = None
    attributes: tuple[Member, ...] = ()
    functions: tuple[Member, ...] = ()
    type_parameters: tuple[Member, ...] = ()
    equality: tuple[str, ...] | None = None
    equality_includes_type: bool = True
    checks: Any = None
    annotations: Any = None

    simple_name: ClassVar[str] = "Object"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ObjectType):
            return False
        if self.object_name or other.object_name:
            return self.object_name == other.object_name
        return (
            self.parent == other.parent
            and self.type_parameters == other.type_parameters
            and self.attributes == other.attributes
            and self.functions == other.functions
            and self.equality == other.equality
            and bool(self.checks == other.checks)
        )

    def __hash__(self) -> int:
        return hash((self.object_name, tuple(each.name for each in self.attributes)))

    @property
    def name(self) -> str:
        return self.object_name or self.simple_name

    def ancestors(self) -> Iterator[Type]:
        """Return the type and those it inherits from, itself first."""
        found: Type | None = self
        while found is not None:
            yield found
            parent = found.parent if isinstance(found, ObjectType) else None
            found = None if parent is None else resolved(parent)

    def lineage(self) -> list[ObjectType]:
        """Return the Objects among the ancestors, the oldest first."""
        return [each for each in self.ancestors() if isinstance(each, ObjectType)][::-1]

    def all_attributes(self) -> dict[str, Member]:
        """Return own and inherited attributes, those of the oldest parent first."""
        return {each.name: each for owner in self.lineage() for each in owner.attributes}

    def all_type_parameters(self) -> dict[str, Member]:
        """Return own and inherited type parameters, those of the oldest parent first."""
        return {each.name: each for owner in self.lineage() for each in owner.type_parameters}

    def all_members(self) -> dict[str, tuple[ObjectType, Member]]:
        """Return own and inherited attributes and functions with the types that have them."""
        return {
            each.name: (owner, each)
            for owner in self.lineage()
            for each in (*owner.attributes, *owner.functions)
        }

    def equality_names(self) -> dict[str, ObjectType]:
        """Return the attributes that make two objects equal, with the types that say so."""
        return {
            name: owner
            for owner in self.lineage()
            for name in (
                owner.equality
                if owner.equality is not None
                else [each.name for each in owner.attributes if each.kind != "constant"]
            )
        }

    def inherits_from(self, name: str) -> bool:
        """Return whether a type of a name is among the parents; it may not be resolved yet."""
        parent = self.parent
        while parent is not None:
            if name == parent.name:
                return True
            if isinstance(parent, TypeAliasType):
                parent = parent.target
            else:
                parent = parent.parent if isinstance(parent, ObjectType) else None
        return False


@dataclass(frozen=True, slots=True)
class ParameterizedObject(Type):
    """`Name[parameters]`: the objects of a type whose attributes match (PObjectTypeExtension)."""

    base: ObjectType
    parameters: tuple[tuple[str, Any], ...]

    simple_name: ClassVar[str] = "ObjectTypeExtension"

    def __hash__(self) -> int:
        return hash(self.base)

    @property
    def name(self) -> str:
        return self.base.name

    @property
    def positional(self) -> list[Any] | None:
        """Return the parameters by position, MISSING for gaps; None where they go by name."""
        names = list(self.base.all_type_parameters())
        if len(names) > 2:
            return None
        given = dict(self.parameters)
        last = max(index for index, name in enumerate(names) if name in given)
        return [given.get(name, MISSING) for name in names[: last + 1]]


@dataclass(frozen=True, slots=True, eq=False)
class ObjectValue(Printed):
    """An instance of an Object type."""

    type: ObjectType
    attributes: dict[str, Any]
    # What `annotate` has added, by the names of the types.
    annotations: dict[str, ObjectValue] = field(default_factory=dict, kw_only=True)

    def __eq__(self, other: object) -> bool:
        """Return whether the type and what its `equality` names are the same."""
        if not isinstance(other, ObjectValue):
            return False
        whole = any(each.equality_includes_type for each in self.type.lineage())
        if whole and self.type != other.type:
            return False
        return all(
            name in other.attributes and self.attributes[name] == other.attributes[name]
            for name in self.type.equality_names()
            if name in self.attributes
        )

    def __hash__(self) -> int:
        return hash(self.type)

    def member(self, name: str, arguments: list[object], block: object = None) -> Value:
        """Return the value of an attribute, MISSING if the type has none of that name.

        Raises:
            TypeProblem: it is only declared, or something is passed to it.
        """
        name = "msg" if (self.type.object_name, name) == ("Error", "message") else name
        _, found = self.type.all_members().get(name, (None, None))
        if found is None:
            return MISSING
        label = found.label(self.type.name)
        if found.feature == "function":
            raise TypeProblem(f"no method is implemented for {label}")
        if arguments:
            problem = f"'{label}' expects no arguments, got {len(arguments)}"
            raise TypeProblem(problem)
        if found.kind == "derived":
            raise TypeProblem(f"no method is implemented for derived {label}")
        return found.value if found.kind == "constant" else self.attributes[name]

    def visible_type(self) -> Type:
        """Return the type as `type` has it: with parameters where the type takes some."""
        names = self.type.all_type_parameters()
        if not names:
            return self.type
        values = {name: self.attributes.get(name) for name in names}
        return ParameterizedObject(self.type, tuple(values.items()))


@dataclass(frozen=True, slots=True, eq=False)
class TypeSetType(Type):
    """`TypeSet[{...}]`: types under a common name."""

    set_name: str | None = None
    # What describes it but for its types: `pcore_version`, `name`, ...
    description: tuple[tuple[str, str], ...] = ()
    types: dict[str, Type] = field(default_factory=dict)

    simple_name: ClassVar[str] = "TypeSet"

    @property
    def name(self) -> str:
        return self.set_name or self.simple_name

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TypeSetType):
            return False
        return (self.set_name, self.description) == (other.set_name, other.description)

    def __hash__(self) -> int:
        return hash(self.set_name)


@dataclass(frozen=True, slots=True, eq=False)
class InitType(ContainingType):
    """`Init[type, arguments]`: the type of the values that `type.new` accepts."""

    arguments: tuple[Any, ...] = ()

    simple_name: ClassVar[str] = "Init"
    # Returns the types of a single value and of lists of arguments; `types` sets it.
    signatures: ClassVar[Callable[[InitType], tuple[Type, list[TupleType]]]]

    # The Inits that are being asked about something: they may be made of themselves.
    active: ClassVar[set[tuple[InitType, int]]] = set()

    def accepted(self) -> tuple[Type, list[TupleType]]:
        """Return the types of a single value and of lists of arguments that `new` accepts."""
        nothing: tuple[Type, list[TupleType]] = (self.type or OBJECT, [])
        return self.once(None, lambda: InitType.signatures(self), nothing)

    def once(self, about: object, ask: Callable[[], Answer], again: Answer) -> Answer:
        """Return the answer about a value or type, `again` while the same is being asked."""
        key = (self, id(about))
        if key in InitType.active:
            return again
        InitType.active.add(key)
        try:
            return ask()
        finally:
            InitType.active.discard(key)

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


def optional_attribute(name: str, found: Type) -> Member:
    """Return an attribute that may be missing."""
    return Member(name, OptionalType(found), None)
