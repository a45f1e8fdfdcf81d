"""Messages about the arguments of a call (TypeMismatchDescriber#describe_signatures)."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.infer import infer_set
from analyzer.frontends.puppet.types.mismatches.describe import Found, describe, merge
from analyzer.frontends.puppet.types.mismatches.mismatch import (
    BLOCK,
    CountMismatch,
    MissingBlock,
    Path,
    UnexpectedBlock,
)
from analyzer.frontends.puppet.types.model.base import UNDEF, Type
from analyzer.frontends.puppet.types.model.callables import CallableType, callable_type
from analyzer.frontends.puppet.types.model.collections import TupleType, exactly
from analyzer.frontends.puppet.types.model.wrappers import OptionalType
from analyzer.frontends.puppet.types.signatures import Signature
from analyzer.frontends.puppet.types.traits import is_callable


def describe_call(
    function: str,
    signatures: Sequence[Signature],
    arguments: Sequence[object],
    block: object = None,
) -> str:
    """Return why no signature of a function accepts the arguments; `lambda` is a block."""
    types = tuple(infer_set(value) for value in arguments)
    return describe_signatures(function, signatures, types, callable_type(block))


def describe_signatures(
    function: str,
    signatures: Sequence[Signature],
    arguments: Sequence[Type],
    block: Type | None = None,
) -> str:
    """Return the text of `describe_call`, for types of arguments and of a block."""
    arguments = tuple(arguments)
    if block is None and arguments and is_callable(arguments[-1]):
        *others, block = arguments
        arguments = tuple(others)
    found = [_arguments(each, arguments, index) for index, each in enumerate(signatures)]
    if not all(found):
        blocks = [_block(each, block, index) for index, each in enumerate(signatures)]
        if all(blocks):
            found = blocks
        else:
            found = [mine or theirs for mine, theirs in zip(found, blocks, strict=True)]
    if not found:
        return ""
    label = "block" if function == "lambda" else f"'{function}'"
    merged = merge(0, CountMismatch, found)
    if len(merged) == 1:
        return label + merged[0].text()
    return "\n".join(_all(label, signatures, found))


def _all(label: str, signatures: Sequence[Signature], found: Sequence[Found]) -> list[str]:
    if len(signatures) == 1:
        rejected = [f"  rejected:{each.without(0).text()}" for each in found[0]]
        return [f"{label} expects ({signature_text(signatures[0])})", *rejected]
    lines = [
        f"The function {label} was called with arguments it does not accept. It expects one of:"
    ]
    for signature, mismatches in zip(signatures, found, strict=True):
        lines.append(f"  ({signature_text(signature)})")
        lines += [f"    rejected:{each.without(0).text()}" for each in mismatches]
    return lines


def _arguments(signature: Signature, arguments: tuple[Type, ...], index: int) -> Found:
    path: Path = (("signature", index),)
    size, count = signature.params.sizes, exactly(len(arguments))
    if not assignable(size, count):
        return [CountMismatch(path, size, count)]
    types = signature.params.types
    for position, actual in enumerate(arguments):
        at = min(position, len(types) - 1)
        if at >= 0 and not assignable(types[at], actual):
            name = signature.names[at] if at < len(signature.names) else ""
            found = describe(types[at], actual, (*path, ("parameter", name)))
            if found:
                return found
    return []


def _block(signature: Signature, block: Type | None, index: int) -> Found:
    path: Path = (("signature", index),)
    expected = signature.type.block
    if block is not None:
        if expected is None:
            return [UnexpectedBlock(path)]
        return describe(expected, block, (*path, BLOCK))
    if expected is None or assignable(expected, UNDEF):
        return []
    return [MissingBlock(path)]


def signature_text(signature: Signature) -> str:
    """Return the parameters of a signature, as messages show them."""
    params: TupleType = signature.params
    low, high = params.sizes.low or 0, params.sizes.high
    if high == 0:
        return ""
    names = signature.names or ("",) * len(params.types)
    shown = []
    for index, name in enumerate(names):
        found, mark = params.at(index), ""
        if high is None and index == len(names) - 1:
            mark = "+" if low == len(names) else "*"
        elif index >= low:
            mark = "?"
            if isinstance(found, OptionalType) and found.type is not None:
                found = found.type
        shown.append(f"{found} {name}{mark}")
    block = signature.type.block
    if isinstance(block, OptionalType):
        shown.append(f"{block.type} {signature.block_name}?")
    elif isinstance(block, CallableType):
        shown.append(f"{block} {signature.block_name}")
    return ", ".join(shown)
