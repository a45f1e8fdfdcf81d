"""The facts of a CFEngine policy, found in one pass over its tokens, also if it is half-written.

| kind | its name |
| --- | --- |
| bundle | as written; `edit_line` bundles too |
| body | type and name: `perms/mog` |
| promise | type and promiser: `files "/etc/motd"` |
| handle | of a promise |
| policy class | of a promise of type `classes`; uses are guards and class expressions |
| policy variable | within its bundle; a use may have the bundle before it: `def.dir` |
| policy parameter | of a bundle or body |
"""

from __future__ import annotations

import re

from analyzer.frontends.cfengine.syntax.lexer import END, MASTER, Lexer, Token
from analyzer.frontends.cfengine.syntax.vocabulary import syntax
from analyzer.lsp.index.facts import FileFacts, IndexedSymbol, IndexedUse

# A variable in a string, or without quotes where the parser accepts one.
VARIABLE = re.compile(r"[$@][({]([\w:.]+)")

# Attributes whose value is a class expression, and the classes in one: `debian.!ready`.
EXPRESSIONS = frozenset({"and", "expression", "if", "ifvarclass", "not", "or", "unless", "xor"})
CLASSES = re.compile(r"[^\s.&|!()\"',]+")
CLASS = re.compile(r"(?:\w+:)?(\w+)")

# Attributes whose value names a bundle; `any` of old methods is one of them.
BUNDLES = frozenset({"usebundle", "edit_line", "edit_xml", "bundlesequence", "home_bundle"})
BEFORE_PROMISER = frozenset({"TYPE", "GUARD", "SEMIC", "LBRACE"})
NAMES = frozenset({"NAME", "STRING"})


class PolicyScan:
    """Reads the tokens of a policy once; `within` is the block that they are in, -1 for none."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.symbols: list[IndexedSymbol] = []
        self.uses: list[IndexedUse] = []
        self.within = self.promise = -1
        # The number of open lists: a brace that closes none of them closes the block.
        self.lists = 0
        self.kind = self.body = self.section = self.attribute = ""

    def end(self, token: Token) -> int:
        """Return the end of a token in the text; an unclosed string ends with its line."""
        if token.kind != "STRING":
            return token.offset + len(token.text)
        found = MASTER.match(self.text, token.offset)
        if found is not None and found.lastgroup == "string":
            return found.end()
        end = self.text.find("\n", token.offset)
        return len(self.text) if end < 0 else end

    def inner(self, token: Token) -> tuple[int, int]:
        """Return the place of the name in a token, without quotes."""
        end = self.end(token)
        return (token.offset + 1, max(token.offset + 1, end - 1)) if token.kind == "STRING" else (
            token.offset, end)  # fmt: skip

    def run(self) -> FileFacts:
        """Return the facts."""
        for i, token in enumerate(self.tokens):
            if token.kind in ("BUNDLE", "BODY"):
                self.head(i)
            elif token.kind == "TYPE":
                self.section, self.attribute = token.text[:-1], ""
            elif token.kind == "FARROW" and i:
                self.attribute = self.tokens[i - 1].text
            elif token.kind in ("LBRACE", "RBRACE"):
                self.brace(token)
            elif token.kind == "SEMIC":
                self.close(self.end(token), block=False)
            elif token.kind == "STRING" and self.begins_promise(i):
                self.promiser(token)
            elif token.kind in NAMES:
                self.name(i)
            self.inside(token)
        return FileFacts(tuple(self.symbols), tuple(self.uses))

    def inside(self, token: Token) -> None:
        """Record the names in a string or a guard."""
        if token.kind in ("STRING", "VAR"):
            self.variables(token)
        in_expression = token.kind == "STRING" and self.attribute in EXPRESSIONS
        if token.kind == "GUARD" or in_expression:
            self.classes(token)

    def brace(self, token: Token) -> None:
        """Begin or end a list, or end the block."""
        if token.kind == "LBRACE":
            self.lists += bool(self.attribute) or self.promise >= 0
        elif self.lists:
            self.lists -= 1
        else:
            self.close(self.end(token), block=True)

    def head(self, i: int) -> None:
        """Begin a bundle or body: its type, its name and its parameters."""
        self.close(self.tokens[i].offset, block=True)
        row = self.tokens[i : i + 3]
        if len(row) < 3 or row[1].kind != "NAME" or row[2].kind != "NAME":
            return
        self.kind, self.body = row[0].text, row[1].text
        start, end = self.inner(row[2])
        name = row[2].text if self.kind == "bundle" else f"{self.body}/{row[2].text}"
        self.within = len(self.symbols)
        first = row[0].offset
        self.symbols.append(IndexedSymbol(self.kind, name, start, end, first, len(self.text)))
        behind = self.tokens[i + 3 : i + 4]
        for token in self.tokens[i + 4 :] if behind and behind[0].kind == "LPAREN" else ():
            if token.kind == "NAME":
                self.declare("policy parameter", token.text, token)
            elif token.kind != "COMMA":
                return

    def declare(self, kind: str, name: str, token: Token) -> None:
        """Record a symbol in the block."""
        start, end = self.inner(token)
        last = self.end(token)
        self.symbols.append(IndexedSymbol(kind, name, start, end, token.offset, last, self.within))

    def close(self, end: int, *, block: bool) -> None:
        """End the promise, and the block around it."""
        for number in (self.promise, self.within if block else -1):
            if number >= 0:
                self.symbols[number] = self.symbols[number]._replace(last=end)
        self.promise, self.attribute, self.lists = -1, "", 0
        if block:
            self.within, self.kind, self.section = -1, "", ""

    def begins_promise(self, i: int) -> bool:
        """Return whether a string is a promiser."""
        before = self.tokens[i - 1].kind if i else ""
        return (
            self.kind == "bundle"
            and before in BEFORE_PROMISER
            and not (self.attribute or self.lists)
        )

    def promiser(self, token: Token) -> None:
        """Begin a promise; one about a variable declares it."""
        self.promise = len(self.symbols)
        if self.section == "vars":
            self.declare("policy variable", token.text.partition("[")[0], token)
        elif self.section == "classes":
            self.declare("policy class", token.text, token)
        else:
            self.declare("promise", f'{self.section} "{token.text}"', token)

    def name(self, i: int) -> None:
        """Record the name in a value: of a bundle, a body or a handle."""
        token = self.tokens[i]
        following = self.tokens[i + 1].kind if i + 1 < len(self.tokens) else ""
        if not self.attribute or following == "FARROW":
            return
        kind = value_kind(self.attribute)
        first = token.kind == "NAME" and self.tokens[i - 1].kind == "FARROW"
        name = token.text.rpartition(".")[2] if kind == "bundle" else token.text
        if self.attribute == "handle" and token.kind == "STRING":
            self.declare("handle", token.text, token)
        elif kind == "bundle" and (first or self.attribute == "bundlesequence"):
            self.use("bundle", name.removeprefix("default:"), token)
        elif kind == "handle" and token.kind == "STRING":
            self.use("handle", name, token)
        elif kind == "body" and first:
            of = self.body if self.attribute == "inherit_from" else self.attribute
            self.use("body", f"{of}/{name.rpartition(':')[2]}", token)
        elif token.kind == "NAME" and following == "LPAREN":
            self.use("policy function", name, token)

    def use(self, kind: str, name: str, token: Token) -> None:
        """Record a use."""
        self.uses.append(IndexedUse(kind, name, *self.inner(token), self.within))

    def classes(self, token: Token) -> None:
        """Record the classes of an expression; a part with a variable names none."""
        for part in CLASSES.finditer(self.text, token.offset, self.end(token)):
            found = CLASS.fullmatch(part[0].removesuffix("::"))
            if found is not None:
                start = part.start() + found.start(1)
                self.uses.append(IndexedUse("policy class", found[1], start, start + len(found[1]),
                                     self.within))  # fmt: skip

    def variables(self, token: Token) -> None:
        """Record the variables in a string."""
        for found in VARIABLE.finditer(self.text, token.offset, self.end(token)):
            self.uses.append(IndexedUse("policy variable", found[1], *found.span(1), self.within))


def value_kind(attribute: str) -> str:
    """Return the kind of name in an attribute's value: `bundle`, `body`, `handle`, or none."""
    if attribute in BUNDLES:
        return "bundle"
    if attribute == "depends_on":
        return "handle"
    return "body" if attribute in syntax().bodies or attribute == "inherit_from" else ""


def facts_of(text: str) -> FileFacts:
    """Return the facts of a policy."""
    return PolicyScan(text, tokens_of(text)).run()


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a policy without the last one, which marks its end."""
    return [token for token in Lexer(text).run() if token.kind != END]
