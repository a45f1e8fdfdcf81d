"""Calls: finds the function that a name means, checks the arguments, and calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analyzer.frontends.puppet.compiler import gaps
from analyzer.frontends.puppet.compiler.calls import (
    calling,
    catalog,
    checks,
    data,
    library,
    packages,
    resources,
    templates,
)
from analyzer.frontends.puppet.compiler.calls.signatures import check_arguments
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite, Compilation
from analyzer.frontends.puppet.compiler.declared.module_files import OutOfReach
from analyzer.frontends.puppet.compiler.definitions import origins
from analyzer.frontends.puppet.compiler.definitions.missing import REFUSED
from analyzer.frontends.puppet.compiler.definitions.origins import FunctionOrigin
from analyzer.frontends.puppet.compiler.references import as_resources
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.ruby_functions.reading import NOT_UNDERSTOOD
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.blocks import Block

# A function that only says so (lib/puppet/functions/import.rb).
# The function of PuppetDB that a server has.
QUERY = "puppetdb_query"
NO_IMPORT = (
    "Use of 'import' has been discontinued in favor of a manifest directory. "
    "See http://links.puppet.com/puppet-import-deprecation"
)

CATALOG_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "assert_private": resources.assert_private,
    "assert_type": catalog.assert_type,
    "break": catalog.leave_iteration,
    "call": calling.call,
    "contain": catalog.contain,
    "create_resources": resources.create_resources,
    "debug": catalog.notice,
    "defined": checks.defined,
    "defined_with_params": resources.defined_with_params,
    "ensure_packages": packages.ensure_packages,
    "ensure_packages@4.25": packages.ensure_packages_4,
    "ensure_packages@5.2": packages.ensure_packages_5,
    "ensure_packages@8.0": packages.ensure_packages_8,
    "ensure_packages@8.3": packages.ensure_packages_8,
    "ensure_packages@9.0": packages.ensure_packages_9,
    "ensure_resource": resources.ensure_resource,
    "ensure_resources": resources.ensure_resources,
    "stdlib::ensure_packages": packages.ensure_packages,
    "stdlib::has_function": checks.has_function,
    "stdlib::str2resource": resources.str2resource,
    "stdlib::type_of": checks.type_of,
    "err": catalog.notice,
    "epp": templates.epp,
    "fail": catalog.fail,
    "getparam": resources.getparam,
    "get_module_path": checks.get_module_path,
    "hiera": data.hiera_first,
    "hiera_array": data.hiera_array,
    "hiera_hash": data.hiera_hash,
    "hiera_include": data.hiera_include,
    "include": catalog.include,
    "info": catalog.notice,
    "is_a": checks.is_a,
    "is_function_available": checks.is_function_available,
    "inline_epp": templates.inline_epp,
    "inline_template": templates.inline_template,
    "lookup": data.lookup,
    "new": catalog.new,
    "next": catalog.leave_block,
    "notice": catalog.notice,
    "private": resources.assert_private,
    "realize": catalog.realize,
    "require": catalog.require,
    "return": catalog.leave_body,
    "tag": catalog.tag,
    "tagged": catalog.tagged,
    "template": templates.template,
    "type": catalog.type_of,
    "type_of": checks.type_of,
    "validate_legacy": checks.validate_type,
    "validate_legacy@4.25": checks.validate_legacy,
    "warning": catalog.notice,
}

# Functions whose value is Unknown if something in their arguments is; the others handle it.
ASKING = frozenset(
    {
        "defined",
        "defined_with_params",
        "get_module_path",
        "getparam",
        "is_function_available",
        "new",
        "stdlib::has_function",
        "stdlib::str2resource",
        "tagged",
        "type",
        "type_of",
        "validate_legacy",
    }
)

# What these yield differs from run to run, even in Ruby.
UNSTEADY = frozenset({"pry", "shuffle", "str2saltedsha512", "time"})


def left_to_ruby(name: str, value: Value, arguments: list[Value]) -> bool:
    """Return whether a function could not be computed here, and Ruby has one value for it."""
    return isinstance(value, Unknown) and name not in UNSTEADY and unknown_in(*arguments) is None


def call(
    compilation: Compilation,
    name: str,
    arguments: list[Value],
    block: Block | None,
    scope: Scope,
    node: Node,
    unit: Unit,
) -> Value:
    """Call a function by name, or return the value that the user gave for it (stubs)."""
    written, name = name, name.removeprefix("::")
    if name in compilation.inputs.stubs.functions:
        return compilation.inputs.stubs.functions[name]
    try:
        return call_known(compilation, name, written, arguments, block, scope, node, unit)
    except OutOfReach as outside:
        return outside.unknown


def call_missing(
    compilation: Compilation, name: str, written: str, block: Block | None, node: Node, unit: Unit
) -> Unknown:
    """Return the value of a function that is not found, if something may bring it.

    Raises:
        EvaluationError: nothing does.
    """
    known = compilation.definitions
    reason = known.missing.reason("function", name)
    if reason:
        return gaps.function_missing(compilation, name, reason, block, node, unit)
    if name == QUERY and not compilation.inputs.strict:
        return Unknown("the answer of PuppetDB is not known")
    if known.may_be_unparsed("function", name):
        return Unknown(f"{name}() {REFUSED}")
    words = NO_IMPORT if name == "import" else f"Unknown function: '{written}'."
    raise EvaluationError(words, unit, node)


def call_known(
    compilation: Compilation,
    name: str,
    written: str,
    arguments: list[Value],
    block: Block | None,
    scope: Scope,
    node: Node,
    unit: Unit,
) -> Value:
    """Call a function of the catalog, the library or a module.

    Raises:
        OutOfReach: it reads a file that it may not read.
    """
    found = origins.find(compilation.definitions, compilation.functions, name)
    if found is None:
        return call_missing(compilation, name, written, block, node, unit)
    if found.catalog is not None:
        if name == "defined":
            arguments = [as_resources(value) for value in arguments]
        check_arguments(found.catalog, found.title, arguments, block, found.native)
        unknown = find_unknown(arguments) if found.title in ASKING else None
        if unknown is not None:
            return unknown.as_any()
        return found.catalog(CallSite(compilation, block, scope, node, unit), *arguments)
    if found.rows and not found.ruby:
        library_call = CallSite(compilation, block, scope, node, unit)
        value = library.call_rows(found.title, found.rows, library_call, arguments)
        if compilation.ruby is None or not left_to_ruby(name, value, arguments):
            return value
        return compilation.ruby.function(
            CallSite(compilation, block, scope, node, unit), name, arguments
        )
    if not found.ruby:
        definition = compilation.definitions.find("function", name)
        assert definition is not None
        return library.call_defined(compilation, definition, arguments, block, node, unit)
    return call_ruby(found, CallSite(compilation, block, scope, node, unit), name, arguments)


def call_ruby(found: FunctionOrigin, site: CallSite, name: str, arguments: list[Value]) -> Value:
    """Call a function in Ruby, or evaluate as much of it as is understood."""
    value: Value = Unknown(found.ruby)
    ruby = site.compilation.ruby
    if ruby is not None:
        value = ruby.function(site, name, arguments)
    elif found.rows and library.know_types(found.rows, site):
        read = library.call_rows(found.title, found.rows, site, arguments)
        value = read if read is not NOT_UNDERSTOOD else value
    # As a statement, a function that has run leaves nothing open, whatever it returns.
    if type(value) is Unknown and not (ruby and ruby.has_run):
        gaps.left_to_ruby(site.compilation, name, value, site.block, site.node, site.unit)
    return value
