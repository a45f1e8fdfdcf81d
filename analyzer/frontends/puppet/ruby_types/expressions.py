"""Ruby's expressions, evaluated while they are read; unknown values are Opaque."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.ruby_types import literals
from analyzer.frontends.puppet.ruby_types.nesting import Group, Item, is_token, starts_argument
from analyzer.frontends.puppet.ruby_types.scope import Block, Jump, Receiver, RubyScope, block_of
from analyzer.frontends.puppet.ruby_types.tokens import Lexeme, Unreadable, words
from analyzer.frontends.puppet.ruby_types.values import (
    BINDING,
    Opaque,
    add,
    key_of,
    listed,
    operate,
    truth,
)
from analyzer.model.values import Value

ASSIGNMENTS = words("= += -= *= /= %= |= &= ^= ||= &&= <<= >>= **=")
_JUMPS = frozenset({"return", "next", "break", "redo", "retry"})


class Expression:
    """The items of one statement, and the position up to which they are read."""

    def __init__(self, items: list[Item], scope: RubyScope) -> None:
        self.items = items
        self.scope: RubyScope = scope
        self.at = 0
        # In the arguments of a call without parentheses `do` belongs to that call.
        self.bare = 0
        # The block that `&block` passes on.
        self.passed: Block | None = None

    # ---- what comes next

    @property
    def next(self) -> Item | None:
        """Return the item that comes next; new lines in brackets mean nothing."""
        while self.at < len(self.items) and is_token(self.items[self.at], "nl"):
            self.at += 1
        return self.items[self.at] if self.at < len(self.items) else None

    def op(self, *values: str) -> str:
        """Return the operator that comes next if it is one of these, else the empty text."""
        item = self.next
        if isinstance(item, Lexeme) and item.kind in ("op", "kw") and item.value in values:
            return str(item.value)
        return ""

    def accept(self, *values: str) -> str:
        """Go past an operator if it is one of these."""
        found = self.op(*values)
        self.at += bool(found)
        return found

    def group(self, *kinds: str) -> Group | None:
        """Go past a group of one of these kinds, if one comes."""
        item = self.next
        if isinstance(item, Group) and item.kind in kinds:
            self.at += 1
            return item
        return None

    # ---- operators

    def whole(self) -> object:
        """Return the value of all items.

        Raises:
            Unreadable: they are no expression.
        """
        value = self.value()
        if self.next is not None:
            raise Unreadable("an expression goes on")
        return value

    def value(self, least: int = 0) -> object:
        """Return the value of an expression whose operators bind at least as strongly."""
        left = self.assignment()
        while True:
            item = self.next
            operator = (
                item.value if isinstance(item, Lexeme) and item.kind in ("op", "kw") else None
            )
            binding = BINDING.get(operator, -1) if isinstance(operator, str) else -1
            if binding < max(least, 1 if not self.bare else 2):
                return left
            self.at += 1
            left = self.binary(str(operator), left, binding)

    def binary(self, operator: str, left: object, binding: int) -> object:
        """Return the result of an operator for the value on its left and the one that follows."""
        if operator == "?":
            return self.ternary(left)
        if operator in ("or", "||", "and", "&&"):
            known = truth(left)
            if known is None:
                with self.scope.uncertain():
                    self.value(binding + 1)
                return Opaque(f"the result of {operator}")
            right = self.value(binding + 1)
            return right if known == (operator in ("and", "&&")) else left
        right = self.value(binding + 1)
        if operator == "<<" and isinstance(left, list):
            return add(left, None, right, not self.scope.world.doubts)
        return operate(operator, left, right)

    def ternary(self, condition: object) -> object:
        """`condition ? this : that`."""
        this = self.value(2)
        if not self.accept(":"):
            raise Unreadable("a condition without an else")
        that = self.value(2)
        known = truth(condition)
        if known is None:
            return this if this == that else Opaque("a value that depends on a condition")
        return this if known else that

    def assignment(self) -> object:
        """`variable = value`, or else an operand."""
        item = self.next
        after = self.items[self.at + 1] if self.at + 1 < len(self.items) else None
        if (
            isinstance(item, Lexeme)
            and item.kind in ("id", "var", "const")
            and isinstance(after, Lexeme)
            and after.kind == "op"
            and after.value in ASSIGNMENTS
        ):
            self.at += 2
            return self.assign(item, str(after.value))
        self.place: tuple[object, object] | None = None
        value = self.operand()
        place = self.place
        item = self.next
        if not (isinstance(item, Lexeme) and item.kind == "op" and item.value in ASSIGNMENTS):
            return value
        self.at += 1
        # An element or an attribute of something.
        found = self.value(2)
        if place is not None:
            add(*place, found, item.value == "=" and not self.scope.world.doubts)
        return found

    def assign(self, target: Lexeme, operator: str) -> object:
        """Set a variable or a constant."""
        scope, name = self.scope, str(target.value)
        old = scope.get(name)
        if operator == "||=" and truth(old):
            self.value(2)
            return old
        value = self.value(2)
        if operator not in ("=", "||=", "&&="):
            value = operate(operator[:-1], old, value)
        if target.kind == "const":
            scope.world.constants["::".join((*scope.nesting, name))] = value
        elif name.startswith("@"):
            scope.world.instance_variable(scope, name, value)
        scope.set(name, value)
        return value

    # ---- operands

    def operand(self) -> object:
        """Return the value of an operand with the calls on it."""
        if is_token(self.next, "op") or is_token(self.next, "kw"):
            if self.accept("!", "not"):
                known = truth(self.operand())
                return Opaque("a negation") if known is None else not known
            if self.accept("-", "+", "~", "*", "&", "**"):
                self.operand()
                return Opaque("a sign")
        value = self.primary()
        while True:
            item = self.next
            if isinstance(item, Group) and item.kind == "[" and not item.spaced:
                self.at += 1
                value = self.element(value, item)
            elif is_token(item, "op", ".", "&.", "::"):
                value = self.called_on(value)
            else:
                return value

    def primary(self) -> object:
        """Return the value of a literal, a name, or something in brackets."""
        item = self.next
        if item is None:
            raise Unreadable("an expression is missing")
        if isinstance(item, Group):
            self.at += 1
            return self.grouped(item)
        self.at += 1
        literal = literals.LITERALS.get(item.kind)
        if literal is not None:
            return literal(item, self.scope)
        read = _NAMES.get(item.kind)
        if read is None:
            raise Unreadable(f"{item.value} stands alone")
        return read(self, item)

    def grouped(self, item: Group) -> object:
        """Return the value of brackets or of a structure."""
        if item.kind == "[":
            return self.inner(item).listed()
        if item.kind == "{":
            found = self.inner(item).listed()
            return found[0] if found and isinstance(found[0], dict) else {}
        if item.kind == "(":
            return self.scope.world.run(item.items, self.scope)
        if item.kind == "do":
            raise Unreadable("a block without a call")
        return self.scope.world.structure(item, self.scope)

    def inner(self, group: Group) -> Expression:
        """Return the expression of a group."""
        return Expression(group.items, self.scope)

    def string(self, item: Lexeme) -> object:
        """Return a text, and those that follow it without anything between."""
        value = literals.texts(item.value, self.scope)
        while is_token(self.next, "str"):
            following = literals.texts(getattr(self.next, "value", ""), self.scope)
            self.at += 1
            value = operate("+", value, following)
        return value

    def keyword(self, item: Lexeme) -> object:
        """Return the value of a keyword.

        Raises:
            Jump: it is `return` or its like.
            Unreadable: it has none.
        """
        word = str(item.value)
        if word in literals.KEYWORDS:
            return literals.KEYWORDS[word]
        if word == "self":
            return self.scope.receiver
        if word == "__FILE__":
            return self.scope.world.file
        if word in _JUMPS:
            value = self.value() if self.next is not None else None
            several = word == "return" and self.op(",")
            raise Jump(Opaque("several values") if several else value)
        if word in ("defined?", "super", "yield"):
            self.arguments()
            return Opaque(word)
        raise Unreadable(f"{word} stands alone")

    def operator(self, item: Lexeme) -> object:
        """Return an operator that begins an operand."""
        if item.value == "->":
            return self.lambda_()
        if item.value == "::":
            return self.primary()
        raise Unreadable(f"{item.value} stands alone")

    def name(self, item: Lexeme) -> Value:
        """Return a variable, or a call on self."""
        name = str(item.value)
        holder = self.scope.holder(name)
        following = self.next
        called = isinstance(following, Group) and following.kind == "(" and not following.spaced
        if holder is not None and not called:
            return holder[name]
        if name in ("lambda", "proc"):
            block = self.block()
            return block if block is not None else Opaque("a proc")
        arguments, block = self.arguments()
        return self.scope.receiver.call(name, arguments, block, self.scope)

    def constant(self, item: Lexeme) -> object:
        """Return a constant, also a nested one: `A::B`."""
        name = str(item.value)
        following = self.next
        if isinstance(following, Group) and following.kind == "(" and not following.spaced:
            arguments, _ = self.arguments()
            return listed(arguments[0]) if name == "Array" and arguments else Opaque(name)
        while self.op("::") and is_token(self.after(), "const"):
            name += f"::{getattr(self.after(), 'value', '')}"
            self.at += 2
        return self.scope.world.constant(name, self.scope.nesting)

    def after(self) -> Item | None:
        """Return the item behind the one that comes next."""
        return self.items[self.at + 1] if self.at + 1 < len(self.items) else None

    def called_on(self, value: object) -> object:
        """`.name`, with arguments."""
        self.at += 1
        item = self.next
        self.at += 1
        if not isinstance(item, Lexeme):
            arguments = self.inner(item).listed() if item else []
            return self.scope.world.send(value, "call", arguments, None, self.scope)
        arguments, block = self.arguments()
        if is_token(item, "const"):
            return Opaque(str(item.value))
        return self.scope.world.send(value, str(item.value), arguments, block, self.scope)

    def element(self, value: object, group: Group) -> object:
        """`value[key]`."""
        keys = self.inner(group).listed()
        key = keys[0] if len(keys) == 1 else Opaque("a part")
        self.place = (value, key)
        if isinstance(value, Receiver):
            return value.element(key)
        if isinstance(value, dict) and isinstance(key, (str, int)):
            return value.get(key)
        if isinstance(value, list) and type(key) is int:
            return value[key] if -len(value) <= key < len(value) else None
        return Opaque("an element")

    # ---- arguments

    def arguments(self) -> tuple[list[Value], Block | None]:
        """Return the arguments and the block of a call."""
        item = self.next
        inner: Expression | None = None
        found: list[object] = []
        if isinstance(item, Group) and item.kind == "(" and not item.spaced:
            self.at += 1
            inner = self.inner(item)
            found = inner.listed()
        elif starts_argument(item, self.after()):
            self.bare += 1
            inner = self
            found = self.listed()
            self.bare -= 1
        passed = inner.passed if inner is not None else None
        self.passed = None
        return found, self.block() or passed

    def listed(self) -> list[object]:
        """Return values between commas, the pairs of keys and values as one hash at the end."""
        found: list[object] = []
        pairs: dict[object, object] = {}
        while self.next is not None:
            self.one_argument(found, pairs)
            if not self.accept(","):
                break
        if not self.bare and self.next is not None:
            raise Unreadable("a list goes on")
        return [*found, pairs] if pairs else found

    def one_argument(self, found: list[object], pairs: dict[object, object]) -> None:
        """Read one value, a pair, or a list behind an asterisk."""
        item = self.next
        if isinstance(item, Lexeme) and item.kind == "label":
            self.at += 1
            short = self.next is None or bool(self.op(","))
            pairs[key_of(item.value)] = self.scope.get(str(item.value)) if short else self.value(2)
            return
        spread = self.accept("*", "**", "&")
        value = self.value(2)
        if self.accept("=>"):
            pairs[key_of(value)] = self.value(2)
        elif spread == "*" and isinstance(value, list):
            found += value
        elif spread == "**" and isinstance(value, dict):
            pairs |= value
        elif spread == "&":
            self.passed = value if isinstance(value, Block) else None
        else:
            found.append(Opaque("the value of a splat") if spread else value)

    def block(self) -> Block | None:
        """Return the block that comes next, if any."""
        kinds = ("{",) if self.bare else ("{", "do")
        group = self.group(*kinds)
        return None if group is None else block_of(group, self.scope)

    def lambda_(self) -> object:
        """`->(x) { }`."""
        parameters = self.group("(")
        names: list[Item] = list(parameters.items) if parameters else []
        while isinstance(self.next, Lexeme):
            names.append(self.next)
            self.at += 1
        group = self.group("{", "do")
        if group is None:
            raise Unreadable("a lambda without a body")
        return Block(names, group.items, self.scope)


# What a token stands for that is no literal.
_NAMES: dict[str, Callable[[Expression, Lexeme], object]] = {
    "const": Expression.constant,
    "id": Expression.name,
    "kw": Expression.keyword,
    "op": Expression.operator,
    "str": Expression.string,
}
