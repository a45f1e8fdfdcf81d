"""A definition in a manifest, and the types of its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analyzer.frontends.puppet.compiler.recovery import body_of
from analyzer.frontends.puppet.evaluate.calls import LambdaCode
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.parameters import Parameter
from analyzer.frontends.puppet.evaluate.thunks import Thunk, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.node_names import name_of_pattern
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.model.values import Value

KINDS: dict[type, str] = {
    a.HostClassDefinition: "class",
    a.ResourceTypeDefinition: "define",
    a.NodeDefinition: "node",
    a.FunctionDefinition: "function",
    a.TypeAlias: "type",
}


# Types of Puppet's own that are loaded when they are first used, so that an alias goes before.
LOADED_LATE = ("error", "puppet::lookupcontext")


class Definition:
    """A class, define, node or function: its tree and, once needed, its body made ready.

    `module` is the module that its file is in, the empty text for manifests of the environment.
    `missing` is the reason why its module is not there: then nothing of it is known but its name.
    """

    __slots__ = (
        "_body",
        "_code",
        "_parameters",
        "_returns",
        "alias",
        "kind",
        "match",
        "missing",
        "module",
        "name",
        "node",
        "unit",
    )

    def __init__(self, kind: str, name: str, node: Any, unit: Unit, module: str = "") -> None:
        self.kind = kind
        self.module = module
        self.name = name
        self.node = node
        self.unit = unit
        self.match: Any = None
        self.missing = ""
        # The type that an alias is, where it is the same in each compile.
        self.alias: TypeAliasType | None = None
        self._body: Thunk | None = None
        self._code: LambdaCode | None = None
        self._parameters: list[Parameter] | None = None
        self._returns: Thunk | None = None

    def enter(self, *, body: bool) -> None:
        """Report that the body is evaluated, or the parameters are, if somebody listens."""
        if self.unit.watch is not None:
            offset = self.node.offset
            self.unit.watch.enters(self.unit, offset if body else -1 - offset)

    @property
    def body(self) -> Thunk:
        """The thunk of the body."""
        self.enter(body=True)
        if self._body is None:
            make = thunk_of if self.kind == "function" else body_of
            self._body = make(self.node.body, self.unit)
        return self._body

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters with the thunks of their types and defaults."""
        self.enter(body=False)
        if self._parameters is None:
            self._parameters = [Parameter(p, self.unit) for p in self.node.parameters]
        return self._parameters

    @property
    def lambda_code(self) -> LambdaCode:
        """The parameters and the body of a function as a lambda has them."""
        self.enter(body=False)
        self.enter(body=True)
        if self._code is None:
            self._code = LambdaCode(self.parameters, self.body)
        return self._code

    @property
    def return_type(self) -> Thunk | None:
        """The thunk of the type that a function declares for its value."""
        node = self.node.return_type
        if self._returns is None and node is not None:
            self._returns = thunk_of(node, self.unit)
        return self._returns

    @property
    def line(self) -> int:
        """The line on which the definition begins."""
        return self.unit.line(self.node)


@dataclass(frozen=True, slots=True)
class ParameterTypes:
    """The types of a definition's parameters by name; `needed` have no default."""

    values: dict[str, Type]
    needed: frozenset[str]


def node_name(match: Value, *, marked: bool = True) -> str:
    """Return the name that Puppet gives to a node block for one of its matches.

    `marked`: those of regular expressions are as Puppet 8 has them.
    """
    if isinstance(match, a.LiteralDefault):
        return "default"
    if isinstance(match, a.LiteralRegularExpression):
        return name_of_pattern(match.pattern, marked=marked)
    return str(getattr(match, "value", "")).lower()


def refuse_built_in(definition: Definition) -> None:
    """Refuse an alias with the name of a type of Puppet's own.

    Raises:
        EvaluationError: it has one (Puppet::Pops::Loader::BaseLoader#set_entry).
    """
    from analyzer.frontends.puppet.types.model.builtin import DEFINED, TYPES

    if definition.name in TYPES:
        place = "Originally set by Puppet-Type-System/Static-Loader."
    elif definition.name in DEFINED and definition.name not in LOADED_LATE:
        place = "Set at unknown location"
    else:
        return
    uri = f"http://puppet.com/2016.1/runtime/type/{definition.name}"
    message = f"Attempt to redefine entity '{uri}'. {place}"
    raise EvaluationError(message, definition.unit, definition.node)


def unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Return why a file cannot be read."""
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror}"
    return f"not UTF-8: {error.reason} at byte {error.start + 1}"
