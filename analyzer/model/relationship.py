"""An ordering edge and the statement or rule that made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analyzer.model.refs import ResourceRef
from analyzer.source import Span

Kind = Literal["contains", "before", "notify"]

# The origin of a policy's edges: the attribute, or CFEngine's order of evaluation.
DEPENDS_ON, EVALUATION = "depends_on", "evaluation"


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a relationship: the code or the rule that created it.

    - `form`: its spelling: `require`, `subscribe`, `before`, `notify`, an automatic one
      (`autorequire`, ..., `generate`: from a resource to those that it generates) or `containment`;
      in a policy `depends_on` or `evaluation`.
    - `declared_by`: the resource whose parameter, type or body declares it.
    - `position`: its place in that parameter's list.
    - `rule`: the automatic rule's id; in a policy, the reason.
    - `span`: the place of the statement, or of the resource if no more is known.
    - `many`: the number of resources with this same list, and of its entries, as chained collectors
      make.
    - `arrow`: the statement is an arrow (`->`, `~>`) at the span.
    - `exported_by`: the node that exported the resource, whose code the span is in.
    - `generated_by`: the resource that generates `declared_by`.
    - `known_from`: the only evidence of the edge (`the DOT file`), if it is unknown who declared
      it; `declared_by` is then one of its ends.
    - `at_declaration`: the statement was looked for and not found; the span is that of
      `declared_by`.
    """

    form: str
    declared_by: ResourceRef
    position: int = 0
    rule: str | None = None
    span: Span | None = None
    many: tuple[int, int] | None = None
    arrow: bool = False
    exported_by: str | None = None
    generated_by: str | None = None
    known_from: str | None = None
    at_declaration: bool = False

    @property
    def place(self) -> str:
        """Return its place in words, empty if that is unknown."""
        return f"{'declared at ' * self.at_declaration}{self.span}" if self.span else ""

    @property
    def automatic(self) -> bool:
        """Return whether the edge is automatic."""
        return self.form.startswith("auto") or self.form == "generate"

    @property
    def declarer(self) -> str | None:
        """Return the resource that declares it, None if unknown."""
        return None if self.known_from else str(self.declared_by)

    def __str__(self) -> str:
        where = f" at {self.span}" if self.span else ""
        if self.form == EVALUATION:
            return f"{self.rule}{where}"
        if self.known_from:
            return f"{self.form}, an edge of {self.known_from}"
        if self.rule:
            return f"{self.form} of {self.declared_by} ({self.rule}){where}"
        return f"{self.form} of {self.declared_by}{where}"


@dataclass(frozen=True, slots=True)
class Relationship:
    """`source` is applied before `target`; `notify` also sends events.

    `require` and `subscribe` are reversed; the origin has the original spelling.
    """

    source: ResourceRef
    target: ResourceRef
    kind: Kind
    origin: Origin

    @property
    def event(self) -> bool:
        """Return whether events follow the edge (Puppet: event ALL_EVENTS, callback refresh)."""
        return self.kind != "before"

    @property
    def auto(self) -> str | None:
        """`autorequire`, `autobefore`, `autonotify`, `autosubscribe`, `generate`, or None."""
        return self.origin.form if self.origin.automatic else None

    def __str__(self) -> str:
        arrow = "~>" if self.kind == "notify" else "->"
        return f"{self.source} {arrow} {self.target}"

    def __repr__(self) -> str:
        return f"<{self}: {self.origin}>"


@dataclass(frozen=True, slots=True)
class DroppedRelationship:
    """An automatic relationship that Puppet proposes and leaves out, with the reason."""

    relationship: Relationship
    reason: Literal["same edge present", "opposite edge present"]
