"""Functions of Puppet's library and of modules: found by name, checked, and called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from analyzer.frontends.puppet.compiler.declared.compilation import CallSite, Compilation
from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.evaluate.calls import Lambda
from analyzer.frontends.puppet.evaluate.errors import (
    EvaluationError,
    NextJump,
    ReturnJump,
    Unit,
)
from analyzer.frontends.puppet.evaluate.parameters import (
    bind_arguments,
    check_arguments,
    check_returned,
)
from analyzer.frontends.puppet.functions.registry import LIMITED, Dispatch, rows_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.parsing.parse import alias, parse_type
from analyzer.frontends.puppet.types.signatures import Signature, signature_of
from analyzer.frontends.puppet.types.signatures import SignatureParameter as TypedParameter
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown, Value

QUALIFIED = re.compile(r"\b[A-Z]\w*(?:::[A-Z]\w*)+")
BLOCK = re.compile(r"(?:,\s*|\A\s*)&(.+?)\s+\$(\w+)\s*\Z", re.DOTALL)


@lru_cache(maxsize=2048)
def signature(text: str, types: tuple[tuple[str, str], ...] = ()) -> Signature:
    """Return the signature that a parameter list says; its block stands last, after `&`.

    `types` are names of its own with what they mean; such a type may name itself.
    """
    return signature_with(text, types, lambda name: None)


def signature_with(
    text: str, types: Iterable[tuple[str, str]], others: Callable[[str], Type | None]
) -> Signature:
    """Return a signature as `signature` does; `others` returns types of modules by name."""
    from analyzer.frontends.puppet.syntax.parsing.parser import parse

    named: dict[str, Type] = {}

    def resolve(name: str) -> Type | None:
        return named.get(name.lower()) or others(name)

    for name, meaning in types:
        named[name.lower()] = alias(name, meaning, resolve)
    block, block_name = None, "block"
    found = BLOCK.search(text)
    if found:
        block, block_name = parse_type(found[1], resolve), found[2]
        text = text[: found.start()]
    program = parse(f"function f({text}) {{}}")
    definition = program.definitions[0]
    assert isinstance(definition, a.FunctionDefinition)
    parameters = [
        TypedParameter(
            p.name,
            parse_type(p.type_expr, resolve) if p.type_expr is not None else ANY,
            p.value is not None,
            p.captures_rest,
        )
        for p in definition.parameters
    ]
    return signature_of(parameters, block, block_name)


def signatures_of(row: Dispatch) -> list[Signature]:
    """Return the signatures of an implementation."""
    if not row.parsed:
        types = tuple(row.types.items())
        row.parsed.extend(signature(text, types) for text in row.signatures)
    return row.parsed


def know_types(rows: Sequence[Dispatch], call: CallSite) -> bool:
    """Give rows their signatures with the types of modules; return whether all types are there."""
    others = call.compilation.resolve
    for row in rows:
        if row.parsed or row.arity is not None:
            continue
        text = " ".join((*row.signatures, *row.types.values()))
        if any(others(name) is None for name in QUALIFIED.findall(text)):
            return False
        row.parsed.extend(signature_with(one, row.types.items(), others) for one in row.signatures)
    return True


def call_rows(name: str, rows: Sequence[Dispatch], call: CallSite, arguments: list[Value]) -> Value:
    """Call the first implementation whose signature takes the arguments.

    Raises:
        EvaluationError: none does.
    """
    signatures: list[Signature] = []
    if name in LIMITED:
        rows = rows_of(rows, call.puppet_version)
    for row in rows:
        if row.arity is not None:
            return row(call, *arguments)
        if row.mismatch:
            continue
        unknown = row.unknown_in(arguments)
        if unknown is not None:
            return unknown
        for one in signatures_of(row):
            if one.accepts(arguments, call.block):
                return undecided_row(row, one, rows, arguments) or row.value(call, arguments)
            signatures.append(one)
    return refused(name, rows, signatures, call, arguments)


def refused(
    name: str,
    rows: Sequence[Dispatch],
    signatures: list[Signature],
    call: CallSite,
    arguments: list[Value],
) -> Value:
    """Refuse the arguments of a call, in the function's own words if it has any.

    Raises:
        EvaluationError: they are known well enough.
    """
    for row in rows:
        if row.mismatch and any(one.accepts(arguments, call.block) for one in signatures_of(row)):
            problem = row(call, *arguments)
            if isinstance(problem, Unknown):
                return problem
            if problem:
                call.fail(f"'{name}' {problem}")
    from analyzer.frontends.puppet.types.mismatches.calls import describe_call

    return call.fail(describe_call(name, signatures, arguments, call.block))


def undecided_row(
    row: Dispatch, taken: Signature, rows: Sequence[Dispatch], arguments: list[Value]
) -> Unknown | None:
    """Return the Unknown among the arguments that decides between this row and a later one."""
    if row is rows[-1]:
        return None
    later = [one for one in rows[rows.index(row) + 1 :] if one.compute is not row.compute]
    if not later or instance(taken.params, arguments):
        return None
    unknown = find_unknown(arguments)
    others = (other for one in later for other in signatures_of(one))
    if unknown is None or not any(is_instance(other.params, arguments) for other in others):
        return None
    return unknown.as_any()


def call_defined(
    compilation: Compilation,
    definition: Definition,
    arguments: list[Value],
    block: Block | None,
    node: Node,
    unit: Unit,
) -> Value:
    """Call a function written in the Puppet language, in the top scope with its arguments.

    Raises:
        EvaluationError: the arguments or the value returned are of other types.
    """
    scope = compilation.top
    around, scope.frames = scope.frames, scope.frames[:1]
    code = definition.lambda_code
    name = definition.node.name
    try:
        takes = Lambda(code, compilation, scope).signature
        if not takes.accepts(arguments, block):
            from analyzer.frontends.puppet.types.mismatches.calls import describe_call

            raise EvaluationError(describe_call(name, [takes], arguments, block), unit, node)
        bound = bind_arguments(name, code.parameters, tuple(arguments), compilation, scope)
        check_arguments(name, takes, code.parameters, bound)
        scope.frames.append(bound)
        if compilation.trace is not None:
            compilation.trace.bind(bound, bound)
        try:
            value = definition.body(compilation, scope)
        except NextJump as jump:
            value = jump.value
        except ReturnJump as jump:
            # It goes to the caller, past the check of the value (pops/evaluator/closure.rb).
            return jump.value
        wanted = definition.return_type
        kind = None if wanted is None else compilation.known_type(wanted(compilation, scope))
    finally:
        scope.frames = around
    if kind is not None:
        try:
            check_returned(name, kind, value)
        except EvaluationError as error:
            raise error.at(unit, node) from None
    return value
