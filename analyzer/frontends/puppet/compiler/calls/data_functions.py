"""Functions that levels of Hiera call: in the Puppet language, or in Ruby over the bridge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from analyzer.frontends.puppet.compiler.calls import library
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite, Compilation
from analyzer.frontends.puppet.compiler.definitions.definition import unreadable
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.hiera.errors import NotFound
from analyzer.frontends.puppet.hiera.hierarchy.levels import FUNCTION
from analyzer.frontends.puppet.hiera.interpolation import interpolate
from analyzer.frontends.puppet.types.model.builtin import LOOKUP_CONTEXT
from analyzer.frontends.puppet.types.model.objects import MISSING, ObjectValue
from analyzer.model.values import Unknown, Value
from analyzer.reading import read_text

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.blocks import Block
    from analyzer.frontends.puppet.hiera.hierarchy.levels import Context


def custom(
    compilation: Compilation, kind: str, name: str, arguments: list[Value], context: Context
) -> Value:
    """Return the data of a module's data function.

    Raises:
        NotFound: it has no value.
    """
    if compilation.definitions.ruby_functions.folder_of(name) is not None:
        return in_ruby(compilation, kind, name, arguments, context)
    definition = compilation.definitions.find("function", name)
    if definition is None:
        return Unknown(FUNCTION.format(kind, name))
    given = LookupContext(LOOKUP_CONTEXT, {}, compilation, context)
    unit, node = definition.unit, definition.node
    arguments = [] if kind == "v4_data_hash" else [*arguments, given]
    return library.call_defined(compilation, definition, arguments, None, node, unit)


def in_ruby(
    compilation: Compilation, kind: str, name: str, arguments: list[Value], context: Context
) -> object:
    """Return the data of a data function in Ruby.

    Raises:
        NotFound: it has no value.
    """
    if compilation.ruby is None:
        return Unknown(FUNCTION.format(kind, name))
    site = CallSite(compilation, None, compilation.top, None, None)  # type: ignore[arg-type]
    found = compilation.ruby.data(site, name, arguments, context)
    if isinstance(found, Unknown):
        return found
    if not found:
        raise NotFound
    return found[0]


@dataclass(frozen=True, slots=True, eq=False)
class LookupContext(ObjectValue):
    """The context that a data function in the Puppet language gets (lookup/context.rb)."""

    compilation: Compilation
    context: Context

    def member(self, name: str, arguments: list[Value], block: object = None) -> Value:
        """Return the result of a method, MISSING if there is no such method."""
        method = METHODS.get(name)
        return MISSING if method is None else method(self, block, *arguments)

    def not_found(self, block: object) -> NoReturn:
        """Report that there is no value.

        Raises:
            NotFound: always.
        """
        raise NotFound

    def explain(self, block: object) -> None:
        """Explain something, which is shown nowhere."""

    def interpolate(self, block: object, value: object) -> Value:
        """Return a value with its interpolations resolved."""
        return interpolate(value, self.compilation.data.at(self.compilation.top).invocation(), True)

    def cache(self, block: object, key: Value, value: Value) -> Value:
        """Keep a value."""
        self.context.cache[key] = value
        return value

    def cache_all(self, block: object, values: dict[Value, Value]) -> None:
        """Keep the values of a hash."""
        self.context.cache.update(values)

    def cache_has_key(self, block: object, key: Value) -> bool:
        """Return whether there is a value for a key."""
        return key in self.context.cache

    def cached_value(self, block: object, key: Value) -> Value:
        """Return a value that was kept."""
        return self.context.cache.get(key)

    def cached_entries(self, block: Block | None) -> list[list[Value]] | None:
        """Return all that was kept, or give it to a block."""
        entries = [[key, value] for key, value in self.context.cache.items()]
        if block is None:
            return entries
        for entry in entries:
            block(*(entry if block.arity[0] == 2 else [entry]))
        return None

    def cached_file_data(self, block: Block | None, path: str) -> Value:
        """Return the content of a file, or the result of a block for it."""
        try:
            text = read_text(path, newline="")
        except (OSError, UnicodeDecodeError) as error:
            raise EvaluationError(f"{path}: {unreadable(error)}") from None
        return text if block is None else block(text)

    def environment_name(self, block: object) -> str:
        """Return the name of the environment."""
        return self.compilation.inputs.environment

    def module_name(self, block: object) -> str | None:
        """Return the name of the module whose layer it is, undef in the other layers."""
        return self.context.module


METHODS: dict[str, Callable[..., Value]] = {
    method.__name__: method
    for method in (
        LookupContext.not_found,
        LookupContext.explain,
        LookupContext.interpolate,
        LookupContext.cache,
        LookupContext.cache_all,
        LookupContext.cache_has_key,
        LookupContext.cached_value,
        LookupContext.cached_entries,
        LookupContext.cached_file_data,
        LookupContext.environment_name,
        LookupContext.module_name,
    )
}
