"""CatalogEntry, Class, Resource and Runtime."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from analyzer.frontends.puppet.types.model.base import Guard, Type


@dataclass(frozen=True, slots=True)
class CatalogEntryType(Type):
    """`CatalogEntry`: classes and resources."""

    simple_name: ClassVar[str] = "CatalogEntry"

    def instance(self, value: Any) -> bool:
        from analyzer.frontends.puppet.types.infer import infer

        return self.assignable(infer(value))

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return isinstance(other, CatalogEntryType)


@dataclass(frozen=True, slots=True)
class ClassType(CatalogEntryType):
    """`Class[name]`."""

    class_name: str | None = None

    simple_name: ClassVar[str] = "Class"

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return isinstance(other, ClassType) and self.class_name in (None, other.class_name)


@dataclass(frozen=True, slots=True, eq=False)
class ResourceType(CatalogEntryType):
    """`Resource[type, title]`, or `Type[title]`; the name of a type knows no case."""

    type_name: str | None = None
    title: str | None = None

    simple_name: ClassVar[str] = "Resource"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ResourceType)
            and self.folded_name == other.folded_name
            and self.title == other.title
        )

    def __hash__(self) -> int:
        return hash((self.folded_name, self.title))

    @property
    def folded_name(self) -> str | None:
        """The type's name in small letters."""
        return self.type_name and self.type_name.lower()

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if not isinstance(other, ResourceType):
            return False
        if self.type_name is None:
            return True
        same = self.folded_name == other.folded_name
        return same and (self.title is None or self.title == other.title)


@dataclass(frozen=True, slots=True)
class RuntimeType(Type):
    """`Runtime[runtime, name]`: of a value of Ruby, which there is none of here."""

    runtime: str | None = None
    pattern: str | tuple[str, str] | None = None

    simple_name: ClassVar[str] = "Runtime"

    def instance(self, value: Any) -> bool:
        from analyzer.frontends.puppet.types.infer import infer

        return self.assignable(infer(value))

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if not isinstance(other, RuntimeType) or self.runtime not in (None, other.runtime):
            return False
        return self.pattern is None or self.pattern == other.pattern


def capitalize_segments(name: str) -> str:
    """A type's name with capitals: `foo::bar` is Foo::Bar; as it is if it begins with one."""
    if "A" <= name[:1] <= "Z":
        return name
    return "::".join(segment.capitalize() for segment in name.split("::"))


CATALOG_ENTRY = CatalogEntryType()
CLASS = ClassType()
RESOURCE = ResourceType()
RUNTIME = RuntimeType()
