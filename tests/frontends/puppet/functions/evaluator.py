"""A small evaluator: literals, calls, lambdas and the operators that the cases need."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.evaluate.errors import BreakJump
from analyzer.frontends.puppet.evaluate.ruby import equal, inspect
from analyzer.frontends.puppet.functions.core.iterables import Series
from analyzer.frontends.puppet.functions.families import find
from analyzer.frontends.puppet.functions.registry import decide, rows_of
from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.types.infer import type_of
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.signatures import SignatureParameter, signature_of
from analyzer.model.keys import as_key
from analyzer.model.quote import float_text
from analyzer.model.releases import Release
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import DEFAULT, Regexp, Sensitive, Unknown

from .signatures import Rejected, choose, mismatched

FACTS = {"networking": {"fqdn": "Web1.example.com"}, "n": 5}


class Failure(Exception):
    """An error in Puppet's words."""


class Next(Exception):
    """`next` in a lambda."""


Scope = dict[str, Any]


# The version whose answers are recorded.
VERSION = Release.parse("7.23")


@dataclass
class Lambda:
    """A lambda as a value."""

    node: ast.LambdaExpression
    scope: Scope
    evaluator: Evaluator

    def __call__(self, *arguments: Any) -> Any:
        scope = dict(self.scope)
        for i, parameter in enumerate(self.node.parameters):
            if parameter.captures_rest:
                scope[parameter.name] = list(arguments[i:])
            elif i < len(arguments):
                scope[parameter.name] = arguments[i]
            else:
                scope[parameter.name] = self.evaluator.value(parameter.value, scope)
        try:
            return self.evaluator.value(self.node.body, scope)
        except Next as found:
            return found.args[0]

    @property
    def cold(self) -> int:
        return sys.maxsize

    def attempt(self, *arguments: Any) -> Any:
        return self(*arguments)

    def go_on(self, form: str, rest: Iterator[Any], result: Any) -> tuple[bool, Any]:
        return False, result

    @property
    def arity(self) -> tuple[int, int | None]:
        parameters = self.node.parameters
        least = sum(each.value is None and not each.captures_rest for each in parameters)
        most = None if any(each.captures_rest for each in parameters) else len(parameters)
        return least, most

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.node.parameters)

    @property
    def callable_type(self) -> CallableType:
        parameters = [
            SignatureParameter(each.name, ANY, each.value is not None, each.captures_rest)
            for each in self.node.parameters
        ]
        return signature_of(parameters).type


@dataclass
class Folder:
    """Modules as folders of one folder."""

    root: Path

    def find(self, path: str, folder: str = "files") -> str | None:
        module, _, rest = path.partition("/")
        place = Path(path) if path.startswith("/") else self.root / module / folder / rest
        return str(place) if rest and place.is_file() else None

    def read(self, path: str) -> bytes:
        return Path(path).read_bytes()

    def module(self, name: str) -> str | None:
        place = self.root / name
        return str(place) if name and place.is_dir() else None


@dataclass
class FunctionCall:
    """What a function may ask."""

    evaluator: Evaluator
    block: Block | None
    files: Folder
    puppet_version: int = VERSION

    def call(self, name: str, *arguments: Any, block: Block | None = None) -> Any:
        if name == "type":
            return type_of(*arguments)
        return self.evaluator.call(name, list(arguments), block)

    def variable(self, name: str) -> Any:
        return self.evaluator.variables.get(name.removeprefix("::"))

    def fail(self, message: str) -> NoReturn:
        raise Failure(message)

    def warn(self, message: str) -> None:
        if ("warning", message) not in self.evaluator.logs:
            self.evaluator.logs.append(("warning", message))

    def log(self, level: str, *values: Any) -> None:
        if level not in ("debug", "info"):
            self.evaluator.logs.append((level, " ".join(map(text_of, values))))


@dataclass
class Evaluator:
    """Evaluates one expression; `logs` is what it logged."""

    modules: Path
    logs: list[tuple[str, str]] = field(default_factory=list)
    variables: Scope = field(default_factory=lambda: {"facts": FACTS, "given": [1, {"a": 2}]})

    def run(self, text: str) -> Any:
        """Return the value of a program."""
        self.text = text
        try:
            return self.value(parse(text).body, self.variables)
        except BreakJump:
            raise Failure("break() from context where this is illegal") from None

    def value(self, node: Any, scope: Scope) -> Any:
        if node is None or isinstance(node, ast.Nop):
            return None
        return EVALUATE[type(node)](self, node, scope)

    def call(self, name: str, arguments: list[Any], block: Block | None) -> Any:
        """Call a function."""
        match name:
            case "break":
                raise BreakJump
            case "next":
                raise Next(arguments[0] if arguments else None)
            case "Timestamp":
                return Timestamp.parse(*arguments)
            case "Sensitive":
                inner = arguments[0]
                return inner if isinstance(inner, Sensitive) else Sensitive(inner)
            case "unknown":
                return Unknown(arguments[0])
        rows = rows_of(find(name), VERSION)
        if not rows:
            raise Failure(f"Unknown function '{name}'")
        call = FunctionCall(self, block, Folder(self.modules))
        try:
            return choose(name, rows, arguments, block)(call, *arguments)
        except Rejected as rejected:
            for row in mismatched(rows, arguments, block):
                message = row(call, *arguments)
                if message is not None:
                    raise Failure(f"'{name}' {message}") from None
            raise Failure(str(rejected)) from None

    def arguments(self, nodes: tuple[ast.Node, ...], scope: Scope) -> list[Any]:
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.UnfoldExpression):
                value = self.value(node.expr, scope)
                found += value if isinstance(value, (list, Series)) else [value]
            else:
                found.append(self.value(node, scope))
        return found

    def block(self, node: ast.LambdaExpression | None, scope: Scope) -> Lambda | None:
        return None if node is None else Lambda(node, scope, self)

    def named_call(self, node: ast.CallNamedFunctionExpression, scope: Scope) -> Any:
        functor: Any = node.functor_expr
        name = getattr(functor, "value", "") or functor.cased_value
        arguments = self.arguments(node.arguments, scope)
        return self.call(name, arguments, self.block(node.lambda_, scope))

    def method_call(self, node: ast.CallMethodExpression, scope: Scope) -> Any:
        functor: Any = node.functor_expr
        arguments = [self.value(functor.left_expr, scope), *self.arguments(node.arguments, scope)]
        return self.call(functor.right_expr.value, arguments, self.block(node.lambda_, scope))

    def access(self, node: ast.AccessExpression, scope: Scope) -> Any:
        if isinstance(node.left_expr, ast.QualifiedReference):
            return parse_type(node, source=self.text)
        left = self.value(node.left_expr, scope)
        key = self.value(node.keys[0], scope)
        if isinstance(left, dict):
            return left.get(key)
        return left[key] if -len(left) <= key < len(left) else None

    def block_of(self, node: ast.BlockExpression, scope: Scope) -> Any:
        result = None
        for statement in node.statements:
            result = self.value(statement, scope)
        return result

    def conditional(self, node: ast.IfExpression, scope: Scope) -> Any:
        chosen = decide(self.value(node.test, scope))
        return self.value(node.then_expr if chosen else node.else_expr, scope)

    def arithmetic(self, node: ast.ArithmeticExpression, scope: Scope) -> Any:
        left, right = self.value(node.left_expr, scope), self.value(node.right_expr, scope)
        if isinstance(left, list):
            return left + (right if isinstance(right, list) else [right])
        if isinstance(left, dict):
            return {**left, **right}
        return ARITHMETIC[node.operator](left, right)

    def comparison(self, node: ast.ComparisonExpression, scope: Scope) -> bool:
        left, right = self.value(node.left_expr, scope), self.value(node.right_expr, scope)
        if node.operator in ("==", "!="):
            return equal(folded(left), folded(right)) is (node.operator == "==")
        return bool(ORDER[node.operator](folded(left), folded(right)))

    def matching(self, node: ast.MatchExpression, scope: Scope) -> bool:
        left, right = self.value(node.left_expr, scope), self.value(node.right_expr, scope)
        if isinstance(right, Type):
            return instance(right, left)
        source = right.source if isinstance(right, Regexp) else right
        return (compiled(source).search(left) is not None) is (node.operator == "=~")

    def assignment(self, node: ast.AssignmentExpression, scope: Scope) -> Any:
        variable: Any = node.left_expr
        value = self.value(node.right_expr, scope)
        scope[variable.expr.value] = value
        return value


def folded(value: Any) -> Any:
    """Return the value that is compared: texts without case."""
    return value.lower() if isinstance(value, str) else value


def text_of(value: Any) -> str:
    """Return a value as it stands in a string."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return float_text(value)
        case Regexp():
            return inspect(value)
        case list() | tuple():
            return f"[{', '.join(map(text_of, value))}]"
        case dict():
            return f"{{{', '.join(f'{text_of(k)} => {text_of(v)}' for k, v in value.items())}}}"
    return str(value)


def divided(left: Any, right: Any) -> Any:
    return left // right if isinstance(left, int) and isinstance(right, int) else left / right


ARITHMETIC = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": divided,
    "%": operator.mod,
}
ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
EVALUATE: dict[type, Callable[[Evaluator, Any, Scope], Any]] = {
    ast.LiteralString: lambda e, n, s: n.value,
    ast.LiteralInteger: lambda e, n, s: n.value,
    ast.LiteralFloat: lambda e, n, s: n.value,
    ast.LiteralBoolean: lambda e, n, s: n.value,
    ast.LiteralDefault: lambda e, n, s: DEFAULT,
    ast.LiteralUndef: lambda e, n, s: None,
    ast.LiteralRegularExpression: lambda e, n, s: Regexp(n.pattern),
    ast.LiteralList: lambda e, n, s: e.arguments(n.values, s),
    ast.LiteralHash: lambda e, n, s: {
        as_key(e.value(k.key, s)): e.value(k.value, s) for k in n.entries
    },
    ast.QualifiedName: lambda e, n, s: n.value,
    ast.QualifiedReference: lambda e, n, s: parse_type(n),
    ast.VariableExpression: lambda e, n, s: s.get(n.expr.value),
    ast.ConcatenatedString: lambda e, n, s: "".join(text_of(e.value(p, s)) for p in n.segments),
    ast.TextExpression: lambda e, n, s: e.value(
        ast.VariableExpression(0, 0, n.expr) if isinstance(n.expr, ast.QualifiedName) else n.expr, s
    ),
    ast.HeredocExpression: lambda e, n, s: e.value(n.text_expr, s),
    ast.ParenthesizedExpression: lambda e, n, s: e.value(n.expr, s),
    ast.UnaryMinusExpression: lambda e, n, s: -e.value(n.expr, s),
    ast.NotExpression: lambda e, n, s: not decide(e.value(n.expr, s)),
    ast.AndExpression: lambda e, n, s: all(
        decide(e.value(one, s)) for one in (n.left_expr, n.right_expr)
    ),
    ast.OrExpression: lambda e, n, s: any(
        decide(e.value(one, s)) for one in (n.left_expr, n.right_expr)
    ),
    ast.BlockExpression: Evaluator.block_of,
    ast.IfExpression: Evaluator.conditional,
    ast.ArithmeticExpression: Evaluator.arithmetic,
    ast.ComparisonExpression: Evaluator.comparison,
    ast.MatchExpression: Evaluator.matching,
    ast.AssignmentExpression: Evaluator.assignment,
    ast.AccessExpression: Evaluator.access,
    ast.CallNamedFunctionExpression: Evaluator.named_call,
    ast.CallMethodExpression: Evaluator.method_call,
}
