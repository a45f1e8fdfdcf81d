"""A resource while the catalog is being made (Puppet::Parser::Resource)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.model.keys import pairs_of
from analyzer.model.names import capitalize_type
from analyzer.model.values import Unknown, Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.declared.arrow import Arrow
    from analyzer.frontends.puppet.compiler.definitions.definition import Definition
    from analyzer.frontends.puppet.evaluate.scope import Scope
    from analyzer.frontends.puppet.node.exports import Exported
    from analyzer.frontends.puppet.syntax.ast import Node

TAG = re.compile(r"[^\W_]\w*[\w:.-]*\Z|_[\w:.-]*\Z")

VALID_TAG = re.compile(r"\w[\w:.-]*\Z")

# An attribute as it is given: its name, its value, and whether it adds to what is there.
Attribute = tuple[str, Value, bool]

# Relationships are never inherited from what contains a resource, and are lists of references.
RELATIONSHIPS = ("before", "notify", "require", "subscribe")

# Parameters of every resource that hold for what it contains, too (Type.metaparams).
INHERITED = ("alias", "audit", "loglevel", "noop", "schedule", "stage", "tag")


class Entry:
    """A class, a define's instance or a native resource, with what is known of it so far.

    `type` and `title` are spelled as in references. `definition` is the class or define it is an
    instance of, None for native types. `set_by` has for a parameter the override or default that
    set it, None for an arrow; those that are not there were set where it was declared. `written`
    tells which arrow gave an entry of a relationship parameter, by its position in the catalog's
    list, and `required` which call of the function `require` gave one of that parameter. `named`
    is the title as it was given: `create_resources` takes numbers, and a define's body sees them.
    `exporter` is the resource of another node that it was collected from.
    """

    __slots__ = (
        "definition",
        "evaluated",
        "exported",
        "exporter",
        "file",
        "kind",
        "line",
        "named",
        "node",
        "own_scope",
        "parameters",
        "required",
        "scope",
        "set_by",
        "source",
        "tags",
        "title",
        "type",
        "unit",
        "virtual",
        "written",
    )

    def __init__(
        self,
        type: str,
        title: Value,
        scope: Scope | None,
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        self.type = type
        self.named = title
        self.title = title if isinstance(title, str) else to_s(title)
        self.scope = scope
        self.own_scope: Scope | None = None
        self.file = file
        self.line = line
        self.kind = "compilable_type"
        self.parameters: dict[str, Value] = {}
        self.virtual = False
        self.exported = False
        self.exporter: Exported | None = None
        self.evaluated = False
        self.definition: Definition | None = None
        self.source: Value = None
        self.set_by: dict[str, Any] = {}
        self.node: Any = None
        self.unit: Any = None
        self.written: dict[str, dict[int, Arrow]] = {}
        self.required: dict[int, tuple[Unit, Node]] = {}
        self.tags: dict[str, None] = {}
        if ":" in type:
            self.tag(type)
        else:
            self.tags[type.lower()] = None
        if isinstance(title, str) and "/" not in title and TAG.match(title):
            if ":" in title:
                self.tag(title)
            else:
                self.tags[title.lower()] = None

    @property
    def ref(self) -> str:
        """`Type[title]`."""
        return f"{self.type}[{self.title}]"

    def tag(self, *names: Value) -> None:
        """Add tags: in small letters, with the parts of qualified names; undef is none."""
        for name in names:
            if isinstance(name, list):
                self.tag(*name)
            elif name is not None and type(name) is not Unknown:
                text = (name if isinstance(name, str) else to_s(name)).lower()
                self.tags[text] = None
                if "::" in text:
                    self.tags.update(dict.fromkeys(text.split("::")))

    def tags_from(self, other: Entry) -> None:
        """Add the tags of the container."""
        self.tags.update(other.tags)

    def tagged(self, tags: set[str]) -> bool:
        """Return whether the resource, or what it stands in, has one of the tags."""
        at: Entry | None = self
        while at is not None:
            if not tags.isdisjoint(at.tags):
                return True
            around = at.scope.resource if at.scope is not None else None
            at = around if around is not at else None
        return False

    def get(self, name: str) -> Value:
        """Return a parameter's value; `title` is one here, as it was given."""
        return self.named if name == "title" else self.parameters.get(name)

    def set(self, name: str, value: Value) -> None:
        """Give a parameter its value; tags are taken at once."""
        if name == "tag" and value is not None:
            plain = plain_tags(value)
            if plain is None:
                self.tag(checked_tags(value, self.unit, self.node))
            else:
                self.tags.update(plain)
        self.parameters[name] = value


def plain_tags(value: object) -> dict[str, None] | None:
    """Return tags in small letters; None unless all are texts that can be tags, and unqualified."""
    found: dict[str, None] = {}
    for one in value if type(value) is list else (value,):
        text = plain_tag(one) if type(one) is str else ""
        if not text:
            return None
        found[text] = None
    return found


@lru_cache(maxsize=256)
def plain_tag(text: str) -> str:
    """Return a tag in small letters, empty if it is qualified or cannot be one."""
    text = text.lower()
    return text if ":" not in text and VALID_TAG.match(text) else ""


def checked_tags(value: Value, unit: Unit | None, node: Node | None) -> list[Value]:
    """Return the tags that a value is; what cannot be one is refused (Tagging.valid_tag?).

    Raises:
        EvaluationError: there is such a tag.
    """
    # Ruby's splat makes pairs of a hash.
    tags = pairs_of(value) if isinstance(value, dict) else value
    tags = tags if isinstance(tags, list) else [tags]
    for one in tags:
        if isinstance(one, list):
            checked_tags(one, unit, node)
        elif one is not None and type(one) is not Unknown:
            text = to_s(one).lower()
            if not VALID_TAG.match(text):
                raise EvaluationError(f"Invalid tag '{text}'", unit, node)
    return tags


def shown(ref: Entry | ClassType | ResourceType) -> str:
    """Return a reference as it stands in a catalog."""
    if isinstance(ref, Entry):
        return ref.ref
    kind, title = key_of(ref)
    return f"{kind}[{title}]"


def key_of(ref: ClassType | ResourceType) -> tuple[str, str]:
    """Return type and title of a reference in Puppet's capitals (Puppet::Resource)."""
    if isinstance(ref, ClassType):
        return "Class", spelled(ref.class_name or "")
    kind, title = spelled(ref.type_name or ""), ref.title or ""
    return kind, spelled(title) if kind == "Class" else title


# Few names are in very many references.
spelled = lru_cache(maxsize=4096)(capitalize_type)
