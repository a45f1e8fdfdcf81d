"""Calls: functions that work on the catalog, those of the library, and those of modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler import classes, defined, gaps
from analyzer.frontends.puppet.compiler.calls import (
    checks,
    data,
    library,
    packages,
    resources,
    templates,
)
from analyzer.frontends.puppet.compiler.calls.signatures import check_arguments
from analyzer.frontends.puppet.compiler.declared.entry import checked_tags
from analyzer.frontends.puppet.compiler.definitions import origins
from analyzer.frontends.puppet.compiler.relations import shown
from analyzer.frontends.puppet.evaluate.errors import (
    BreakJump,
    EvaluationError,
    NextJump,
    Refusal,
    ReturnJump,
    Unit,
)
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.mismatches.labels import a_kind_of
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.names import split_ref
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, flat

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler
    from analyzer.frontends.puppet.evaluate.blocks import Block


class Site:
    """Where a call stands: what a function of the catalog works with."""

    __slots__ = ("block", "compiler", "node", "scope", "unit")

    def __init__(
        self, compiler: Compiler, block: Block | None, scope: Scope, node: Node, unit: Unit
    ) -> None:
        self.compiler = compiler
        self.block = block
        self.scope = scope
        self.node = node
        self.unit = unit

    @property
    def files(self) -> library.ModuleFiles:
        """The files of modules."""
        return library.ModuleFiles(self.compiler, self.node, self.unit)


def class_names(site: Site, values: list[Any]) -> list[str]:
    """Return the names of classes given by name or reference, without those that are Unknown.

    Raises:
        EvaluationError: something else is given (Scope#transform_and_assert_classnames).
    """
    names = []
    for value in flat(values):
        if isinstance(value, Unknown):
            site.compiler.undecided(value, "class name", site.unit, site.node)
        else:
            names.append(class_name(value).lower().removeprefix("::"))
    return names


def class_name(value: Any) -> str:
    """Return the name of a class that a value stands for.

    Raises:
        EvaluationError: it stands for none.
    """
    wrong = ""
    match value:
        case str():
            wrong = "" if value else "empty string as a class name"
        case None:
            wrong = "undef as a class name"
        case ClassType():
            wrong = "" if value.class_name else "an unspecific Class[] Type"
            value = value.class_name
        case ResourceType():
            kind = value.type_name or ""
            if kind.lower() == "class" and value.title is not None:
                return str(value.title)
            shown = f"a Resource[{kind}]" if kind else "an unspecific Resource[]"
            shown = "an unspecific Resource['class']" if kind.lower() == "class" else shown
            wrong = f"{shown} where a Resource['class', name] is expected"
        case _:
            wrong = f"{a_kind_of(value)} as a class name"
    if wrong:
        raise EvaluationError(f"Cannot use {wrong}")
    return str(value)


def include(site: Site, first: Any, *others: Any) -> Any:
    """`include`: brings classes in; the value is references to them."""
    return bring_in(site, "include", [first, *others])


def bring_in(site: Site, form: str, values: list[Any]) -> list[ClassType]:
    """Bring classes in, remember who asked for them, and return references to them."""
    names = class_names(site, values)
    classes.include(site.compiler, names, site.scope, site.node, site.unit)
    found = [ClassType(name) for name in names]
    for ref in found:
        site.compiler.class_uses.append((form, shown(ref), site.scope, site.unit, site.node))
    return found


def contain(site: Site, first: Any, *others: Any) -> Any:
    """`contain`: brings classes in, as part of the class around."""
    found = bring_in(site, "contain", [first, *others])
    around = site.scope.resource
    for ref in found:
        entry = site.compiler.find_ref(ref)
        if around is not None and entry is not None and (around, entry) not in site.compiler.edges:
            site.compiler.edges[around, entry] = None
    return found


def require(site: Site, first: Any, *others: Any) -> Any:
    """`require`: brings classes in, before the class around."""
    found = bring_in(site, "require", [first, *others])
    around = site.scope.resource
    for ref in found:
        value = around.parameters.get("require")
        before = value if isinstance(value, list) else [] if value is None else [value]
        around.parameters["require"] = [*before, ref]
        around.required[len(before)] = (site.unit, site.node)
    return found


def realize(site: Site, *values: Any) -> Any:
    """`realize`: what is virtual becomes real, once it is declared."""
    for ref in flat(list(values)):
        if isinstance(ref, Unknown):
            site.compiler.undecided(ref, "realize", site.unit, site.node)
            continue
        name = shown(ref) if isinstance(ref, (ResourceType, ClassType)) else str(ref)
        kind, title = split_ref(name) or (name, "")
        site.compiler.realizing.append((kind, title, site.unit, site.node))


def tag(site: Site, *values: Any) -> Any:
    """`tag`: adds tags to what is around; for functions of its age undef is the empty text.

    Raises:
        EvaluationError: one is no tag.
    """
    tags = ["" if value is None else value for value in flat(list(values))]
    for unknown in (value for value in tags if isinstance(value, Unknown)):
        site.compiler.undecided(unknown, "tag", site.unit, site.node)
    tags = [value for value in tags if not isinstance(value, Unknown)]
    site.scope.resource.tag(checked_tags(tags, site.unit, site.node))


def notice(site: Site, *values: Any) -> Any:
    """`notice` and the like: a message, which is no matter of the catalog."""


def fail(site: Site, *values: Any) -> Any:
    """`fail`: ends the compile."""
    raise Refusal(" ".join(map(to_s, values)), site.unit, site.node)


def leave_block(site: Site, value: Any = None) -> Any:
    """`next`: leaves a lambda or a body with a value."""
    raise NextJump(value).of(site.unit, site.node)


def leave_body(site: Site, value: Any = None) -> Any:
    """`return`: leaves a function, class or define with a value."""
    raise ReturnJump(value).of(site.unit, site.node)


def leave_iteration(site: Site) -> Any:
    """`break`: leaves the innermost iteration."""
    raise BreakJump().of(site.unit, site.node)


def tagged(site: Site, *values: Any) -> Any:
    """`tagged`: tells whether what is around, or any class so far, has each of the tags."""
    known = {*site.compiler.tags, *site.scope.resource.tags}
    return all(("" if value is None else to_s(value)).lower() in known for value in values)


def new(site: Site, kind: Any, *values: Any) -> Any:
    """`new`: a value of a type made of other values."""
    from analyzer.frontends.puppet.types.construct.new import new_instance

    try:
        return new_instance(kind, list(values))
    except ValueError as problem:
        raise EvaluationError(str(problem), site.unit, site.node) from None


def type_of(site: Site, value: Any, detail: Any = "detailed") -> Any:
    """`type`: the type of a value."""
    from analyzer.frontends.puppet.types.infer import type_of as inferred

    return inferred(value, str(detail))


def assert_type(site: Site, kind: Any, value: Any) -> Any:
    """`assert_type`: the value, if it is of the type."""
    if isinstance(kind, str):
        kind = parse_type(kind)
    if isinstance(kind, Unknown) or is_instance(kind, value):
        return value
    if site.block is not None:
        from analyzer.frontends.puppet.types.infer import infer

        return site.block(kind, infer(value))
    from analyzer.frontends.puppet.types.infer import infer_set
    from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch

    raise EvaluationError(
        describe_mismatch("assert_type():", kind, infer_set(value)), site.unit, site.node
    )


CATALOG_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "assert_private": resources.assert_private,
    "assert_type": assert_type,
    "break": leave_iteration,
    "contain": contain,
    "create_resources": resources.create_resources,
    "debug": notice,
    "defined": defined.defined,
    "defined_with_params": resources.defined_with_params,
    "ensure_packages": packages.ensure_packages,
    "ensure_packages@4.25": packages.ensure_packages_4,
    "ensure_packages@5.2": packages.ensure_packages_5,
    "ensure_packages@8.0": packages.ensure_packages_8,
    "ensure_packages@8.3": packages.ensure_packages_8,
    "ensure_resource": resources.ensure_resource,
    "ensure_resources": resources.ensure_resources,
    "stdlib::ensure_packages": packages.ensure_packages,
    "stdlib::has_function": checks.has_function,
    "stdlib::str2resource": resources.str2resource,
    "stdlib::type_of": checks.type_of,
    "err": notice,
    "epp": templates.epp,
    "fail": fail,
    "getparam": resources.getparam,
    "get_module_path": checks.get_module_path,
    "hiera": data.hiera_first,
    "hiera_array": data.hiera_array,
    "hiera_hash": data.hiera_hash,
    "hiera_include": data.hiera_include,
    "include": include,
    "info": notice,
    "is_a": checks.is_a,
    "is_function_available": checks.is_function_available,
    "inline_epp": templates.inline_epp,
    "inline_template": templates.inline_template,
    "lookup": data.lookup,
    "new": new,
    "next": leave_block,
    "notice": notice,
    "private": resources.assert_private,
    "realize": realize,
    "require": require,
    "return": leave_body,
    "tag": tag,
    "tagged": tagged,
    "template": templates.template,
    "type": type_of,
    "type_of": checks.type_of,
    "validate_legacy": checks.validate_type,
    "validate_legacy@4.25": checks.validate_legacy,
    "warning": notice,
}

# Functions whose value nobody knows if there is something Unknown in their arguments; the others
# bear it, or say what they cannot do.
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


def left_to_ruby(name: str, value: Any, arguments: list[Any]) -> bool:
    """Tell whether a function could not be computed here, and Ruby has one value for it."""
    return isinstance(value, Unknown) and name not in UNSTEADY and unknown_in(*arguments) is None


def call(
    compiler: Compiler,
    name: str,
    arguments: list[Any],
    block: Block | None,
    scope: Scope,
    node: Node,
    unit: Unit,
) -> Any:
    """Call a function by name; one that the user has a value for is not called."""
    written, name = name, name.removeprefix("::")
    if name in compiler.stubs.functions:
        return compiler.stubs.functions[name]
    try:
        return call_known(compiler, name, written, arguments, block, scope, node, unit)
    except library.OutOfReach as outside:
        return outside.unknown


def call_known(
    compiler: Compiler,
    name: str,
    written: str,
    arguments: list[Any],
    block: Block | None,
    scope: Scope,
    node: Node,
    unit: Unit,
) -> Any:
    """Call a function of the catalog, the library or a module.

    Raises:
        OutOfReach: it reads a file that it may not read.
    """
    found = origin(compiler, name)
    if found is None:
        raise EvaluationError(f"Unknown function: '{written}'.", unit, node)
    if found.catalog is not None:
        check_arguments(found.catalog, found.title, arguments, block, found.native)
        unknown = find_unknown(arguments) if found.title in ASKING else None
        return unknown or found.catalog(Site(compiler, block, scope, node, unit), *arguments)
    if found.rows:
        library_call = library.LibraryCall(compiler, block, scope, node, unit)
        value = library.call_rows(found.title, found.rows, library_call, arguments)
        if compiler.ruby is None or not left_to_ruby(name, value, arguments):
            return value
        return compiler.ruby.function(Site(compiler, block, scope, node, unit), name, arguments)
    if not found.ruby:
        definition = compiler.known.find("function", name)
        assert definition is not None
        return library.call_defined(compiler, definition, arguments, block, node, unit)
    value = Unknown(found.ruby)
    if compiler.ruby is not None:
        value = compiler.ruby.function(Site(compiler, block, scope, node, unit), name, arguments)
    if type(value) is Unknown:
        gaps.left_to_ruby(compiler, name, value, block, node, unit)
    return value


def origin(compiler: Compiler, name: str) -> origins.Origin | None:
    """Return what a name means in a compile, None if there is no such function."""
    return origins.find(compiler.known, CATALOG_FUNCTIONS, name)
