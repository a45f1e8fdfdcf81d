"""Classes, defines, functions and plans of manifests: their parameters and their documentation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.lsp.index.tokens import closings, tokens_of
from analyzer.lsp.reference.documentation import DocComment, comment_above
from analyzer.lsp.state.snapshot import FoundSymbol, Snapshot
from analyzer.source import masked

# The most characters of a definition that are searched for its parameters.
MOST_HEAD = 60_000

# The most characters of a default that are shown.
MOST_DEFAULT = 60


@dataclass(frozen=True, slots=True)
class DocumentedParameter:
    """A parameter: its type and default as written (empty if there is none), and its meaning.

    A parameter with `many` takes all further arguments. `values` are the words of an Enum or a
    Boolean.

    """

    name: str
    type: str = ""
    default: str = ""
    text: str = ""
    values: tuple[str, ...] = ()
    many: bool = False

    @property
    def required(self) -> bool:
        """Return whether the parameter has no default."""
        return not self.default and not self.many

    @property
    def label(self) -> str:
        """Return the parameter as in a list of parameters."""
        default = f" = {shortened(self.default)}" if self.default else ""
        kind = f"{self.type} " if self.type else ""
        return f"{kind}{'*' if self.many else ''}${self.name}{default}"


@dataclass(frozen=True, slots=True)
class DocumentedDefinition:
    """A definition: its kind and name, its parameters, and the comment above it."""

    kind: str
    name: str
    parameters: tuple[DocumentedParameter, ...]
    comment: DocComment

    @property
    def head(self) -> str:
        """Return its head; many parameters are on a line each."""
        labels = [one.label for one in self.parameters]
        inner = ", ".join(labels)
        if len(inner) > 70:
            inner = "\n" + "".join(f"  {label},\n" for label in labels)
        return f"{self.kind} {self.name}({inner})" if labels else f"{self.kind} {self.name}"


def shortened(code: str) -> str:
    """Return code on one line, cut if it is long."""
    line = " ".join(code.split())
    return line if len(line) <= MOST_DEFAULT else line[:MOST_DEFAULT] + "…"


def definition_of(snapshot: Snapshot, found: FoundSymbol) -> DocumentedDefinition:
    """Return the definition of a class, define, function, plan or alias."""
    symbol, text = found.symbol, snapshot.text(found.path)
    kind = "function" if symbol.kind == "ruby function" else symbol.kind
    comment = comment_above(text, symbol.first)
    head = text[symbol.first : min(symbol.last, symbol.first + MOST_HEAD)]
    return DocumentedDefinition(kind, symbol.name, described(parameters_in(head), comment), comment)


def described(
    parameters: tuple[DocumentedParameter, ...], comment: DocComment
) -> tuple[DocumentedParameter, ...]:
    """Return parameters with their documentation in a comment."""
    return tuple(
        DocumentedParameter(p.name, p.type, p.default, comment.parameter(p.name), p.values, p.many)
        for p in parameters
    )


@lru_cache(maxsize=256)
def parameters_in(head: str) -> tuple[DocumentedParameter, ...]:
    """Return the parameters in the first parentheses of a definition."""
    tokens = tokens_of(head)
    opened = next((i for i, token in enumerate(tokens[:4]) if token[0] == "LPAREN"), -1)
    if opened < 0:
        opened = next((i for i, token in enumerate(tokens[:4]) if token[0] == "WSLPAREN"), -1)
    return parameters_between(head, tokens, opened) if opened >= 0 else ()


def parameters_between(
    text: str, tokens: list[Token], opened: int
) -> tuple[DocumentedParameter, ...]:
    """Return the parameters between a bracket and the one that closes it."""
    close = closings(tokens, text)
    found: list[DocumentedParameter] = []
    first = i = opened + 1
    stop = min(close[opened], len(tokens))
    while i <= stop:
        if i == stop or tokens[i][0] == "COMMA":
            one = parameter(text, tokens[first:i])
            found += [one] if one is not None else []
            first = i + 1
        i = max(close[i] if i < len(tokens) else 0, i) + 1
    return tuple(found)


def parameter(text: str, tokens: list[Token]) -> DocumentedParameter | None:
    """Return the parameter in some tokens: a type, a variable, a default."""
    at = next((i for i, token in enumerate(tokens) if token[0] == "VARIABLE"), None)
    if at is None:
        return None
    many = at > 0 and tokens[at - 1][0] == "TIMES"
    of_type = tokens[: at - many]
    default = tokens[at + 2 :] if tokens[at + 1 : at + 2] else []
    return DocumentedParameter(
        str(tokens[at][1]),
        between(text, of_type),
        masked(between(text, default)),
        values=words_of(of_type),
        many=many,
    )


def between(text: str, tokens: list[Token]) -> str:
    """Return the text from the first to the last of some tokens."""
    if not tokens:
        return ""
    start, end = tokens[0][2], tokens[-1][2] + tokens[-1][3]
    return " ".join(text[start:end].split())


def words_of(tokens: list[Token]) -> tuple[str, ...]:
    """Return the values that a type names: the words of an Enum, quoted, or of a Boolean."""
    names = [token[1] for token in tokens]
    found: list[str] = []
    for i, token in enumerate(tokens):
        if token[0] == "CLASSREF" and names[i] == "Boolean":
            found += ["true", "false"]
        elif token[0] == "CLASSREF" and names[i] in ("Enum", "Stdlib::Ensure"):
            for other in tokens[i + 2 :]:
                if other[0] not in ("STRING", "NAME", "COMMA", "BOOLEAN"):
                    break
                if other[0] != "COMMA":
                    found.append(f"'{other[1]}'")
    return tuple(dict.fromkeys(found))


def members(snapshot: Snapshot, found: FoundSymbol, kinds: tuple[str, ...]) -> list[FoundSymbol]:
    """Return the parameters or variables that are declared directly in a definition."""
    symbols = snapshot.facts(found.path).symbols
    number = symbols.index(found.symbol)
    own = [s for s in symbols if s.within == number and s.kind in kinds]
    return [FoundSymbol(found.path, symbol) for symbol in own]
