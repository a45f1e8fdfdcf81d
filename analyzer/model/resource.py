"""A resource of a catalog."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from analyzer.model.refs import ResourceRef
    from analyzer.source import Span


class Resource:
    """A resource as the catalog has it (Puppet::Resource).

    A plain slotted class and no dataclass: a catalog has up to hundreds of thousands, and the
    import of `dataclasses` alone takes as long as the interpreter's start.

    `title` keeps its spelling except for classes (`Main`, `My::Class`); `parameters` are data
    values by name; `kind` is Puppet's word (`compilable_type`, `class`, `defined_type`,
    `unknown`) or None in catalogs that do not say; `file` and `line` are None when not known.
    """

    __slots__ = ("exported", "file", "kind", "line", "parameters", "tags", "title", "type")

    def __init__(
        self,
        type: str,
        title: str,
        parameters: dict[str, Any],
        file: str | None = None,
        line: int | None = None,
        kind: str | None = None,
        tags: list[str] | None = None,
        exported: bool = False,
    ) -> None:
        self.type = type
        self.title = title
        self.parameters = parameters
        self.file = file
        self.line = line
        self.kind = kind
        self.tags = tags
        self.exported = exported

    def __str__(self) -> str:
        return f"{self.type}[{self.title}]"

    __repr__ = __str__

    @property
    def ref(self) -> ResourceRef:
        """The resource's reference."""
        from analyzer.model.refs import ResourceRef

        return ResourceRef(self.type, self.title)

    @property
    def span(self) -> Span | None:
        """Where the resource was declared, as far as the catalog says."""
        from analyzer.source import Span

        return Span(self.file, self.line or 0) if self.file else None
