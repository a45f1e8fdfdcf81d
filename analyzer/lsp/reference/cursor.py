"""The kind of name expected at a place of a manifest, from the tokens before it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.lsp.index.manifest import BEFORE_VALUE, DATA_TYPES, bare
from analyzer.lsp.index.tokens import CLOSING, OPENING, tokens_of, whole_tokens

# The written keys of a fact, and the beginning of the next one: `$facts['os']['na`.
FACTS = re.compile(
    r"\$\{?(?:::)?(?:facts|trusted)(?P<keys>(?:\[\s*['\"][^'\"\[\]]*['\"]\s*\])*)"
    r"\[\s*(?P<quote>['\"]?)(?P<word>[\w.:-]*)\Z"
)
FACT_CALL = re.compile(
    r"(?:\bfact\(\s*|\$facts\.(?:get|dig)\(\s*)(?P<quote>['\"])(?P<word>[\w.]*)\Z"
)
KEY = re.compile(r"['\"]([^'\"]*)['\"]")
VARIABLE = re.compile(r"\$(?P<brace>\{?)(?:::)?(?P<word>[\w:]*)\Z")
WORD = re.compile(r"[\w:]*\Z")

# The most characters before a place that are read: for a variable, and for everything else.
NEAR, MOST_BEFORE = 300, 200_000

CLASSES = frozenset({"include", "contain", "require"})
LOOKUPS = frozenset({"lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"})
OF_TYPES = frozenset({"create_resources", "ensure_resource", "ensure_resources"})
LISTED = frozenset({"COMMA", "STRING", "NAME", "WORD", "LISTSTART", "LBRACK", "LPAREN", "WSLPAREN"})
GOING_ON = LISTED - {"STRING", "NAME", "WORD"}
COLLECTS = {"RCOLLECT": "LCOLLECT", "RRCOLLECT": "LLCOLLECT"}
DEFINITIONS = frozenset({"CLASS", "DEFINE", "FUNCTION", "PLAN"})
BEGIN = re.compile(r"^(?:class|define|function|node|plan)\b", re.MULTILINE)


__all__ = ["CLOSING", "DEFINITIONS", "OPENING", "Where", "innermost", "place_at", "tokens_at"]


@dataclass(frozen=True, slots=True)
class Where:
    """A place: the kind of name expected there, and its beginning `word` from `start` on.

    `owner` is the type, define or class (`class NAME`) of an attribute or a title, or the called
    function. `name` is the attribute whose value is expected, or the brace in `${`. `given` are the
    attributes given so far, or the keys of a fact. `quoted` is true if a quote is open.
    """

    kind: str
    word: str = ""
    start: int = 0
    owner: str = ""
    name: str = ""
    given: tuple[str, ...] = ()
    quoted: bool = False


NOWHERE = Where("nothing")


def open_quote(line: str) -> str:
    """Return the quote that a line leaves open, `#` in a comment, else an empty text."""
    quote = ""
    escaped = False
    for char in line:
        if escaped:
            escaped = False
        elif quote:
            escaped = char == "\\"
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "#":
            return "#"
    return quote


def place_at(text: str, offset: int, *, epp: bool = False) -> Where:
    """Return the kind of name expected at an offset."""
    line = line_before(text, offset)
    quote = open_quote(line)
    near = line[-NEAR:]
    fact = FACTS.search(near) or FACT_CALL.search(near)
    if quote == "#":
        return NOWHERE
    if fact is not None:
        keys = tuple(KEY.findall(fact.groupdict().get("keys") or ""))
        word = fact["word"]
        if "keys" not in fact.groupdict():
            *above, word = word.split(".")
            keys = tuple(above)
        return Where("fact", word, offset - len(word), given=keys, quoted=bool(fact["quote"]))
    variable = VARIABLE.search(near)
    if variable is not None and quote != "'":
        word = variable["word"]
        return Where("variable", word, offset - len(word), name=variable["brace"] or "")
    if in_heredoc(text, offset, epp):
        return NOWHERE
    tokens, word, quoted = tokens_at(text, offset, epp=epp)
    where = expected(tokens, word)
    return replace(where, word=word, start=offset - len(word), quoted=quoted)


def in_heredoc(text: str, offset: int, epp: bool) -> bool:
    """Return whether an offset is in the text of a heredoc, outside interpolated code."""
    _, begun, code = line_before(text, offset).rpartition("${")
    if begun and "}" not in code:
        return False
    return any(
        kind == "SUBLOCATE" and start <= offset < start + length
        for kind, _, start, length in whole_tokens(text, epp=epp) or ()
    )


def line_before(text: str, offset: int) -> str:
    """Return the line up to an offset."""
    return text[max(text.rfind("\n", 0, offset) + 1, offset - 4000) : offset]


def tokens_at(text: str, offset: int, *, epp: bool = False) -> tuple[tuple[Token, ...], str, bool]:
    """Return the tokens before the word at an offset, and the word's beginning.

    The last value is true if the word is in an open string.
    """
    line = line_before(text, offset)
    quote = open_quote(line)
    if quote in ("'", '"'):
        word = line[line.rindex(quote) + 1 :]
        code = word.rpartition("${")[2]
        if quote == '"' and "${" in word and "}" not in code:
            last = WORD.search(code)
            named = last[0] if last else ""
            return tokens_before(code.removesuffix(named), False), named, False
        return before(text, offset - len(word) - 1, epp), word, True
    found = WORD.search(line[-NEAR:])
    word = found[0] if found else ""
    return before(text, offset - len(word), epp), word, False


@lru_cache(maxsize=8)
def tokens_before(part: str, epp: bool) -> tuple[Token, ...]:
    """Return the tokens of a part of a text."""
    return tuple(tokens_of(part, epp=epp))


def before(text: str, offset: int, epp: bool) -> tuple[Token, ...]:
    """Return the tokens before an offset, from the last definition that begins a line."""
    first = max(0, offset - MOST_BEFORE)
    if not epp:
        for match in BEGIN.finditer(text, first, offset):
            first = match.start()
    whole = whole_tokens(text, epp=epp)
    if whole is None:
        return tokens_before(text[first:offset], epp)
    return tuple(one for one in whole if first <= one[2] and one[2] + one[3] <= offset)


def innermost(tokens: tuple[Token, ...]) -> int:
    """Return the number of the last bracket that is open, -1 for none."""
    pending: list[int] = []
    for i, token in enumerate(tokens):
        if token[0] in OPENING or token[0] in ("LCOLLECT", "LLCOLLECT"):
            pending.append(i)
        elif token[0] in CLOSING or token[0] in COLLECTS:
            wanted = OPENING.get(tokens[pending[-1]][0]) if pending else ""
            if pending and (wanted == token[0] or token[0] in COLLECTS):
                pending.pop()
    return pending[-1] if pending else -1


def expected(tokens: tuple[Token, ...], word: str) -> Where:
    """Return the kind of name expected after some tokens."""
    if not tokens:
        return statement(word)
    last = tokens[-1][0]
    if last in ("DOT", "INHERITS"):
        return Where("function" if last == "DOT" else "class")
    if names_classes(tokens):
        return Where("class")
    opened = innermost(tokens)
    if opened < 0:
        return statement(word)
    return INSIDE.get(tokens[opened][0], in_block)(tokens, opened, word)


def statement(word: str) -> Where:
    """Return the place of a statement or an expression."""
    return Where("type" if word[:1].isupper() else "statement")


def names_classes(tokens: tuple[Token, ...]) -> bool:
    """Return whether the next name is an argument of `include` or a similar function."""
    i = len(tokens) - 1
    if tokens[i][0] not in GOING_ON and tokens[i][1] not in CLASSES:
        return False
    while i >= 0 and tokens[i][0] in LISTED:
        if tokens[i][0] == "NAME" and tokens[i][1] in CLASSES:
            return i == 0 or tokens[i - 1][0] not in ("CLASS", "DEFINE", "FUNCTION")
        i -= 1
    return False


def in_titles(tokens: tuple[Token, ...], opened: int, word: str) -> Where:
    """Return the place in the brackets after a type."""
    kind, value = tokens[opened - 1][:2] if opened else ("", "")
    name = bare(value)
    if kind != "CLASSREF" or name in DATA_TYPES:
        return statement(word)
    return Where("class") if name == "class" else Where("title", owner=name)


def in_call(tokens: tuple[Token, ...], opened: int, word: str) -> Where:
    """Return the place in parentheses: the arguments of a call, or parameters of a definition."""
    kind, value = tokens[opened - 1][:2] if opened else ("", "")
    if kind in ("NAME", "WORD", "CLASSREF") and opened > 1 and tokens[opened - 2][0] in DEFINITIONS:
        in_default = any(token[0] == "EQUALS" for token in item(tokens, opened))
        return statement(word) if in_default else Where("type")
    if kind != "NAME":
        return statement(word)
    first = tokens[-1][0] in ("LPAREN", "WSLPAREN")
    if value in LOOKUPS and first:
        return Where("key")
    if value in OF_TYPES and first:
        return Where("resource type")
    return Where("type" if word[:1].isupper() else "argument", owner=str(value))


def item(tokens: tuple[Token, ...], opened: int) -> list[Token]:
    """Return the tokens after the last comma directly inside a bracket."""
    found: list[Token] = []
    depth = 0
    for token in tokens[opened + 1 :]:
        depth += (token[0] in OPENING) - (token[0] in CLOSING)
        if token[0] == "COMMA" and not depth:
            found.clear()
        else:
            found.append(token)
    return found


def in_block(tokens: tuple[Token, ...], opened: int, word: str) -> Where:
    """Return the place in braces: of a resource, or of statements."""
    owner, titled = owner_of(tokens, opened)
    return in_resource(tokens, opened, owner, titled, word) if owner else statement(word)


def owner_of(tokens: tuple[Token, ...], opened: int) -> tuple[str, bool]:
    """Return the type of the resource or defaults in braces, and whether titles come first."""
    if not opened:
        return "", False
    kind, value = tokens[opened - 1][:2]
    ahead = tokens[opened - 2][0] if opened > 1 else ""
    if kind in ("NAME", "WORD") and ahead not in BEFORE_VALUE:
        return bare(value), True
    if kind == "CLASS":
        return "class", True
    if kind == "CLASSREF" and ahead not in ("INHERITS", "RSHIFT", "TYPE"):
        return bare(value), False
    if kind == "RBRACK" or kind in COLLECTS:
        ends = ("LBRACK", "LISTSTART") if kind == "RBRACK" else (COLLECTS[kind],)
        i = opened - 1
        while i > 0 and tokens[i][0] not in ends:
            i -= 1
        if i > 0 and tokens[i - 1][0] == "CLASSREF":
            return bare(tokens[i - 1][1]), False
    return "", False


def in_resource(
    tokens: tuple[Token, ...], opened: int, owner: str, titled: bool, word: str
) -> Where:
    """Return the place in a resource: a title, the name of an attribute, or its value."""
    title = str(tokens[opened + 1][1]) if len(tokens) > opened + 1 else ""
    behind = not titled
    given: list[str] = []
    current: list[Token] = []
    depth = 0
    for token in tokens[opened + 1 :]:
        kind = token[0]
        depth += (kind in OPENING) - (kind in CLOSING)
        if not depth and kind == "SEMIC":
            behind, given, current, title = not titled, [], [], ""
            continue
        title = title or str(token[1])
        if not depth and kind == "COLON" and not behind:
            behind, current = True, []
        elif not depth and kind == "COMMA":
            current = []
        else:
            current.append(token)
            if kind in ("FARROW", "PARROW") and not depth and len(current) == 2:
                given.append(str(current[0][1]))
    full = f"class {bare(title)}" if owner == "class" else owner
    if not behind:
        return Where("class") if owner == "class" else Where("nothing")
    if not current:
        return Where("attribute", owner=full, given=tuple(given))
    if len(current) == 1:
        return Where("nothing")
    return Where("value" if len(current) == 2 else "type" if word[:1].isupper() else "argument",
                 owner=full, name=str(current[0][1]))  # fmt: skip


def in_query(tokens: tuple[Token, ...], opened: int, word: str) -> Where:
    """Return the place in a collector: an attribute, or the value it is compared with."""
    name = bare(tokens[opened - 1][1]) if opened else ""
    if tokens[-1][0] in ("ISEQUAL", "NOTEQUAL"):
        return Where("value", owner=name, name=str(tokens[-2][1]))
    return Where("query", owner=name)


INSIDE = {
    "LBRACE": in_block,
    "LBRACK": in_titles,
    "LCOLLECT": in_query,
    "LISTSTART": in_titles,
    "LLCOLLECT": in_query,
    "LPAREN": in_call,
    "WSLPAREN": in_call,
}
