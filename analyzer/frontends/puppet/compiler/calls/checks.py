"""Functions about definitions and types: defined, validate_legacy, is_a, type_of, has_function."""

from __future__ import annotations

import os
from typing import Any

from analyzer.frontends.puppet.compiler.declarable import may_declare_class
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite, Compilation
from analyzer.frontends.puppet.compiler.definitions import origins
from analyzer.frontends.puppet.compiler.parameters import OTHERS
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.scope import MISSING
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ClassType
from analyzer.frontends.puppet.types.model.wrappers import TypeType
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.unknowns import Verdict, either, fits
from analyzer.model.values import Unknown, Value


def validate_legacy(
    site: CallSite, wanted: Type | str, function: str, value: Value, *rest: Value
) -> None:
    """`validate_legacy`: a value must be of a type, or pass the function that used to check it.

    Raises:
        EvaluationError: it does neither.
    """
    kind = parse_type(wanted, site.compilation.resolve) if isinstance(wanted, str) else wanted
    if instance(kind, value):
        return
    try:
        site.compilation.call(function, [value, *rest], None, site.scope, site.node, site.unit)
    except EvaluationError:
        from analyzer.frontends.puppet.types.infer import infer_set
        from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch

        problem = describe_mismatch(f"validate_legacy({function})", kind, infer_set(value))
        raise EvaluationError(problem, site.unit, site.node) from None


def validate_type(
    site: CallSite, wanted: Type | str, function: Value, value: Value, *rest: Value
) -> None:
    """`validate_legacy` since stdlib 9: a value must be of a type.

    Raises:
        EvaluationError: it is of another.
    """
    kind = parse_type(wanted, site.compilation.resolve) if isinstance(wanted, str) else wanted
    if unknown_in(value) is None and not instance(kind, value):
        from analyzer.frontends.puppet.types.infer import infer_set
        from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch

        problem = describe_mismatch(f"validate_legacy({kind}, ...)", kind, infer_set(value))
        raise EvaluationError(problem, site.unit, site.node)


def is_a(site: CallSite, value: Value, kind: Type | Unknown) -> Value:
    """`is_a`: returns whether a value is of a type."""
    return kind if isinstance(kind, Unknown) else fits(kind, value)


def type_of(site: CallSite, value: Value) -> Value:
    """`type_of`: the type of a value, in detail."""
    from analyzer.frontends.puppet.types.infer import infer_set

    return infer_set(value)


def get_module_path(site: CallSite, name: Value) -> str:
    """`get_module_path`: the folder of a module.

    Raises:
        EvaluationError: there is no such module.
    """
    found = site.files.module(name) if isinstance(name, str) else None
    if found is None:
        environment = site.compilation.inputs.environment
        message = f"Could not find module {to_s(name)} in environment {environment}"
        raise EvaluationError(message, site.unit, site.node)
    # As in Puppet: functions that read files take no other paths.
    return os.path.abspath(found)


def is_function_available(site: CallSite, name: Value) -> bool:
    """`is_function_available`: returns whether there is a function of a name."""
    if not isinstance(name, str):
        return False
    found = origin_of(site, name)
    return found is not None and found is not origins.IN_PUPPET


def has_function(site: CallSite, name: str) -> bool:
    """`stdlib::has_function`: returns whether there is a function of a name."""
    return origin_of(site, name) is not None


def origin_of(site: CallSite, name: str) -> origins.FunctionOrigin | None:
    """Return the origin of a function by its name, None if there is no such function."""
    return origins.find(site.compilation.definitions, site.compilation.functions, name)


NO_CLASS = "The given class type is a reference to all classes"
NO_TYPE = "The given resource type is a reference to all kind of types"


def defined(site: CallSite, first: Value, *others: Value) -> Value:
    """`defined`: returns whether any of the values is known or declared (functions/defined.rb).

    Raises:
        EvaluationError: a reference is to all classes or types.
    """
    return either(is_defined(site, value) for value in (first, *others))


def is_defined(site: CallSite, value: Value) -> Verdict:
    """Return whether one value is; not known of what a missing module may define."""
    if isinstance(value, str):
        if value.startswith("$") and len(value) > 1:
            return has_variable(site, value[1:])
        return value == "main" or (value != "" and is_known(site.compilation, value))
    inner: Any = value.type if isinstance(value, TypeType) else value
    if isinstance(inner, ClassType):
        if inner.class_name is None:
            raise EvaluationError(NO_CLASS, site.unit, site.node)
        if inner is not value:
            return is_class(site.compilation, inner.class_name)
    elif inner.type_name is None:
        raise EvaluationError(NO_TYPE, site.unit, site.node)
    elif inner.title is None:
        return is_type(site.compilation, inner.type_name)
    if site.compilation.find_ref(inner) is not None:
        return True
    others = site.compilation.inputs.parameters.get(OTHERS)
    if others is not None:
        return Unknown(str(others))
    return bool(getattr(inner, "class_name", None)) and may_be_declared(
        site.compilation, inner.class_name
    )


def may_be_declared(compilation: Compilation, name: str) -> Verdict:
    """Return whether something undecided, with the class's own name in it, may declare a class."""
    for unknown, _, _, _, around in compilation.undecided_by:
        if may_declare_class((around,), name):
            # A title is a text, which would be true.
            return Unknown(unknown.reason)
    return False


def has_variable(site: CallSite, name: str) -> Verdict:
    """Return whether there is a variable, even one without a value; a fact may be the site's."""
    if site.compilation.visible_variable(name, site.scope) is not MISSING:
        return True
    return site.compilation.may_be_fact(f"::{name.removeprefix('::')}") or False


def is_known(compilation: Compilation, name: str) -> Verdict:
    """Return whether there is a type of resources, a define or a class of a name."""
    return either((is_type(compilation, name), is_class(compilation, name)))


def is_class(compilation: Compilation, name: str) -> Verdict:
    """Return whether there is a class; not known of one that a missing module may have."""
    found = compilation.definitions.find("class", name)
    if found is not None and found.missing:
        return Unknown(f"class {name} {found.missing}")
    return found is not None


def is_type(compilation: Compilation, name: str) -> Verdict:
    """Return whether there is a type or a define; not known if a missing module may have it."""
    known = compilation.definitions
    if known.has_ruby_type(name):
        return True
    found = known.find("define", name)
    missing = known.missing.reason("resource type", name) if found is None else found.missing
    return Unknown(f"resource type {name} {missing}") if missing else found is not None
