"""The signatures of functions that work on the catalog, and the check of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter
from inspect import signature as python_signature
from typing import TYPE_CHECKING

from analyzer.frontends.puppet.compiler.calls.library import signature
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.parameters import wrong_count
from analyzer.frontends.puppet.types.mismatches.calls import describe_call
from analyzer.model.values import Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.blocks import Block

EPP = "Hash[Pattern[/^\\w+$/], Any] $parameters = {}"
HIERA = (
    "Tuple[String, Any, Any, 1, 3] $args",
    "String $key",
    "String $key, Any $default, Any $override = undef",
    "String $key, &Callable[1, 1] $default_block",
    "String $key, Any $override, &Callable[1, 1] $default_block",
)
NAME = "Variant[String, Array[String]]"
MERGE = "Variant[String[1], Hash[String, Scalar]]"
BLOCK = f"&Callable[{NAME}] $block"
OPTIONS = f"""
    Optional['value_type']          => Optional[Type],
    Optional['default_value']       => Any,
    Optional['override']            => Optional[Hash[String, Any]],
    Optional['default_values_hash'] => Optional[Hash[String, Any]],
    Optional['merge']               => Optional[{MERGE}]"""
PACKAGES = (
    "Variant[String[1], Array[String[1]], Hash[String[1], Any]] $packages, "
    "Hash $default_attributes = {}",
)
OPTIONAL_BLOCK = f"&Optional[Callable[{NAME}]] $block"
VALIDATED = ("Variant[Type, String] $target_type, String $function_name, Any $value, Any *$args",)
ASSERTED = "Any $value, &Optional[Callable[Type, Type]] $block"

SIGNATURES: dict[str, tuple[str, ...]] = {
    "assert_type": (f"Type $type, {ASSERTED}", f"String $type_string, {ASSERTED}"),
    "break": ("",),
    "call": (
        "String $function_name, Any *$arguments, &Optional[Callable] $block",
        "Deferred $deferred",
    ),
    "defined": ("Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] *$vals",),
    "ensure_packages": PACKAGES,
    "ensure_packages@8.3": PACKAGES,
    "ensure_packages@9.0": PACKAGES,
    "stdlib::ensure_packages": PACKAGES,
    "epp": (f"String $path, {EPP}",),
    "hiera": HIERA,
    "hiera_array": HIERA,
    "hiera_hash": HIERA,
    "hiera_include": HIERA,
    "inline_epp": (f"String $template, {EPP}",),
    "is_a": ("Any $value, Type $type",),
    "lookup": (
        f"{NAME} $name, Type $value_type = Any, {MERGE} $merge = 'first'",
        f"{NAME} $name, Optional[Type] $value_type, Optional[{MERGE}] $merge, Any $default_value",
        f"{NAME} $name, Type $value_type = Any, {MERGE} $merge = 'first', {BLOCK}",
        f"Struct[{{ name => {NAME}, {OPTIONS} }}] $options_hash, {OPTIONAL_BLOCK}",
        f"{NAME} $name, Struct[{{ {OPTIONS} }}] $options_hash, {OPTIONAL_BLOCK}",
    ),
    "new": ("Type $type, Any *$args, &Optional[Callable] $block",),
    "next": ("Any $value = undef",),
    "return": ("Any $value = undef",),
    "stdlib::has_function": ("String[1] $function_name",),
    "stdlib::str2resource": ("String $res_string",),
    "type": (
        "Any $value, Enum['detailed', 'generalized', 'reduced'] $inference_method = 'detailed'",
    ),
    "validate_legacy": VALIDATED,
    "validate_legacy@4.25": VALIDATED,
}

# The least arguments of functions of the older kind, which tell it in their own words.
LEAST = {
    "create_resources": 2,
    "inline_template": 1,
    "realize": 1,
    "tag": 1,
    "tagged": 1,
    "template": 1,
}


def check_arguments(
    function: Callable[..., Value],
    name: str,
    arguments: list[Value],
    block: Block | None,
    native: str,
) -> None:
    """Refuse arguments that a function does not take, by the name `native` that it has with us.

    Raises:
        EvaluationError: there are too few or too many, or they are of other types.
    """
    least = LEAST.get(name, 0)
    if len(arguments) < least:
        count = f"{len(arguments)} for minimum {least}"
        raise EvaluationError(f"{name}(): Wrong number of arguments given ({count})")
    texts = SIGNATURES.get(native)
    if texts is not None:
        signatures = [signature(text) for text in texts]
        if not any(one.accepts(arguments, block) for one in signatures):
            raise EvaluationError(describe_call(name, signatures, arguments, block))
    check_count(function, name, arguments)


@cache
def arity(function: Callable[..., Value]) -> tuple[int, int | None]:
    """Return the least and the most number of a function's arguments; None: any number."""
    parameters = list(python_signature(function).parameters.values())[1:]
    plain = [p for p in parameters if p.kind is not Parameter.VAR_POSITIONAL]
    least = sum(p.default is Parameter.empty for p in plain)
    return least, len(plain) if len(plain) == len(parameters) else None


def check_count(function: Callable[..., Value], name: str, arguments: list[Value]) -> None:
    """Refuse a wrong number of arguments.

    Raises:
        EvaluationError: there are too few or too many.
    """
    least, most = arity(function)
    if len(arguments) < least or (most is not None and len(arguments) > most):
        raise EvaluationError(wrong_count(f"'{name}'", least, most, len(arguments)))
