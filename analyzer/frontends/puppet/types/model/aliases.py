"""Aliases, which may name themselves, and references to types that are not known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar

from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.wrappers import VariantType, union
from analyzer.frontends.puppet.types.problems import TypeProblem

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class TypeReferenceType(Type):
    """`TypeReference['text']`: a type that is not defined."""

    type_string: str = "UnresolvedReference"

    simple_name: ClassVar[str] = "TypeReference"


class TypeAliasType(Type):
    """A named type; `resolve` sets its target, in which it may occur itself.

    `missing` is the reason why nothing is known of it but its name; it then accepts anything.
    """

    __slots__ = ("_active", "alias_name", "missing", "recursive", "target")

    simple_name: ClassVar[str] = "TypeAlias"

    def __init__(self, name: str) -> None:
        self.alias_name = name
        self.target: Type | None = None
        self.recursive = False
        self.missing = ""
        self._active: set[int] = set()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeAliasType) and self.alias_name == other.alias_name

    def __hash__(self) -> int:
        return hash(self.alias_name)

    @property
    def name(self) -> str:
        return self.alias_name

    @property
    def resolved(self) -> Type:
        """Return the type it stands for.

        Raises:
            TypeProblem: it stands for none yet.
        """
        if self.target is None:
            raise TypeProblem(f"Reference to unresolved type {self.alias_name}")
        return self.target

    def begin(self) -> TypeAliasType:
        """Point it to an undefined type until `resolve` sets its target."""
        self.target = TypeReferenceType()
        self.recursive = True
        return self

    def give_up(self) -> None:
        """Remove its target."""
        self.target = None
        self.recursive = False

    def stand_for(self, target: Type) -> TypeAliasType:
        """Set the target as it is, unchecked."""
        self.target = target
        self.recursive = any(self is each for each in reached(target))
        return self

    def resolve(self, target: Type) -> TypeAliasType:
        """Set the target, a type in its shortest form.

        Raises:
            TypeProblem: it would stand for nothing but itself.
        """
        self.target = target
        if not is_real(self):
            self.give_up()
            raise TypeProblem(f"Type alias '{self.alias_name}' cannot be resolved to a real type")
        self._look_for_itself()
        if self.recursive:
            # The aliases that it is made of were resolved while it had no target.
            for each in set(reached(self.target)):
                if isinstance(each, TypeAliasType) and not each.recursive:
                    each._look_for_itself()
        return self

    def _look_for_itself(self) -> None:
        """Note whether it is made of itself."""
        if self.target is None or isinstance(self.target, TypeReferenceType):
            return
        self.recursive = any(self is each for each in reached(self.target))
        if self.recursive and isinstance(self.target, VariantType):
            self._without_self(self.target)

    def _without_self(self, found: VariantType) -> None:
        """Return a choice between itself and others is one between the others."""
        real = [each for each in found.types if each != self and is_real(each)]
        if len(real) != len(found.types):
            self.target = union(real)
            self.recursive = any(self is each for each in reached(self.target))

    def once(self, value: object, ask: Callable[[Type], Answer]) -> Answer | Literal[False]:
        """Ask the type it stands for about a value; return False while that is being asked."""
        key = id(value)
        if key in self._active:
            return False
        self._active.add(key)
        try:
            return ask(self.resolved)
        finally:
            self._active.discard(key)

    def parts(self) -> Iterator[Type]:
        if self.target is not None:
            yield self.target


def opaque_alias(name: str, reason: str) -> TypeAliasType:
    """Return an alias that accepts anything, because nobody knows its meaning."""
    made = TypeAliasType(name).stand_for(ANY)
    made.missing = reason
    return made


def why_opaque(found: Type) -> str:
    """Return why part of a type is not known, empty if all of it is."""
    parts = (x for x in reached(found) if isinstance(x, TypeAliasType))
    return next((f"{one.name} {one.missing}" for one in parts if one.missing), "")


def reached(found: Type) -> Iterator[Type]:
    """Return a type and all it is made of; each alias is entered once."""
    entered: set[int] = set()
    pending = [found]
    while pending:
        each = pending.pop()
        yield each
        if isinstance(each, TypeAliasType):
            if id(each) in entered:
                continue
            entered.add(id(each))
        pending += each.parts()


def is_real(found: Type) -> bool:
    """Return whether a type is made of anything but aliases and choices."""
    return any(not isinstance(each, TypeAliasType | VariantType) for each in reached(found))


def resolved(found: Type) -> Type:
    """Return the type that an alias finally stands for; any other type itself."""
    while isinstance(found, TypeAliasType):
        found = found.resolved
    return found


def unresolved(found: Type) -> str | None:
    """Return the text of the first undefined type in a type."""
    references = (x for x in reached(found) if isinstance(x, TypeReferenceType))
    first = next(references, None)
    return None if first is None else first.type_string


class Guard:
    """Ends the comparison of recursive aliases (Puppet's RecursionGuard).

    A side recurs once it comes back to an alias that it began with.
    """

    __slots__ = ("that", "that_recurs", "this", "this_recurs")

    def __init__(self) -> None:
        self.this: set[int] = set()
        self.that: set[int] = set()
        self.this_recurs = False
        self.that_recurs = False

    def add_that(self, found: object) -> bool:
        """Note the right side and return whether both sides recur."""
        self.that_recurs = self.that_recurs or id(found) in self.that
        self.that.add(id(found))
        return self.this_recurs and self.that_recurs

    def add_this(self, found: object) -> bool:
        """Note the left side and return whether it recurs; if not, `remove_this` ends it."""
        self.this_recurs = self.this_recurs or id(found) in self.this
        if not self.this_recurs:
            self.this.add(id(found))
        return self.this_recurs

    def remove_this(self, found: object) -> None:
        """Forget the left side."""
        self.this_recurs = False
        self.this.discard(id(found))
