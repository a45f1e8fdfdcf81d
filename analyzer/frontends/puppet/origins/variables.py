"""The trails of variables: of scopes, lambdas, matches, templates and the top scope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.node.legacy_facts import MOVED
from analyzer.frontends.puppet.origins.contributors import (
    ANYTHING,
    NOTHING,
    Contributor,
    FactTrail,
    Trail,
)

# Variables of the top scope that are the compile's own.
OWN = frozenset({"environment", "module_name", "name", "serverip", "servername", "title"})


class Variables:
    """The trails of variables, by the tables that hold their values."""

    compilation: Any

    def forget(self) -> None:
        """Forget the variables of the compile before."""
        # The tables are held: their identities stay theirs.
        self._tables: dict[int, tuple[object, dict[str, Trail]]] = {}
        self._wholes: dict[int, tuple[object, Trail]] = {}

    def table_of(self, frame: Mapping[str, Any]) -> dict[str, Trail] | None:
        """Return the trails of a table of variables, None if nothing is recorded of it."""
        found = self._tables.get(id(frame))
        return None if found is None else found[1]

    def set_trail(self, frame: Mapping[str, Any], name: str, trail: Trail) -> None:
        """Record the trail of a variable in a table."""
        self._tables.setdefault(id(frame), (frame, {}))[1][name] = trail

    def set_all(self, frame: Mapping[str, Any], trail: Trail) -> None:
        """Record the trail of all variables of a table."""
        self._tables.setdefault(id(frame), (frame, {}))
        self._wholes[id(frame)] = frame, trail

    def of_variable(self, name: str, scope: Scope) -> Trail:
        """Return the trail of a variable by its name, qualified or not."""
        bare = name.removeprefix("::")
        if "::" in bare:
            return self.of_class_variable(bare)
        at: Scope | None = self.compilation.top if bare != name else scope
        while at is not None:
            for frame in reversed(at.frames):
                trail = self.in_frame(frame, bare, at)
                if trail is not None:
                    return trail
            at = at.enclosing
        return NOTHING

    def in_frame(self, frame: Mapping[str, Any], name: str, scope: Scope) -> Trail | None:
        """Return the trail of a variable of a table, None if it is not there."""
        table = self.table_of(frame)
        if table is not None and name in table:
            return table[name]
        if name not in frame:
            return None
        if id(frame) in self._wholes:
            return self._wholes[id(frame)][1]
        if frame is self.compilation.top.frames[0]:
            return self.of_top(name)
        if scope.resource is not None:
            return self.of_resource(name, scope)
        return Trail((ANYTHING,))

    def of_resource(self, name: str, scope: Scope) -> Trail:
        """Return the trail of a variable that comes with a class, node or define."""
        return Trail((Contributor("variable", f"${name}"),))

    def of_class_variable(self, name: str) -> Trail:
        """Return the trail of `class::name`."""
        owner, _, variable = name.rpartition("::")
        scope = self.compilation.class_scopes.get(owner.lower())
        if scope is None:
            return Trail((ANYTHING,))
        while scope is not None:
            trail = self.in_frame(scope.frames[0], variable, scope)
            if trail is not None:
                return trail
            scope = scope.enclosing
        return NOTHING

    def of_top(self, name: str) -> Trail:
        """Return the trail of a variable of the top scope that no statement has set."""
        if name in OWN:
            return Trail((Contributor("setting", f"${name}"),))
        if name in self.compilation.inputs.node_parameters:
            return Trail((Contributor("node parameter", name),))
        if name in ("facts", "trusted", "server_facts"):
            return FactTrail(name)
        return FactTrail(f"facts.{MOVED.get(name, name)}")
