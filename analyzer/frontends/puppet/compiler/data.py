"""Hiera in a compile: the scope that it reads, and `lookup` and its elders as functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.scope import MISSING, Scope
from analyzer.frontends.puppet.hiera import functions as hiera
from analyzer.frontends.puppet.hiera.errors import HieraError
from analyzer.frontends.puppet.hiera.lookup import Lookup
from analyzer.frontends.puppet.hiera.scope import MISSING as NO_VARIABLE
from analyzer.frontends.puppet.hiera.services import Services
from analyzer.frontends.puppet.types.base import Type
from analyzer.frontends.puppet.types.describe import describe_mismatch
from analyzer.frontends.puppet.types.infer import infer_set
from analyzer.frontends.puppet.types.parse import parse_type

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler
    from analyzer.frontends.puppet.compiler.functions import Site


class DataScope:
    """A scope of the compile as Hiera asks it."""

    __slots__ = ("compiler", "scope")

    def __init__(self, compiler: Compiler, scope: Scope) -> None:
        self.compiler = compiler
        self.scope = scope

    def variable(self, name: str) -> Any:
        """Return a variable's value, Hiera's MISSING if there is none."""
        bare = name.removeprefix("::")
        if "::" in bare:
            value = self.compiler.class_variable(bare)
        else:
            value = (self.scope if bare == name else self.compiler.top).find(bare)
        return NO_VARIABLE if value is MISSING else value


class DataTypes:
    """What a lookup asks of the type system."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler

    def parse(self, text: str) -> Any:
        """Return the type that a text names."""
        return parse_type(text, self.compiler.resolve)

    def new(self, kind: Any, value: Any, arguments: list[Any]) -> Any:
        """Return a value made by `new`."""
        from analyzer.frontends.puppet.types.new import new_instance

        return new_instance(kind, [value, *arguments])

    def check(self, subject: str, kind: Any, value: Any) -> Any:
        """Return a value that is of a type.

        Raises:
            HieraError: it is of another.
        """
        wanted: Type = kind
        if wanted.instance(value):
            return value
        raise HieraError(describe_mismatch(f"{subject} has wrong type,", wanted, infer_set(value)))


class Data:
    """The data of the compile's environment and modules."""

    def __init__(self, compiler: Compiler, environment: str | None, config: str | None) -> None:
        self.compiler = compiler
        self.lookup = Lookup(
            config,
            environment,
            compiler.known.modulepath,
            DataScope(compiler, compiler.top),
            services=Services(types=DataTypes(compiler), warn=compiler.warnings.append),
        )

    def parameter(self, key: str, scope: Scope) -> Any:
        """Return the value of a class's parameter, Hiera's MISSING if data have none.

        Raises:
            HieraError: the lookup fails.
        """
        return self.lookup.at(DataScope(self.compiler, scope)).parameter(key)


def lookup(site: Site, *arguments: Any) -> Any:
    """`lookup`, in any of its forms."""
    return asked(site, hiera.call_lookup, list(arguments))


def hiera_first(site: Site, *arguments: Any) -> Any:
    """`hiera`: the first value."""
    return asked(site, hiera.hiera, *arguments)


def hiera_array(site: Site, *arguments: Any) -> Any:
    """`hiera_array`: all values."""
    return asked(site, hiera.hiera_array, *arguments)


def hiera_hash(site: Site, *arguments: Any) -> Any:
    """`hiera_hash`: all values, merged."""
    return asked(site, hiera.hiera_hash, *arguments)


def hiera_include(site: Site, *arguments: Any) -> Any:
    """`hiera_include`: includes the classes that data name."""
    from analyzer.frontends.puppet.compiler.functions import include

    return include(site, asked(site, hiera.hiera_include, *arguments))


def asked(site: Site, ask: Any, *arguments: Any) -> Any:
    """Call a function of Hiera; its errors are errors of the call."""
    scope = DataScope(site.compiler, site.scope)
    try:
        return ask(site.compiler.data.lookup.at(scope), *arguments, block=site.block)
    except HieraError as error:
        raise EvaluationError(str(error), site.unit, site.node) from None
