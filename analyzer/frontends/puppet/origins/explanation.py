"""The explanation of one catalog: why each resource exists, and where its values come from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.origins.contributors import Contributor, Trail, union
from analyzer.frontends.puppet.origins.hiding import ALL, Secrets, secrets_among
from analyzer.frontends.puppet.origins.telling import OriginRow, presence_rows, value_rows
from analyzer.frontends.puppet.origins.trace import Trace
from analyzer.model.names import canonical_ref, split_ref
from analyzer.model.secrets import is_secret
from analyzer.model.values import Sensitive, Value


class Explanation:
    """Answers questions about the last compile of a trace; a later compile changes nothing here."""

    def __init__(self, trace: Trace) -> None:
        trace.settle()
        self.compilation = trace.compilation
        self.presence = trace.presence
        self.others = trace.others
        self.values = trace.values
        self._of_class_variable = trace.of_class_variable

    def find(self, ref: str) -> Entry | None:
        """Return the resource or class of a reference, None if the catalog has none."""
        parts = split_ref(ref)
        if parts is None:
            return None
        kind, title = split_ref(canonical_ref(*parts)) or parts
        entry: Entry | None = self.compilation.find(kind, title)
        return None if entry is None or (entry.virtual and not entry.exported) else entry

    def entries(self) -> Iterator[Entry]:
        """Yield the resources and classes of the catalog."""
        for entry in self.compilation.entries.values():
            if not entry.virtual or entry.exported:
                yield entry

    def trails(self, entry: Entry) -> Iterator[tuple[str, Trail]]:
        """Yield the attributes of a resource with their trails."""
        for name in entry.parameters:
            trail = self.values.get((id(entry), name))
            if trail is not None:
                yield name, trail

    def presence_of(self, entry: Entry) -> Contributor:
        """Return why a resource exists."""
        return self.presence.get(id(entry)) or Contributor("class", entry.ref)

    def why(self, entry: Entry, *, whole: bool = False) -> list[OriginRow]:
        """Return the rows about the existence of a resource or class."""
        return presence_rows(self.presence_of(entry), self.secrets, whole=whole)

    def chains(self, entry: Entry, *, whole: bool = False) -> Iterator[list[OriginRow]]:
        """Yield the chains that bring a class in, the one that counted first."""
        yield self.why(entry, whole=whole)
        for one in self.others.get(id(entry), ()):
            yield presence_rows(one, self.secrets, whole=whole)

    def attributes(self, entry: Entry) -> dict[str, Value]:
        """Return the attributes of a resource."""
        return entry.parameters

    def value(self, entry: Entry, name: str, *, whole: bool = False) -> list[OriginRow]:
        """Return the rows about the value of an attribute."""
        trail = self.values.get((id(entry), name), Trail(()))
        secrets = self.hidden_for(name, entry.parameters.get(name))
        return value_rows(trail, self.presence_of(entry), secrets, whole=whole)

    def hidden_for(self, name: str, value: Value) -> Secrets:
        """Return the literals whose texts the origin of a value does not show."""
        return ALL if isinstance(value, Sensitive) or is_secret(name) else self.secrets

    @cached_property
    def secrets(self) -> Secrets:
        """The literals of the catalog that are secrets."""
        several = [self.presence_of(entry) for entry in self.entries()]
        several += (one for some in self.others.values() for one in some)
        trails = (trail for entry in self.entries() for _, trail in self.trails(entry))
        return secrets_among(union(several, *(trail.everything() for trail in trails)))

    def variables(self, entry: Entry) -> Iterator[tuple[str, object, Trail]]:
        """Yield the variables of a class with their trails, until the next compile of the trace."""
        name = entry.title.lower()
        scope = self.compilation.class_scopes.get(name)
        for one, value in scope.variables().items() if scope is not None else ():
            yield one, value, self._of_class_variable(f"{name}::{one}")

    def causes(self, entry: Entry) -> dict[str, OriginRow]:
        """Return the nearest cause of the value of each attribute."""
        rows = ((name, self.value(entry, name)) for name in entry.parameters)
        return {name: found[0] for name, found in rows if found}
