"""Functions of Puppet's library and of modules: found by name, checked, and called."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from analyzer.frontends.puppet.compiler.definitions.table import Definition
from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.evaluate.calls import Lambda, Parameter, bind_arguments
from analyzer.frontends.puppet.evaluate.errors import (
    EvaluationError,
    NextJump,
    ReturnJump,
    Unit,
)
from analyzer.frontends.puppet.evaluate.scope import MISSING, Scope
from analyzer.frontends.puppet.evaluate.thunks import nothing, thunk_of
from analyzer.frontends.puppet.functions.registry import Dispatch
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.parsing.parse import alias, parse_type
from analyzer.frontends.puppet.types.signatures import Parameter as TypedParameter
from analyzer.frontends.puppet.types.signatures import Signature, signature_of
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.completeness import hint_in
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown
from analyzer.reach import Outside, may_read
from analyzer.reading import read_bytes

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler

BLOCK = re.compile(r"(?:,\s*|\A\s*)&(.+?)\s+\$(\w+)\s*\Z", re.DOTALL)


@lru_cache(maxsize=2048)
def signature(text: str, types: tuple[tuple[str, str], ...] = ()) -> Signature:
    """Return the signature that a parameter list says; its block stands last, after `&`.

    `types` are names of its own with what they mean; such a type may name itself.
    """
    from analyzer.frontends.puppet.syntax.parsing.parser import parse

    named: dict[str, Type] = {}

    def resolve(name: str) -> Type | None:
        return named.get(name.lower())

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
    return signature_of(parameters, None, block, block_name)


class LibraryCall:
    """What a function of the library may ask of the compile that calls it."""

    def __init__(
        self, compiler: Compiler, block: Block | None, scope: Scope, node: Node, unit: Unit
    ) -> None:
        self.compiler = compiler
        self.block = block
        self.scope = scope
        self.node = node
        self.unit = unit
        self.files = ModuleFiles(compiler, node, unit)

    def call(self, name: str, *arguments: Any, block: Any = None) -> Any:
        """Call another function."""
        return self.compiler.call(name, list(arguments), block, self.scope, self.node, self.unit)

    def variable(self, name: str) -> Any:
        """Return a variable's value, None where it has none."""
        found = self.find_variable(name)
        return None if found is MISSING else found

    def find_variable(self, name: str) -> Any:
        """Return a variable's value, MISSING where there is no such variable."""
        bare = name.removeprefix("::")
        if "::" in bare:
            return self.compiler.class_variable(bare)
        return self.scope.find(bare) if bare == name else self.compiler.top.own(bare)

    def fail(self, message: str) -> NoReturn:
        """End the evaluation with an error."""
        raise EvaluationError(message, self.unit, self.node)

    def warn(self, message: str) -> None:
        """Log a warning."""
        self.compiler.warnings.append(message)

    def log(self, level: str, *values: Any) -> None:
        """Log values: no matter of the catalog."""


class OutOfReach(Exception):
    """A call reads a file that it may not read: the result is an Unknown, for Ruby too."""

    def __init__(self, unknown: Unknown) -> None:
        super().__init__(unknown.reason)
        self.unknown = unknown


class ModuleFiles:
    """The files of the modules of an environment."""

    def __init__(self, compiler: Compiler, node: Node, unit: Unit) -> None:
        self.compiler = compiler
        self.node = node
        self.unit = unit
        self.module = compiler.known.module

    def find(self, path: str, folder: str = "files") -> str | None:
        """Return where `module/path`, or an absolute path, is.

        Raises:
            OutOfReach: it may not be read, and so not be told whether it is there.
        """
        found = path = str(path)
        if not os.path.isabs(path):
            module, _, rest = path.partition("/")
            base = self.module(module)
            if base is None:
                return None
            found = os.path.join(base, folder, rest)
        if may_read(found):
            return found if os.path.exists(found) else None
        said = str(Outside(found).strerror)
        reason, hint = hint_in(said)
        self.compiler.leave_out("file", path, reason, self.unit, self.node, hint=hint)
        raise OutOfReach(Unknown(f"what the file {path} holds: {said}"))

    def read(self, path: str) -> bytes:
        """Return what a file holds.

        Raises:
            EvaluationError: it cannot be read.
        """
        try:
            return read_bytes(path)
        except OSError as error:
            raise EvaluationError(f"{error.strerror} @ rb_sysopen - {path}") from None


def call_rows(name: str, rows: Sequence[Dispatch], call: LibraryCall, arguments: list[Any]) -> Any:
    """Call the first implementation whose signature takes the arguments.

    Raises:
        EvaluationError: none does.
    """
    signatures: list[Signature] = []
    for row in rows:
        if row.arity is not None:
            return row(call, *arguments)
        if row.mismatch:
            continue
        unknown = row.unknown_in(tuple(arguments))
        if unknown is not None:
            return unknown
        for text in row.signatures:
            one = signature(text, tuple(row.types.items()))
            if one.accepts(arguments, call.block):
                return undecided_row(row, one, rows, arguments) or row(call, *arguments)
            signatures.append(one)
    return refused(name, rows, signatures, call, arguments)


def refused(
    name: str,
    rows: Sequence[Dispatch],
    signatures: list[Signature],
    call: LibraryCall,
    arguments: list[Any],
) -> Any:
    """Refuse the arguments of a call, in the function's own words if it has any.

    Raises:
        EvaluationError: they are known well enough.
    """
    for row in rows:
        types = tuple(row.types.items())
        takes = (signature(text, types) for text in row.signatures if row.mismatch)
        if any(one.accepts(arguments, call.block) for one in takes):
            said = row(call, *arguments)
            if isinstance(said, Unknown):
                return said
            if said:
                call.fail(f"'{name}' {said}")
    from analyzer.frontends.puppet.types.mismatches.calls import describe_call

    return call.fail(describe_call(name, signatures, arguments, call.block))


def undecided_row(
    row: Dispatch, taken: Signature, rows: Sequence[Dispatch], arguments: list[Any]
) -> Unknown | None:
    """Return the Unknown among the arguments that decides between this row and a later one."""
    later = [one for one in rows[rows.index(row) + 1 :] if one.compute is not row.compute]
    if not later or taken.params.instance(arguments):
        return None
    unknown = find_unknown(arguments)
    others = (signature(text, tuple(one.types.items())) for one in later for text in one.signatures)
    if unknown is None or not any(is_instance(other.params, arguments) for other in others):
        return None
    return unknown.as_any()


def call_defined(
    compiler: Compiler,
    definition: Definition,
    arguments: list[Any],
    block: Block | None,
    node: Node,
    unit: Unit,
) -> Any:
    """Call a function written in the Puppet language, in the top scope with its arguments.

    Raises:
        EvaluationError: the arguments or the value returned are of other types.
    """
    scope = compiler.top
    around, scope.frames = scope.frames, scope.frames[:1]
    try:
        return value_of_call(compiler, definition, arguments, block, node, unit)
    finally:
        scope.frames = around


def value_of_call(
    compiler: Compiler,
    definition: Definition,
    arguments: list[Any],
    block: Block | None,
    node: Node,
    unit: Unit,
) -> Any:
    """Return what a function makes of its arguments; the top scope shows its own variables only.

    Raises:
        EvaluationError: the arguments or the value returned are of other types.
    """
    scope = compiler.top
    parameters = [Parameter(p, definition.unit) for p in definition.node.parameters]
    takes = Lambda(parameters, nothing, compiler, scope, definition.unit).signature
    name = definition.node.name
    if not takes.accepts(arguments, block):
        from analyzer.frontends.puppet.types.mismatches.calls import describe_call

        raise EvaluationError(describe_call(name, [takes], arguments, block), unit, node)
    scope.frames.append(bind_arguments(name, parameters, tuple(arguments), compiler, scope))
    try:
        value = definition.body(compiler, scope)
    except (ReturnJump, NextJump) as jump:
        value = jump.value
    wanted = definition.node.return_type
    if wanted is not None:
        kind = compiler.known_type(thunk_of(wanted, definition.unit)(compiler, scope))
        if not is_instance(kind, value):
            from analyzer.frontends.puppet.types.infer import infer_set
            from analyzer.frontends.puppet.types.mismatches.describe import describe_mismatch

            said = describe_mismatch(
                f"value returned from {name} has wrong type,", kind, infer_set(value)
            )
            raise EvaluationError(said, unit, node)
    return value
