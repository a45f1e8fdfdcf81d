"""Aliases, which may name themselves, and references to types that are not known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from analyzer.frontends.puppet.types.model.base import Guard, Recursion, Type
from analyzer.frontends.puppet.types.model.wrappers import VariantType, union
from analyzer.frontends.puppet.types.problems import TypeProblem

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class TypeReferenceType(Type):
    """`TypeReference['text']`: a type nobody has found."""

    type_string: str = "UnresolvedReference"

    simple_name: ClassVar[str] = "TypeReference"

    def instance(self, value: Any) -> bool:
        return False

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return self == other


class TypeAliasType(Type):
    """A named type; `resolve` gives it its meaning, in which it may occur itself."""

    __slots__ = ("_active", "alias_name", "recursive", "target")

    simple_name: ClassVar[str] = "TypeAlias"

    def __init__(self, name: str) -> None:
        self.alias_name = name
        self.target: Type | None = None
        self.recursive = False
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
        """The type it stands for.

        Raises:
            TypeProblem: it stands for none yet.
        """
        if self.target is None:
            raise TypeProblem(f"Reference to unresolved type {self.alias_name}")
        return self.target

    def begin(self) -> TypeAliasType:
        """Have it stand for a type that nobody knows, while it is found out what it means."""
        self.target = TypeReferenceType()
        self.recursive = True
        return self

    def give_up(self) -> None:
        """Have it mean nothing."""
        self.target = None
        self.recursive = False

    def stand_for(self, target: Type) -> TypeAliasType:
        """Give the alias its meaning as it is, unchecked."""
        self.target = target
        self.recursive = any(self is each for each in reached(target))
        return self

    def resolve(self, target: Type) -> TypeAliasType:
        """Give the alias its meaning.

        Raises:
            TypeProblem: it would mean nothing but itself.
        """
        self.target = target.normalize()
        if not is_real(self):
            self.give_up()
            raise TypeProblem(f"Type alias '{self.alias_name}' cannot be resolved to a real type")
        self._look_for_itself()
        if self.recursive:
            # Those that it is made of were found while nobody knew what it means.
            for each in set(reached(self.target)):
                if isinstance(each, TypeAliasType) and not each.recursive:
                    each._look_for_itself()
        return self

    def _look_for_itself(self) -> None:
        """Find out whether it is made of itself."""
        if self.target is None or isinstance(self.target, TypeReferenceType):
            return
        self.recursive = any(self is each for each in reached(self.target))
        if self.recursive and isinstance(self.target, VariantType):
            self._without_self(self.target)

    def _without_self(self, found: VariantType) -> None:
        """A choice between itself and others is one between the others."""
        real = [each for each in found.types if each != self and is_real(each)]
        if len(real) != len(found.types):
            self.target = union(real)
            self.recursive = any(self is each for each in reached(self.target))

    def instance(self, value: Any) -> bool:
        if not self.recursive:
            return self.resolved.instance(value)
        return self.once(value, lambda target: target.instance(value))

    def once(self, value: Any, ask: Callable[[Type], Answer]) -> Answer | Literal[False]:
        """Ask what it stands for about a value; the answer is no while that is being asked."""
        key = id(value)
        if key in self._active:
            return False
        self._active.add(key)
        try:
            return ask(self.resolved)
        finally:
            self._active.discard(key)

    def assignable(self, other: Type, guard: Guard | None = None) -> bool:
        if not self.recursive:
            return other.fits(self, guard)
        guard = guard or Guard()

        def then(state: Recursion) -> bool:
            return state == Recursion.BOTH or other.fits(self, guard)

        return guard.with_this(self, then)

    def fits(self, target: Type, guard: Guard | None) -> bool:
        if not self.recursive:
            return target.assignable(self.resolved, guard)
        guard = guard or Guard()
        if guard.add_that(self) == Recursion.BOTH:
            return True
        return target.assignable(self.resolved, guard)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return self.resolved.assignable(other, guard)

    def parts(self) -> Iterator[Type]:
        if self.target is not None:
            yield self.target

    # An alias stays what it is: only what it means could be changed.
    def generalize(self) -> Type:
        return self

    def normalize(self) -> Type:
        return self

    def callable_kind(self, optional: bool = True) -> bool:
        return not self.recursive and self.resolved.callable_kind(optional)

    def iterable(self) -> bool:
        return self.resolved.iterable()

    def iterated(self) -> Type | None:
        return self.resolved.iterated()


def reached(found: Type) -> Iterator[Type]:
    """A type and all it is made of; each alias is entered once."""
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
    """Whether a type is made of anything but aliases and choices."""
    return any(not isinstance(each, TypeAliasType | VariantType) for each in reached(found))


def resolved(found: Type) -> Type:
    """What an alias stands for, in the end; any other type itself."""
    while isinstance(found, TypeAliasType):
        found = found.resolved
    return found


def unresolved(found: Type) -> str | None:
    """The text of the first type in a type that nobody has found."""
    references = (x for x in reached(found) if isinstance(x, TypeReferenceType))
    first = next(references, None)
    return None if first is None else first.type_string
