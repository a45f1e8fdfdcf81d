"""Variables and where they are looked for (Puppet::Parser::Scope)."""

from __future__ import annotations

from typing import Any, Final

# No value at all; undef is a value.
MISSING: Final = object()

# The match of a regular expression: the whole, then its groups.
Groups = tuple[str | None, ...]

# Variables that only the compiler sets (Puppet::Parser::Scope#setvar).
RESERVED = frozenset({"facts", "server_facts", "trusted"})


def reserved(name: str) -> str:
    """Return the message about a parameter or fact with a reserved name."""
    return f"Attempt to assign to a reserved variable name: '{name}'"


class Match(dict[str, Any]):
    """The variables of a match: all with numbers, so that none of those around is seen."""

    def __contains__(self, name: object) -> bool:
        return type(name) is str and name.isdigit()

    def __missing__(self, name: str) -> None:
        """Return undef for a group that the expression does not have."""
        return


class Scope:
    """The variables of a class, define, node or of the top, and those of blocks within.

    `enclosing` is where names are looked for next: the node's or the top scope, or the scope of an
    inherited class. `caller` is the scope it was evaluated from, along which resource defaults
    hold (dynamic scope); `default_places` has for a type and an attribute the statement that says
    so. `frames` are the own variables, and above them those of lambdas and of
    matches, the innermost last.
    """

    __slots__ = (
        "caller",
        "default_places",
        "defaults",
        "enclosing",
        "frames",
        "resource",
        "source",
    )

    def __init__(
        self, enclosing: Scope | None, caller: Scope | None = None, resource: Any = None
    ) -> None:
        self.enclosing = enclosing
        self.caller = caller
        self.resource = resource
        self.source: Any = None
        self.frames: list[dict[str, Any]] = [{}]
        self.defaults: dict[str, dict[str, Any]] = {}
        self.default_places: dict[tuple[str, str], tuple[Any, Any]] = {}

    def find(self, name: str) -> Any:
        """Return a variable's value by unqualified name, MISSING if there is none."""
        for frame in reversed(self.frames):
            if name in frame:
                return frame[name]
        if self.enclosing is None:
            return MISSING
        return self.enclosing.find(name)

    def own(self, name: str) -> Any:
        """Return the scope's own value of a name, MISSING if it has none."""
        return self.frames[0].get(name, MISSING)

    def innermost(self, name: str) -> Any:
        """Return the scope's value of a name at this moment, MISSING if it has none.

        A parameter's default sees the parameters before it, and a lambda its own variables
        (Puppet::Parser::Scope#get_local_variable).
        """
        return next((frame[name] for frame in reversed(self.frames) if name in frame), MISSING)

    def outermost(self) -> Scope:
        """Return the scope of the node that this one is in, else the top scope."""
        scope = self
        while scope.enclosing is not None and not scope.is_node:
            scope = scope.enclosing
        return scope

    @property
    def is_node(self) -> bool:
        """Return whether it is that of a node block."""
        return self.resource is not None and self.resource.type == "Node"

    def bound(self, name: str) -> bool:
        """Return whether a name may not be assigned any more: the innermost variables have it."""
        return name in self.variables()

    def set(self, name: str, value: object) -> None:
        """Give a variable its value, in the innermost lambda or the scope itself."""
        self.variables()[name] = value

    def variables(self) -> dict[str, object]:
        """Return the innermost variables: those of a lambda, or of the scope itself."""
        frames = self.frames
        at = len(frames) - 1
        while at and type(frames[at]) is Match:
            at -= 1
        return frames[at]

    def set_match(self, groups: Groups) -> None:
        """Bind `$0`, `$1`... to the groups of a match, until the construct around it ends."""
        self.frames.append(Match((str(number), group) for number, group in enumerate(groups)))

    @property
    def level(self) -> int:
        """Return the number of variable frames, to which `leave` can return."""
        return len(self.frames)

    def leave(self, level: int) -> None:
        """Drop the variables of inner blocks and matches."""
        del self.frames[level:]
