"""CatalogEntry, Class, Resource and Runtime."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from analyzer.frontends.puppet.types.model.base import Type


@dataclass(frozen=True, slots=True)
class CatalogEntryType(Type):
    """`CatalogEntry`: classes and resources."""

    simple_name: ClassVar[str] = "CatalogEntry"


@dataclass(frozen=True, slots=True)
class ClassType(CatalogEntryType):
    """`Class[name]`."""

    class_name: str | None = None

    simple_name: ClassVar[str] = "Class"


@dataclass(frozen=True, slots=True, eq=False)
class ResourceType(CatalogEntryType):
    """`Resource[type, title]`, or `Type[title]`; the case of the type's name does not matter."""

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
        """Return the type's name in small letters."""
        return self.type_name and self.type_name.lower()


@dataclass(frozen=True, slots=True)
class RuntimeType(Type):
    """`Runtime[runtime, name]`: the type of Ruby's own values, which do not occur here."""

    runtime: str | None = None
    pattern: str | tuple[str, str] | None = None

    simple_name: ClassVar[str] = "Runtime"


def capitalize_segments(name: str) -> str:
    """Return a type's name with capitals: `foo::bar` is Foo::Bar, `Foo::bar` stays."""
    if "A" <= name[:1] <= "Z":
        return name
    return "::".join(segment.capitalize() for segment in name.split("::"))


CATALOG_ENTRY = CatalogEntryType()
CLASS = ClassType()
RESOURCE = ResourceType()
RUNTIME = RuntimeType()
