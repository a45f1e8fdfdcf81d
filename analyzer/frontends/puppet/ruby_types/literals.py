"""Ruby's literals and names: what a single token stands for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.ruby_types import control
from analyzer.frontends.puppet.ruby_types.nesting import is_token, nested
from analyzer.frontends.puppet.ruby_types.tokens import Regex, Token, Unreadable
from analyzer.frontends.puppet.ruby_types.values import Opaque, operate, text

if TYPE_CHECKING:
    from analyzer.frontends.puppet.ruby_types.expressions import Expression
    from analyzer.frontends.puppet.ruby_types.scope import Scope

_LITERALS = {"nil": None, "true": True, "false": False}


def texts(parts: Any, scope: Scope) -> Any:
    """Return a text with its code evaluated."""
    if isinstance(parts, str):
        return parts
    found = ""
    for part in parts:
        value = part if isinstance(part, str) else control.run(nested(part), scope)
        shown = text(value)
        if shown is None:
            return Opaque("a text that is put together")
        found += shown
    return found


def string(self: Expression, item: Token) -> Any:
    """A text, and those that follow it without anything between."""
    value = texts(item.value, self.scope)
    while is_token(self.next, "str"):
        following = texts(getattr(self.next, "value", ""), self.scope)
        self.at += 1
        value = operate("+", value, following)
    return value


def regex(self: Expression, item: Token) -> Any:
    """A regular expression."""
    source = texts(item.value[0], self.scope)
    return source if isinstance(source, Opaque) else Regex(source, item.value[1])


def keyword(self: Expression, item: Token) -> Any:
    """What a keyword stands for."""
    if item.value in _LITERALS:
        return _LITERALS[item.value]
    if item.value == "self":
        return self.scope.receiver
    if item.value == "__FILE__":
        return self.scope.world.file
    if item.value in control.JUMPS:
        return control.jump(self, str(item.value))
    if item.value in ("defined?", "super", "yield"):
        self.arguments()
        return Opaque(str(item.value))
    if item.value == "__LINE__":
        return 0
    raise Unreadable(f"{item.value} stands alone")


def variable(name: str, scope: Scope) -> Any:
    """A variable of an instance, a class, or all."""
    holder = scope.holder(name)
    return scope.receiver.variable(name) if holder is None else holder[name]


def operator(self: Expression, item: Token) -> Any:
    """An operator that begins an operand."""
    if item.value == "->":
        return self.lambda_()
    if item.value == "::":
        return self.primary()
    raise Unreadable(f"{item.value} stands alone")


def number(item: Token) -> Any:
    """Return an integer; other numbers are of no interest."""
    digits = str(item.value).replace("_", "")
    return int(digits) if digits.isdigit() else Opaque("a number")


PRIMARIES: dict[str, Callable[[Expression, Token], Any]] = {
    "const": lambda self, item: self.constant(item),
    "id": lambda self, item: self.name(item),
    "kw": keyword,
    "num": lambda _, item: number(item),
    "op": operator,
    "regex": regex,
    "str": string,
    "sym": lambda self, item: texts(item.value, self.scope),
    "var": lambda self, item: variable(str(item.value), self.scope),
    "words": lambda _, item: Opaque("words") if item.value is None else list(item.value),
}
