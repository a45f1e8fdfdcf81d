"""Reads Ruby's statements and structures: conditions, loops, blocks, methods."""

from __future__ import annotations

from functools import lru_cache

from analyzer.frontends.puppet.ruby_functions.parsing import Parsing
from analyzer.frontends.puppet.ruby_functions.stream import Tree
from analyzer.frontends.puppet.ruby_types.tokens import Lexeme, Unreadable, tokens_of

_MODIFIERS = ("if", "unless", "while", "until", "rescue")


@lru_cache(maxsize=256)
def tree_of(text: str) -> Tree:
    """Return the tree of a program.

    Raises:
        Unreadable: something in it is not understood.
    """
    program = Program(text, tokens_of(text), set())
    body = program.body()
    if program.token is not None:
        raise Unreadable(f"what stands at {program.token}")
    return body


class Program(Parsing):
    """A parser of statements."""

    def body(self, *ends: str) -> Tree:
        """Read statements up to one of these keywords or brackets, or to the end."""
        found: list[Tree] = []
        while True:
            self.skip_lines()
            token = self.token
            if token is None or (token.kind in ("kw", "op") and token.value in ends):
                return found[0] if len(found) == 1 else ("body", found)
            found.append(self.statement())
            token = self.token
            closes = token is None or (token.kind in ("kw", "op") and token.value in ends)
            if not closes and not self.sees("nl"):
                raise Unreadable(f"the statement goes on with {token}")

    def statement(self) -> Tree:
        """Read a statement with its modifiers."""
        found = self.several() or self.words_between(self.expression())
        while self.sees("kw", *_MODIFIERS):
            word = self.need("kw").value
            if word == "rescue":
                found = ("rescue_value", found, self.expression())
                continue
            condition = self.words_between(self.expression())
            if word in ("while", "until"):
                if found[0] == "begin":
                    raise Unreadable("a loop with its condition at the end")
                found = ("while", condition, found, word == "until")
            else:
                yes, no = (found, None) if word == "if" else (None, found)
                found = ("if", condition, yes, no)
        return found

    def words_between(self, left: Tree) -> Tree:
        """Read `and` and `or` after an expression."""
        while (token := self.take("kw", "and", "or")) is not None:
            self.skip_lines()
            left = (token.value, left, self.expression())
        return left

    def several(self) -> Tree | None:
        """Read `a, b = values`, None for other statements."""
        at, names = self.at, []
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind != "id":
                return None
            names.append(str(token.value))
            at += 1
            if at >= len(self.tokens) or self.tokens[at].kind != "op":
                return None
            if self.tokens[at].value == "=" and len(names) > 1:
                break
            if self.tokens[at].value != ",":
                return None
            at += 1
        else:
            return None
        self.at = at + 1
        values = self.listed()
        self.names.update(names)
        value = values[0] if len(values) == 1 else ("array", values)
        return ("several", names, value)

    # ---- blocks

    def block(self) -> Tree | None:
        """Read a block, if one comes next."""
        if self.take("op", "{"):
            return self.block_to("}", "op")
        if not self.no_do and self.take("kw", "do"):
            return self.block_to("end", "kw")
        return None

    def block_to(self, closing: str, kind: str, parameters: list[Tree] | None = None) -> Tree:
        """Read the parameters and the body of a block."""
        kept, self.names = self.names, set(self.names)
        no_do, self.no_do = self.no_do, 0
        depth, self.depth = self.depth, 0
        found = parameters or []
        self.names.update(names_of(found))
        if parameters is None and self.take("op", "||") is None and self.take("op", "|"):
            found = self.parameters("|")
        body = self.clauses(closing) if kind == "kw" else self.body(closing)
        self.need(kind, closing)
        self.names, self.no_do, self.depth = kept, no_do, depth
        return ("block", found, body)

    def lambda_(self) -> Tree:
        """Read `->(x) { }`."""
        parameters: list[Tree] = []
        if self.take("op", "("):
            parameters = self.parameters(")")
        if self.take("op", "{"):
            return ("lambda", self.block_to("}", "op", parameters))
        self.need("kw", "do")
        return ("lambda", self.block_to("end", "kw", parameters))

    def parameters(self, closing: str) -> list[Tree]:
        """Read parameters to a closing bracket."""
        found: list[Tree] = []
        self.skip_lines()
        while not self.take("op", closing):
            found.append(self.parameter(closing == "|"))
            self.names.update(names_of(found))
            self.skip_lines()
            if not self.take("op", ","):
                self.need("op", closing)
                break
            self.skip_lines()
        return found

    def parameter(self, bars: bool = False) -> Tree:
        """Read one parameter."""
        if self.take("op", "("):
            return ("nested", self.parameters(")"))
        if self.take("op", "*"):
            token = self.take("id")
            return ("rest", str(token.value) if token else "*")
        if self.take("op", "&"):
            return ("takes_block", str(self.need("id").value))
        if self.sees("label"):
            raise Unreadable("a parameter with a keyword")
        name = str(self.need("id").value)
        if self.take("op", "="):
            # Between bars, a bar ends the value.
            return ("optional", name, self.binary(8) if bars else self.ternary())
        return ("required", name)

    # ---- structures

    def keyword(self, token: Lexeme) -> Tree:
        """Read what begins with a keyword."""
        word = token.value
        if word in ("nil", "true", "false", "self", "__FILE__", "__LINE__"):
            return (word,)
        if word in ("return", "next", "break"):
            return (word, self.value_of_jump())
        if word == "yield":
            return ("call", None, "yield", self.call(None, "yield", False)[3], None, False)
        reads = {
            "if": self.condition,
            "unless": self.condition,
            "case": self.case,
            "while": self.loop,
            "until": self.loop,
            "begin": self.begin,
            "def": self.definition,
            "module": self.module,
        }
        if word not in reads:
            raise Unreadable(f"the keyword {word}")
        no_do, self.no_do = self.no_do, 0
        depth, self.depth = self.depth, 0
        found = reads[word](word)
        self.no_do, self.depth = no_do, depth
        return found

    def value_of_jump(self) -> Tree:
        """Read the value after `return`."""
        ends = self.token is None or self.sees("nl") or self.sees("kw", *_MODIFIERS, "end")
        if ends or self.sees("op", "}", ")"):
            return ("nil",)
        values = self.listed()
        return values[0] if len(values) == 1 else ("array", values)

    def head(self, *ends: str) -> Tree:
        """Read a condition, to the end of its line or `then`."""
        self.no_do += 1
        condition = self.words_between(self.expression())
        self.no_do -= 1
        if not self.take("kw", *ends):
            self.need("nl")
            self.take("kw", *ends)
        return condition

    def condition(self, word: str) -> Tree:
        """Read `if` and `unless` with their branches."""
        condition = self.head("then")
        yes = self.body("elsif", "else", "end")
        no: Tree | None = None
        if self.take("kw", "elsif"):
            no = self.condition("if")
            return ("if", condition, yes, no)
        if self.take("kw", "else"):
            no = self.body("end")
        self.need("kw", "end")
        return ("if", condition, yes, no) if word == "if" else ("if", condition, no, yes)

    def case(self, word: str) -> Tree:
        """Read `case` with its branches."""
        subject = None if self.sees("nl") or self.sees("kw", "when") else self.expression()
        self.skip_lines()
        branches: list[tuple[list[Tree], Tree]] = []
        while self.take("kw", "when"):
            self.no_do += 1
            tests = self.listed()
            self.no_do -= 1
            if not self.take("kw", "then"):
                self.need("nl")
            branches.append((tests, self.body("when", "else", "end")))
        otherwise = self.body("end") if self.take("kw", "else") else None
        self.need("kw", "end")
        return ("case", subject, branches, otherwise)

    def loop(self, word: str) -> Tree:
        """Read `while` and `until`."""
        condition = self.head("do")
        body = self.body("end")
        self.need("kw", "end")
        return ("while", condition, body, word == "until")

    def begin(self, word: str) -> Tree:
        """Read `begin` with its rescues."""
        found = self.clauses("end")
        self.need("kw", "end")
        return found if found[0] == "begin" else ("begin", found, [], None, None)

    def clauses(self, closing: str) -> Tree:
        """Read a body, and `rescue`, `else` and `ensure` after it."""
        ends = ("rescue", "else", "ensure", closing)
        body = self.body(*ends)
        rescues: list[tuple[list[Tree], str | None, Tree]] = []
        while self.take("kw", "rescue"):
            kinds: list[Tree] = []
            while not self.sees("nl") and not self.sees("op", "=>") and not self.sees("kw", "then"):
                kinds.append(self.ternary())
                if not self.take("op", ","):
                    break
            name = str(self.need("id").value) if self.take("op", "=>") else None
            if name:
                self.names.add(name)
            self.take("kw", "then")
            rescues.append((kinds, name, self.body(*ends)))
        otherwise = self.body("ensure", closing) if self.take("kw", "else") else None
        ensure = self.body(closing) if self.take("kw", "ensure") else None
        if not rescues and otherwise is None and ensure is None:
            return body
        return ("begin", body, rescues, otherwise, ensure)

    def module(self, word: str) -> Tree:
        """Read a module with its body."""
        names = [str(self.need("const").value)]
        while self.take("op", "::"):
            names.append(str(self.need("const").value))
        body = self.body("end")
        self.need("kw", "end")
        return ("module", "::".join(names), body)

    def definition(self, word: str) -> Tree:
        """Read a method."""
        name = str(self.need("name").value)
        kept, self.names = self.names, set()
        parameters: list[Tree] = []
        if self.take("op", "("):
            parameters = self.parameters(")")
        elif not self.sees("nl"):
            parameters = [self.parameter()]
            while self.take("op", ","):
                parameters.append(self.parameter())
            self.names.update(names_of(parameters))
        body = self.clauses("end")
        self.need("kw", "end")
        self.names = kept
        return ("define", name, parameters, body)


def names_of(parameters: list[Tree]) -> list[str]:
    """Return the names of parameters."""
    found: list[str] = []
    for one in parameters:
        found += names_of(one[1]) if one[0] == "nested" else [one[1]]
    return found
