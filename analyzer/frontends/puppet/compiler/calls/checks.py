"""Functions of stdlib that ask the types or the modules: validate_legacy, is_a, type_of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.unknowns import fits
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.calls.dispatch import Site


def validate_legacy(site: Site, wanted: Any, function: str, value: Any, *rest: Any) -> None:
    """`validate_legacy`: a value must be of a type, or pass the function that used to check it.

    Raises:
        EvaluationError: it does neither.
    """
    kind = parse_type(wanted, site.compiler.resolve) if isinstance(wanted, str) else wanted
    if instance(kind, value):
        return
    try:
        site.compiler.call(function, [value, *rest], None, site.scope, site.node, site.unit)
    except EvaluationError:
        from analyzer.frontends.puppet.types.infer import infer_set
        from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch

        said = describe_mismatch(f"validate_legacy({function})", kind, infer_set(value))
        raise EvaluationError(said, site.unit, site.node) from None


def validate_type(site: Site, wanted: Any, function: Any, value: Any, *rest: Any) -> None:
    """`validate_legacy` since stdlib 9: a value must be of a type.

    Raises:
        EvaluationError: it is of another.
    """
    kind = parse_type(wanted, site.compiler.resolve) if isinstance(wanted, str) else wanted
    if unknown_in(value) is None and not instance(kind, value):
        from analyzer.frontends.puppet.types.infer import infer_set
        from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch

        said = describe_mismatch(f"validate_legacy({kind}, ...)", kind, infer_set(value))
        raise EvaluationError(said, site.unit, site.node)


def is_a(site: Site, value: Any, kind: Any) -> Any:
    """`is_a`: tells whether a value is of a type."""
    return kind if isinstance(kind, Unknown) else fits(kind, value)


def type_of(site: Site, value: Any) -> Any:
    """`type_of`: the type of a value, in detail."""
    from analyzer.frontends.puppet.types.infer import infer_set

    return infer_set(value)


def get_module_path(site: Site, name: Any) -> str:
    """`get_module_path`: the folder of a module.

    Raises:
        EvaluationError: there is no such module.
    """
    found = site.files.module(name) if isinstance(name, str) else None
    if found is None:
        environment = site.compiler.environment
        message = f"Could not find module {to_s(name)} in environment {environment}"
        raise EvaluationError(message, site.unit, site.node)
    return found


def is_function_available(site: Site, name: Any) -> bool:
    """`is_function_available`: tells whether there is a function of a name."""
    if not isinstance(name, str):
        return False
    from analyzer.frontends.puppet.compiler.calls import dispatch as functions
    from analyzer.frontends.puppet.compiler.definitions import origins

    found = functions.origin(site.compiler, name)
    return found is not None and found is not origins.IN_PUPPET


def has_function(site: Site, name: str) -> bool:
    """`stdlib::has_function`: tells whether there is a function of a name."""
    from analyzer.frontends.puppet.compiler.calls.dispatch import origin

    return origin(site.compiler, name) is not None
