"""A resource of a catalog."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.model.documents import JsonObject
    from analyzer.model.refs import ResourceRef
    from analyzer.source import Span


class Resource:
    """A resource as the catalog has it (Puppet::Resource).

    A plain slotted class and no dataclass: a catalog has up to hundreds of thousands, and the
    import of `dataclasses` alone takes as long as the interpreter's start.

    `title` keeps its spelling except for classes (`Main`, `My::Class`); `parameters` are data
    values by name; `kind` is Puppet's word (`compilable_type`, `class`, `defined_type`, `unknown`)
    or None in catalogs without it; `file` and `line` are None if not known; `sensitive` names the
    parameters whose values must not be shown. If a manifest was compiled, `written` has the places
    of the entries of relationship parameters: parameter, position in its list, place of the arrow
    or call; the position -1 has the place of the attribute. Its key `contain` has the places of the
    calls that contain a class in this resource, by the class's number in the catalog. `exporter` is
    the node that exported the resource, with the place of its declaration there, None for a
    resource that was not collected. `generator` is the resource that generates this one
    (Type#generate), None for a resource that the catalog declares.
    """

    __slots__ = (
        "exported",
        "exporter",
        "file",
        "generator",
        "kind",
        "line",
        "parameters",
        "sensitive",
        "tags",
        "title",
        "type",
        "written",
    )

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        type: str,
        title: str,
        parameters: JsonObject,
        file: str | None = None,
        line: int | None = None,
        kind: str | None = None,
        tags: list[str] | None = None,
        exported: bool = False,
        sensitive: list[str] | None = None,
    ) -> None:
        self.type = type
        self.title = title
        self.parameters = parameters
        self.file = file
        self.line = line
        self.kind = kind
        self.tags = tags
        self.exported = exported
        self.sensitive = sensitive
        self.written: dict[str, dict[int, Span]] | None = None
        self.exporter: tuple[str, Span | None] | None = None
        self.generator: Resource | None = None

    def __str__(self) -> str:
        return f"{self.type}[{self.title}]"

    def __repr__(self) -> str:
        place = f" at {self.span}" if self.span else ""
        return f"<{self}{place}>"

    @property
    def ref(self) -> ResourceRef:
        """Return the resource's reference."""
        from analyzer.model.refs import ResourceRef

        return ResourceRef(self.type, self.title)

    def shown_parameters(self) -> dict[str, object]:
        """Return the parameters for display: Sensitive values are redacted."""
        hidden = set(self.sensitive or ())
        return {
            name: REDACTED if name in hidden or is_sensitive(value) else value
            for name, value in self.parameters.items()
        }

    @property
    def span(self) -> Span | None:
        """Return the place of the declaration, perhaps on another node, if it is known.

        A generated resource has the place of its generator.
        """
        from analyzer.source import Span

        if self.generator is not None:
            return self.generator.span
        if self.exporter and not self.file:
            return self.exporter[1]
        return Span(self.file, self.line or 0) if self.file else None


def is_container(resource: Resource, has_contents: bool) -> bool:
    """Return whether Puppet replaces the resource by a pair of ends.

    Catalogs before format 2 have no `kind`: there, classes, stages and all resources with contents
    are containers (Puppet::Resource#to_ral).
    """
    kind = resource.kind
    if kind == "compilable_type":
        return resource.type == "Stage"
    if kind is not None:
        return True
    return has_contents or resource.type in ("Class", "Stage", "Node") or "::" in resource.type


def with_parameters(resource: Resource, parameters: dict[str, object]) -> Resource:
    """Return a resource with other parameters."""
    made = Resource.__new__(Resource)
    for name in Resource.__slots__:
        setattr(made, name, getattr(resource, name))
    made.parameters = parameters
    return made


# Puppet's placeholder for a Sensitive value.
REDACTED = "Sensitive [value redacted]"


def is_sensitive(value: object) -> bool:
    """Return whether a value is, or contains, a Sensitive of rich data."""
    if type(value) is dict:
        return value.get("__ptype") == "Sensitive" or any(map(is_sensitive, value.values()))
    return type(value) is list and any(map(is_sensitive, value))
