"""Ruby's literals: tokens whose value needs nothing of the expression around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.ruby_types.nesting import nested
from analyzer.frontends.puppet.ruby_types.scope import RubyScope
from analyzer.frontends.puppet.ruby_types.tokens import Lexeme, Regex
from analyzer.frontends.puppet.ruby_types.values import Opaque, text

KEYWORDS = {"nil": None, "true": True, "false": False, "__LINE__": 0}


def texts(parts: Any, scope: RubyScope) -> Any:
    """Return a text with its code evaluated."""
    if isinstance(parts, str):
        return parts
    found = ""
    for part in parts:
        value = part if isinstance(part, str) else scope.world.run(nested(part), scope)
        shown = text(value)
        if shown is None:
            return Opaque("a text that is put together")
        found += shown
    return found


def regex(item: Lexeme, scope: RubyScope) -> Any:
    """Return a regular expression."""
    source = texts(item.value[0], scope)
    return source if isinstance(source, Opaque) else Regex(source, item.value[1])


def variable(item: Lexeme, scope: RubyScope) -> object:
    """Return a variable of an instance, a class, or all."""
    name = str(item.value)
    holder = scope.holder(name)
    return scope.receiver.variable(name) if holder is None else holder[name]


def number(item: Lexeme, scope: RubyScope) -> object:
    """Return an integer; other numbers are of no interest."""
    digits = str(item.value).replace("_", "")
    return int(digits) if digits.isdigit() else Opaque("a number")


def word_list(item: Lexeme, scope: RubyScope) -> object:
    """Return the words of `%w[a b]`."""
    return Opaque("words") if item.value is None else list(item.value)


LITERALS: dict[str, Callable[[Lexeme, RubyScope], object]] = {
    "num": number,
    "regex": regex,
    "sym": lambda item, scope: texts(item.value, scope),
    "var": variable,
    "words": word_list,
}
