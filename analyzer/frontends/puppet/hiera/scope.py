"""The variables that interpolation reads, as Hiera sees a scope of the compiler."""

from __future__ import annotations

from typing import Any, Final, Protocol

from analyzer.model.values import Value


class Missing:
    """The type of MISSING."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


class LookupScope(Protocol):
    """The scope of a lookup, as far as lookups use it."""

    def variable(self, name: str) -> Any:
        """Return the value of a variable, MISSING if there is none.

        The name is written as `x`, `::x`, or `class::x`.
        """


class ScopeVariables:
    """A scope out of a dict: top-scope variables, found as `x` and `::x`."""

    def __init__(self, values: dict[str, Value]) -> None:
        self.values = values

    def variable(self, name: str) -> Any:
        """Return the value of a variable, or MISSING."""
        return self.values.get(name.removeprefix("::"), MISSING)


class WithLocals:
    """A scope with variables before it, as `mapped_paths` has."""

    def __init__(self, scope: LookupScope, local: dict[str, Value]) -> None:
        self.scope = scope
        self.local = local

    def variable(self, name: str) -> Any:
        """Return the value of a variable, or MISSING."""
        return self.local[name] if name in self.local else self.scope.variable(name)


class Hiera3Scope:
    """A scope as Hiera 3 sees it: an empty string is no value, and `calling_module` has one.

    `calling_class` and `calling_class_path` are asked of the scope under these names.
    """

    def __init__(self, scope: LookupScope) -> None:
        self.scope = scope

    def variable(self, name: str) -> Any:
        """Return the value of a variable, or MISSING."""
        value = self.scope.variable("module_name" if name == "calling_module" else name)
        return None if value == "" else value
