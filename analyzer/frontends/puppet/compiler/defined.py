"""`defined`: tells whether classes, types or variables are known, or resources declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler.calls.library import LibraryCall
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.scope import MISSING
from analyzer.frontends.puppet.types.model.catalog import ClassType
from analyzer.frontends.puppet.types.model.wrappers import TypeType

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.calls.dispatch import Site
    from analyzer.frontends.puppet.compiler.compiler import Compiler

NO_CLASS = "The given class type is a reference to all classes"
NO_TYPE = "The given resource type is a reference to all kind of types"


def defined(site: Site, first: Any, *others: Any) -> Any:
    """`defined`: tells whether any of the values is known or declared (functions/defined.rb).

    Raises:
        EvaluationError: a reference is to all classes or types.
    """
    return any(is_defined(site, value) for value in (first, *others))


def is_defined(site: Site, value: Any) -> bool:
    """Tell whether one value is."""
    if isinstance(value, str):
        if value.startswith("$") and len(value) > 1:
            return has_variable(site, value[1:])
        return value == "main" or (value != "" and is_known(site.compiler, value))
    inner: Any = value.type if isinstance(value, TypeType) else value
    if isinstance(inner, ClassType):
        if inner.class_name is None:
            raise EvaluationError(NO_CLASS, site.unit, site.node)
        if inner is not value:
            return site.compiler.known.find("class", inner.class_name) is not None
    elif inner.type_name is None:
        raise EvaluationError(NO_TYPE, site.unit, site.node)
    elif inner.title is None:
        return site.compiler.resource_exists(inner.type_name)
    return site.compiler.find_ref(inner) is not None


def has_variable(site: Site, name: str) -> bool:
    """Tell whether there is a variable, even one without a value."""
    call = LibraryCall(site.compiler, None, site.scope, site.node, site.unit)
    return call.find_variable(name) is not MISSING


def is_known(compiler: Compiler, name: str) -> bool:
    """Tell whether there is a type of resources, a define or a class of a name."""
    return compiler.resource_exists(name) or compiler.known.find("class", name) is not None
