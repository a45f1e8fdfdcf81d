"""Functions that levels of Hiera call: those in Ruby go over the bridge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.hiera.errors import NotFound
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler
    from analyzer.frontends.puppet.hiera.levels import Context


def custom(compiler: Compiler, kind: str, name: str, arguments: list[Any], context: Context) -> Any:
    """Return what a data function of a module yields.

    Raises:
        NotFound: it says that it has no value.
    """
    from analyzer.frontends.puppet.compiler.functions import Site

    if compiler.ruby is None or compiler.known.ruby_functions.folder_of(name) is None:
        return Unknown(f"Hiera's {kind} function '{name}'")
    site = Site(compiler, None, compiler.top, None, None)  # type: ignore[arg-type]
    found = compiler.ruby.data(site, name, arguments, context)
    if isinstance(found, Unknown):
        return found
    if not found:
        raise NotFound
    return found[0]
