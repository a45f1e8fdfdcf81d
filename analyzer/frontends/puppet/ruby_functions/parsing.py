"""Reads Ruby's expressions into trees of tuples: the kind first, then its parts."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.ruby_functions.stream import Stream, Tree
from analyzer.frontends.puppet.ruby_types.tokens import Lexeme, Unreadable, words

_LEVELS: dict[str, int] = {
    **{"..": 1, "...": 1, "||": 2, "&&": 3},
    **dict.fromkeys(("==", "!=", "=~", "!~", "===", "<=>"), 5),
    **dict.fromkeys(("<", "<=", ">", ">="), 6),
    **{"|": 7, "^": 7, "&": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11},
    "**": 13,
}
_ASSIGNING = words("||= &&= += -= *= /= %= |= &= <<= **=")
_ARGUMENT = frozenset({"id", "const", "var", "str", "sym", "words", "regex", "num", "label"})
_ARGUMENT_WORDS = words("nil true false self not defined? super yield if unless case begin")


class Parsing(Stream):
    """Reads the expressions of a program."""

    # ---- operators

    def expression(self) -> Tree:
        """Read an assignment, or what is weaker than `not`."""
        left = self.ternary()
        if self.sees("op", "="):
            self.at += 1
            self.assign_to(left)
            return ("assign", left, self.assigned())
        if self.token is not None and self.token.kind == "op" and self.token.value in _ASSIGNING:
            operator = str(self.need("op").value)[:-1]
            self.assign_to(left)
            return ("operate", operator, left, self.assigned())
        return left

    def assigned(self) -> Tree:
        """Read the value of an assignment."""
        self.skip_lines()
        value = self.expression()
        if self.sees("op", ",") and not self.depth:
            raise Unreadable("a list without brackets")
        if self.take("kw", "rescue"):
            return ("rescue_value", value, self.expression())
        return value

    # Within how many brackets the parser is, where a comma goes on to the next element.
    depth = 0

    def assign_to(self, target: Tree) -> None:
        """Note the variable that an assignment sets.

        Raises:
            Unreadable: it is no target.
        """
        if target[0] == "call" and target[1] is None and not target[3] and target[4] is None:
            self.names.add(target[2])
        elif target[0] not in ("local", "instance", "index"):
            raise Unreadable("this target of an assignment")

    def ternary(self) -> Tree:
        """Read `condition ? a : b`."""
        condition = self.binary(0)
        if not self.take("op", "?"):
            return condition
        self.skip_lines()
        yes = self.ternary()
        self.skip_lines()
        self.need("op", ":")
        self.skip_lines()
        return ("if", condition, yes, self.ternary())

    def binary(self, least: int) -> Tree:
        """Read operators that bind at least so strongly."""
        left = self.unary()
        while (token := self.token) is not None and token.kind == "op":
            level = _LEVELS.get(token.value)
            if level is None or level < least:
                break
            self.at += 1
            self.skip_lines()
            if token.value in ("..", "...") and (self.token is None or self.sees("op", ")", "]")):
                left = ("range", left, ("nil",), token.value == "...")
                continue
            right = self.binary(level + (token.value != "**"))
            left = binary_tree(token.value, left, right)
        return left

    def unary(self) -> Tree:
        """Read `!x`, `-x` and `not x`."""
        if self.take("op", "!"):
            return ("not", self.unary())
        if self.take("kw", "not"):
            return ("not", self.expression())
        if self.take("op", "-"):
            after = self.ahead()
            power = after is not None and after.kind == "op" and after.value == "**"
            if self.sees("num") and not power:
                return self.postfix(("number", -self.number(self.need("num"))[1]))
            value = self.binary(12)
            if value[0] == "number":
                return ("number", -value[1])
            return ("call", value, "-@", [], None, False)
        if self.take("kw", "defined?"):
            value = self.unary()
            if value[0] not in ("local", "call"):
                raise Unreadable("this use of defined?")
            return ("defined", value[0] == "local")
        return self.postfix(self.primary())

    # ---- calls

    def postfix(self, value: Tree) -> Tree:
        """Read what follows an operand: methods, indexes, constants."""
        while (token := self.token) is not None and token.kind == "op":
            if token.value in (".", "&."):
                self.at += 1
                self.skip_lines()
                value = self.method(value, token.value == "&.")
            elif token.value == "::":
                self.at += 1
                if self.sees("const") and not self.opens_arguments(1):
                    value = ("constant", value, self.need("const").value)
                else:
                    value = self.method(value, False)
            elif token.value == "[" and not token.spaced:
                self.at += 1
                value = ("index", value, self.arguments("]"))
            else:
                break
        return value

    def opens_arguments(self, count: int) -> bool:
        """Return whether the token there is a parenthesis without a blank before it."""
        token = self.ahead(count)
        return token is not None and token.value == "(" and token.kind == "op" and not token.spaced

    def method(self, receiver: Tree, safe: bool) -> Tree:
        """Read the method of a receiver with its arguments."""
        if self.sees("op", "("):
            return self.call(receiver, "call", safe)
        token = self.token
        if token is None or token.kind not in ("id", "const", "kw"):
            raise Unreadable("a method without a name")
        self.at += 1
        return self.call(receiver, str(token.value), safe)

    def call(self, receiver: Tree | None, name: str, safe: bool) -> Tree:
        """Read the arguments and the block of a call."""
        arguments: list[Tree] = []
        if self.opens_arguments(0):
            self.at += 1
            arguments = self.arguments(")")
        elif self.starts_argument():
            self.no_do += 1
            arguments = self.listed()
            self.no_do -= 1
        block = self.block()
        return ("call", receiver, name, arguments, block, safe)

    def starts_argument(self) -> bool:
        """Return whether arguments without parentheses begin here."""
        token, after = self.token, self.ahead()
        if token is None or not token.spaced:
            return False
        if token.kind == "kw":
            return token.value in _ARGUMENT_WORDS and token.value not in ("if", "unless")
        if token.kind != "op":
            return token.kind in _ARGUMENT
        tight = after is not None and not after.spaced
        if token.value in ("->", "!", "("):
            return True
        return token.value in ("*", "&", "-", "**", "[", "::") and tight

    def listed(self) -> list[Tree]:
        """Read arguments without parentheses."""
        found = [self.argument()]
        while self.take("op", ","):
            self.skip_lines()
            found.append(self.argument())
        return gather(found)

    def arguments(self, closing: str) -> list[Tree]:
        """Read arguments or elements to a closing bracket."""
        found = []
        kept, self.no_do = self.no_do, 0
        self.depth += 1
        self.skip_lines()
        while not self.take("op", closing):
            found.append(self.argument())
            self.skip_lines()
            if not self.take("op", ","):
                self.need("op", closing)
                break
            self.skip_lines()
        self.no_do = kept
        self.depth -= 1
        return gather(found)

    def argument(self) -> Tree:
        """Read an argument, an element, or a pair of a hash."""
        if self.take("op", "*"):
            return ("splat", self.ternary())
        if self.take("op", "&"):
            return ("block_argument", self.ternary())
        if self.take("op", "**"):
            return ("pairs", self.ternary())
        label = self.take("label")
        if label is not None:
            self.skip_lines()
            if isinstance(label.value, list):
                raise Unreadable("code in a label")
            return ("pair", ("symbol", label.value), self.expression())
        value = self.expression()
        if self.take("op", "=>"):
            self.skip_lines()
            return ("pair", value, self.expression())
        return value

    def block(self) -> Tree | None:
        """Read a block, if one comes next."""
        raise NotImplementedError

    def primary(self) -> Tree:
        """Read an operand."""
        token = self.token
        reads = _OPERANDS.get(token.kind) if token is not None else None
        if token is None or reads is None:
            raise Unreadable(f"no operand: {token}")
        self.at += 1
        return reads(self, token)

    def operator_operand(self, token: Lexeme) -> Tree:
        """Read what begins with a special character."""
        if token.value == "[":
            return ("array", self.arguments("]"))
        if token.value == "{":
            return hash_of(self.arguments("}"))
        if token.value == "::":
            return ("constant", None, self.need("const").value)
        if token.value == "(":
            kept, self.no_do = self.no_do, 0
            depth, self.depth = self.depth, 0
            body = self.body(")")
            self.no_do, self.depth = kept, depth
            self.need("op", ")")
            return body
        if token.value == "->":
            return self.lambda_()
        raise Unreadable(f"an operand that begins with {token.value}")

    def lambda_(self) -> Tree:
        """Read `->(x) { }`."""
        raise NotImplementedError

    def keyword(self, token: Lexeme) -> Tree:
        """Read what begins with a keyword."""
        raise NotImplementedError

    def name(self, token: Lexeme) -> Tree:
        """Read a local variable, or a call without a receiver."""
        name = str(token.value)
        if name in self.names and not self.opens_arguments(0):
            return ("local", name)
        return self.call(None, name, False)

    def constant(self, token: Lexeme) -> Tree:
        """Read a constant, or a call such as `Array(x)`."""
        if self.opens_arguments(0):
            return self.call(None, str(token.value), False)
        return ("constant", None, token.value)


def binary_tree(operator: str, left: Tree, right: Tree) -> Tree:
    """Return the tree of an operator."""
    if operator in ("&&", "||"):
        return ("and" if operator == "&&" else "or", left, right)
    if operator in ("..", "..."):
        return ("range", left, right, operator == "...")
    if operator in ("!=", "!~"):
        return ("not", ("call", left, "==" if operator == "!=" else "=~", [right], None, False))
    return ("call", left, operator, [right], None, False)


def gather(found: list[Tree]) -> list[Tree]:
    """Return arguments with the pairs among them as one hash."""
    pairs = [one for one in found if one[0] in ("pair", "pairs")]
    if not pairs:
        return found
    others = [one for one in found if one[0] not in ("pair", "pairs")]
    blocks = [one for one in others if one[0] == "block_argument"]
    return [*[one for one in others if one[0] != "block_argument"], ("hash", pairs), *blocks]


def hash_of(found: list[Tree]) -> Tree:
    """Return the tree of a hash in braces.

    Raises:
        Unreadable: something in it is no pair.
    """
    if not found:
        return ("hash", [])
    if len(found) != 1 or found[0][0] != "hash":
        raise Unreadable("a hash")
    return found[0]


_OPERANDS: dict[str, Callable[[Parsing, Lexeme], Tree]] = {
    "const": lambda self, token: self.constant(token),
    "id": lambda self, token: self.name(token),
    "kw": lambda self, token: self.keyword(token),
    "num": lambda self, token: self.number(token),
    "op": lambda self, token: self.operator_operand(token),
    "regex": lambda self, token: self.regex(token),
    "str": lambda self, token: self.string(token),
    "sym": lambda self, token: self.symbol(token),
    "var": lambda self, token: self.variable(token),
    "words": lambda self, token: self.listed_words(token),
}
