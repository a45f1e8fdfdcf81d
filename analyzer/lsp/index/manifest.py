"""The facts of a manifest or an EPP template, found in one pass over its tokens.

The tree of a complete file has the same facts, but not the places of names, and a half-written file
has no tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.lsp.index.calls import STATEMENTS, own_path, uses_in_call
from analyzer.lsp.index.facts import FileFacts, IndexedSymbol, IndexedUse
from analyzer.lsp.index.tokens import closings, tokens_of

# Kinds of tokens that may be the name of a definition.
NAMES = frozenset({"NAME", "WORD", "CLASSREF", "STRING"})
# Kinds of tokens before the name of a definition.
DEFINING = frozenset({"CLASS", "DEFINE", "FUNCTION", "PLAN", "NODE", "INHERITS"})
PARENS = frozenset({"LPAREN", "WSLPAREN"})

# After these, a name and a brace are a value and a block: `if $x == foo {`.
BEFORE_VALUE = frozenset(
    {"IF", "ELSIF", "UNLESS", "CASE", "IN", "AND", "OR", "NOT", "EQUALS", "FARROW", "QMARK", "DOT"}
    | {"ISEQUAL", "NOTEQUAL", "MATCH", "NOMATCH", "LESSTHAN", "LESSEQUAL", "GREATERTHAN"}
    | {"GREATEREQUAL", "COMMA", "LPAREN", "LBRACK", "LISTSTART", "NODE", "INHERITS", "CLASS"}
    | {"DEFINE", "FUNCTION", "PLAN", "TYPE"}
)

# Types whose brackets contain no titles.
DATA_TYPES = frozenset(
    [
        "any",
        "array",
        "binary",
        "boolean",
        "callable",
        "catalogentry",
        "collection",
        "data",
        "default",
        "deferred",
        "enum",
        "error",
        "float",
        "hash",
        "init",
        "integer",
        "iterable",
        "iterator",
        "notundef",
        "numeric",
        "object",
        "optional",
        "pattern",
        "regexp",
        "regexpscalar",
        "richdata",
        "runtime",
        "scalar",
        "scalardata",
        "semver",
        "semverrange",
        "sensitive",
        "string",
        "struct",
        "target",
        "timespan",
        "timestamp",
        "tuple",
        "type",
        "typeset",
        "undef",
        "unit",
        "uri",
        "variant",
    ]
)

MODULES = "puppet:///modules/"


def facts_of(text: str, *, epp: bool = False, tasks: bool = False) -> FileFacts:
    """Return the facts of a text."""
    return ManifestScan(text, tokens_of(text, epp=epp, tasks=tasks)).facts()


def bare(name: object) -> str:
    """Return a name as in definitions."""
    return str(name).lower().removeprefix("::")


class ManifestScan:
    """One pass over the tokens; `i`, `j` and `k` are always numbers of tokens."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.kinds = [token[0] for token in tokens] + [""] * 4
        self.close = [*closings(tokens, text), 0, 0, 0, 0]
        self.symbols: list[IndexedSymbol] = []
        self.uses: list[IndexedUse] = []
        # The symbols around: for each, the number of the token that ends it, and its own number.
        self.around: list[tuple[int, int]] = []
        # By token: the declared variables, and the names of attributes with their owner.
        self.declared: dict[int, str] = {}
        self.attributes: dict[int, str] = {}
        # Titles by their first token, which opens their symbol.
        self.titles: dict[int, tuple[str, int]] = {}

    def facts(self) -> FileFacts:
        """Return the declarations and uses of the tokens."""
        for i, kind in enumerate(self.kinds[: len(self.tokens)]):
            while self.around and self.around[-1][0] <= i:
                self.around.pop()
            if i in self.titles:
                self.resource(i)
            if i in self.attributes:
                self.use("attribute", f"{self.attributes[i]}/{self.tokens[i][1]}", i)
            elif kind in HANDLERS:
                HANDLERS[kind](self, i)
        order = sorted(self.uses, key=lambda use: (use.start, use.end))
        return FileFacts(tuple(self.symbols), tuple(order))

    @property
    def within(self) -> int:
        """Return the number of the symbol around, -1 for none."""
        return self.around[-1][1] if self.around else -1

    def place(self, i: int) -> tuple[int, int]:
        """Return the place of the name in a token, without quotes and dollar."""
        kind, _, start, length = self.tokens[i]
        if kind == "STRING" and length >= 2 and self.text[start] in "'\"":
            return start + 1, start + length - 1
        if kind == "VARIABLE" and self.text[start : start + 1] == "$":
            return start + 1, start + length
        return start, start + length

    def end(self, i: int) -> int:
        """Return the end of a token, the end of the text after the last one."""
        if i >= len(self.tokens):
            return len(self.text)
        return self.tokens[i][2] + self.tokens[i][3]

    def use(self, kind: str, name: str, i: int, last: int = 0) -> None:
        """Record a use by the token `i`, or by a quoted text that the token `last` ends."""
        place = (self.tokens[i][2] + 1, self.end(last) - 1) if last else self.place(i)
        self.uses.append(IndexedUse(kind, name, *place, self.within))

    def declare(self, kind: str, name: str, i: int, first: int, stop: int) -> None:
        """Record a declaration named by the token `i`, which the token `stop` ends."""
        last = self.tokens[stop][2] if 0 < stop < len(self.tokens) else len(self.text)
        if stop < len(self.tokens) and self.kinds[stop] in ("RBRACE", "RBRACK", "RPAREN"):
            last = self.end(stop)
        self.symbols.append(IndexedSymbol(kind, name, *self.place(i), first, last, self.within))
        self.around.append((stop, len(self.symbols) - 1))

    def skip(self, j: int, stops: frozenset[str], limit: int) -> int:
        """Return the first token of some kinds from `j` on, skipping brackets, or `limit`."""
        while j < limit and self.kinds[j] not in stops:
            j = max(self.close[j], j) + 1
        return min(j, limit)

    def items(self, j: int, limit: int) -> Iterator[int]:
        """Yield the first token of each item between commas."""
        while j < limit:
            yield j
            j = self.skip(j, frozenset({"COMMA"}), limit) + 1

    def parameters(self, j: int, limit: int) -> None:
        """Record the first variable between each two commas as a declaration."""
        for k in self.items(j, limit):
            found = self.skip(k, frozenset({"VARIABLE", "COMMA"}), limit)
            if self.kinds[found] == "VARIABLE":
                self.declared[found] = "parameter"

    def definition(self, i: int) -> None:
        """Record a class, define, function or plan, if it has a name."""
        kind, j = self.kinds[i].lower(), i + 1
        if self.kinds[j] == "LBRACE" and kind == "class":
            self.resources(i, "class")
        if self.kinds[j] not in NAMES:
            return
        name, j = bare(self.tokens[j][1]), j + 1
        outer = self.symbols[self.within] if self.around else None
        if outer is not None and outer.kind == "class" and kind in ("class", "define"):
            name = f"{outer.name}::{name}"
        opened = j if self.kinds[j] in PARENS else 0
        j = self.close[j] + 1 if opened else j
        parent = j + 1 if self.kinds[j] == "INHERITS" and self.kinds[j + 1] in NAMES else 0
        j = self.skip(j, BODY, len(self.tokens))
        stop = self.close[j] if self.kinds[j] == "LBRACE" else max(j, i + 2)
        self.declare(kind, name, i + 1, self.tokens[i][2], stop)
        if opened:
            self.parameters(opened + 1, self.close[opened])
        if parent:
            self.use("inherits", bare(self.tokens[parent][1]), parent)

    def type_alias(self, i: int) -> None:
        """Record `type Name = ...`."""
        if self.kinds[i + 1] != "CLASSREF":
            return
        stop = i + 1
        if self.kinds[i + 2] == "EQUALS":
            stop = self.close[i + 4] or i + 3
        self.declare("type", bare(self.tokens[i + 1][1]), i + 1, self.tokens[i][2], stop + 1)
        self.symbols[-1] = self.symbols[-1]._replace(last=self.end(stop))

    def node(self, i: int) -> None:
        """Record a node block; its name is its matches as written."""
        j = self.skip(i + 1, BODY, len(self.tokens))
        if j == i + 1:
            return
        start, end = self.tokens[i + 1][2], self.end(j - 1)
        stop = self.close[j] if self.kinds[j] == "LBRACE" else j
        self.declare("node", self.text[start:end], i + 1, self.tokens[i][2], stop)
        self.symbols[-1] = self.symbols[-1]._replace(start=start, end=end)

    def variable(self, i: int) -> None:
        """Record a variable: declared by a list of parameters or by `=`, else used."""
        name = str(self.tokens[i][1]).removeprefix("::")
        if not name:
            return
        kind = self.declared.get(i) or ("variable" if self.kinds[i + 1] == "EQUALS" else "")
        if kind:
            start, end = self.place(i)
            first = self.tokens[i][2]
            self.symbols.append(IndexedSymbol(kind, name, start, end, first, end, self.within))
        else:
            self.use("variable", name, i)

    def list(self, i: int) -> None:
        """Record `[$a, $b] = ...`, which declares the variables of the list."""
        stop = self.close[i]
        if self.kinds[stop + 1] == "EQUALS" and stop < len(self.tokens):
            self.declared.update(
                {j: "variable" for j in range(i, stop) if self.kinds[j] == "VARIABLE"}
            )

    def pipe(self, i: int) -> None:
        """Record the parameters of a lambda, whose scope is its block."""
        j = self.skip(i + 1, LAMBDA, len(self.tokens))
        if self.kinds[j] != "PIPE" or i in self.declared:
            return
        self.declared[j] = "end"
        body = j + 1
        if self.kinds[body] == "RSHIFT":
            body = self.skip(body, BODY, len(self.tokens))
        if self.kinds[body] != "LBRACE" and self.kinds[0] == "EPP_START":
            # The scope of a template's parameters is the whole template.
            self.parameters(i + 1, j)
            return
        if self.kinds[body] != "LBRACE" and j > i + 2 and self.kinds[j - 1] != "VARIABLE":
            return
        stop = self.close[body] if self.kinds[body] == "LBRACE" else body
        self.declare("lambda", "", i, self.tokens[i][2], stop)
        self.parameters(i + 1, j)

    def name(self, i: int) -> None:
        """Record the name of a function or of a type of resources; other names are values."""
        before, after = self.kinds[i - 1] if i else "", self.kinds[i + 1]
        name = bare(self.tokens[i][1])
        if before in DEFINING:
            return
        if before == "DOT" or after == "LPAREN":
            self.use("function", name, i)
            if after == "LPAREN":
                uses_in_call(self, name, i + 2, self.close[i + 1])
        elif after == "LBRACE" and before not in BEFORE_VALUE:
            self.use("type", name, i)
            self.resources(i, name)
        elif name in STATEMENTS and before not in BEFORE_VALUE and after not in OPERATORS:
            self.use("function", name, i)
            uses_in_call(self, name, i + 1, self.skip(i + 1, STATEMENT, len(self.tokens)))

    def resources(self, i: int, owner: str) -> None:
        """Find the titles and the attributes of a resource expression ahead of their tokens."""
        j, stop = i + 2, self.close[i + 1]
        while j < stop:
            end = self.skip(j, frozenset({"SEMIC"}), stop)
            colon = self.skip(j, frozenset({"COLON", "SEMIC", "FARROW"}), end)
            if self.kinds[colon] != "COLON" and self.kinds[j] != "STRING":
                return
            titles = [*self.titles_in(j, max(colon, j + 1))]
            for k in titles:
                self.titles[k] = owner, end
            of = (
                f"class {bare(self.tokens[titles[0]][1])}" if owner == "class" and titles else owner
            )
            k = colon + 1
            while k < end:
                if self.kinds[k + 1] in ("FARROW", "PARROW"):
                    self.attributes[k] = of
                k = self.skip(k, frozenset({"COMMA"}), end) + 1
            j = end + 1

    def titles_in(self, j: int, stop: int) -> Iterator[int]:
        """Yield the first token of each title; the variables in a text are part of it."""
        inside = False
        for k in range(j, stop):
            kind = self.kinds[k]
            if kind in TITLES and not inside:
                yield k
            inside = kind == "DQPRE" or (inside and kind != "DQPOST")

    def resource(self, i: int) -> None:
        """Record the title of a resource, or of a class that is declared like one."""
        owner, stop = self.titles[i]
        kind, value, start, _ = self.tokens[i]
        if owner == "class":
            if kind in ("STRING", "NAME"):
                self.use("class", bare(value), i)
            return
        begin, end = self.place(i)
        if kind == "DQPRE":
            j = i
            while self.kinds[j] not in ("DQPOST", "") and j < stop:
                j += 1
            begin, end = start + 1, self.end(j) - 1
            value = self.text[begin:end]
        elif kind == "VARIABLE":
            value = self.text[start:end]
        last = max(end, self.end(min(stop, len(self.tokens)) - 1))
        name = f"{owner}[{value}]"
        self.symbols.append(IndexedSymbol("resource", name, begin, end, start, last, self.within))

    def reference(self, i: int) -> None:
        """Record a type: of data, of resources, or with the titles that it refers to."""
        name = bare(self.tokens[i][1])
        if i and self.kinds[i - 1] == "TYPE":
            return
        self.use("type", name, i)
        if self.kinds[i + 1] not in ("LBRACK", "LISTSTART") or name in DATA_TYPES:
            return
        for j in self.items(i + 2, self.close[i + 1]):
            if self.kinds[j] in ("STRING", "NAME"):
                title = str(self.tokens[j][1])
                if name == "class":
                    self.use("class", bare(title), j)
                else:
                    self.use("resource", f"{name}[{title}]", j)

    def string(self, i: int) -> None:
        """Record the path of a file that agents fetch."""
        value = self.tokens[i][1]
        if value.startswith(MODULES):
            self.use("file", value.removeprefix(MODULES), i)

    def own_file(self, i: int) -> None:
        """Record the path of a file of the module itself that agents fetch."""
        path = own_path(self, i) if self.tokens[i][1] == MODULES else ""
        if path:
            self.use("file", path, i, i + 2)


BODY = frozenset({"LBRACE", "RBRACE", "CLASS", "DEFINE", "NODE", "FUNCTION", "SEMIC"})
LAMBDA = frozenset({"PIPE", "LBRACE", "RBRACE", "SEMIC", "FARROW", "COLON"})
TITLES = frozenset({"STRING", "NAME", "DQPRE", "VARIABLE"})
# Kinds of tokens before which a name is not a statement.
OPERATORS = frozenset(
    {"FARROW", "COLON", "EQUALS", "COMMA", "RBRACK", "DOT", "PARROW", "RPAREN", "ISEQUAL"}
    | {"NOTEQUAL", "RCOLLECT", "RRCOLLECT", "AND", "OR"}
)
# Kinds of tokens that end the arguments of a statement without parentheses.
STATEMENT = frozenset({"RBRACE", "LBRACE", "SEMIC", "IF", "CASE", "UNLESS", "CLASS", "DEFINE"})

HANDLERS: dict[str, Callable[[ManifestScan, int], None]] = {
    "CLASS": ManifestScan.definition,
    "CLASSREF": ManifestScan.reference,
    "DEFINE": ManifestScan.definition,
    "DQPRE": ManifestScan.own_file,
    "FUNCTION": ManifestScan.definition,
    "LISTSTART": ManifestScan.list,
    "LBRACK": ManifestScan.list,
    "NAME": ManifestScan.name,
    "NODE": ManifestScan.node,
    "PIPE": ManifestScan.pipe,
    "PLAN": ManifestScan.definition,
    "STRING": ManifestScan.string,
    "TYPE": ManifestScan.type_alias,
    "VARIABLE": ManifestScan.variable,
    "WORD": ManifestScan.name,
}
