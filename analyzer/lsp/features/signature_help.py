"""Signature help: the parameters of the function, define or class around the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.lsp.reference import cursor, functions
from analyzer.lsp.reference.attributes import owners
from analyzer.lsp.reference.definitions import DocumentedParameter, definition_of
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.SignatureHelp | None:
    """Return the signatures around a position, None if there are none."""
    epp = asked.path.endswith(".epp")
    tokens = cursor.tokens_at(asked.text, asked.start, epp=epp)[0]
    opened = cursor.innermost(tokens)
    if opened < 1:
        return None
    if tokens[opened][0] in ("LPAREN", "WSLPAREN"):
        return of_call(snapshot, asked, tokens, opened)
    where = cursor.place_at(asked.text, asked.start, epp=epp)
    if where.kind in ("attribute", "value", "argument") and where.owner:
        return of_resource(snapshot, asked, where)
    return None


def of_call(
    snapshot: Snapshot, asked: EditorRequest, tokens: Sequence[Token], opened: int
) -> types.SignatureHelp | None:
    """Return the ways to call a function; the first argument of `$x.f()` is before the dot."""
    kind, value = tokens[opened - 1][:2]
    ahead = tokens[opened - 2][0] if opened > 1 else ""
    if kind not in ("NAME", "WORD") or ahead in cursor.DEFINITIONS:
        return None
    function = functions.function_of(snapshot, str(value), asked.path)
    if function is None:
        return None
    current = commas(tokens, opened) + (ahead == "DOT")
    fitting = [n for n, one in enumerate(function.lists) if fits(one, current)]
    active = fitting[0] if fitting else 0
    if fitting and function.lists[active][-1:] and function.lists[active][-1].many:
        current = min(current, len(function.lists[active]) - 1)
    rows = [signature(function.name, one, function.text) for one in function.lists]
    return types.SignatureHelp(rows, active, current)


def fits(parameters: Sequence[DocumentedParameter], number: int) -> bool:
    """Return whether a list of parameters accepts an argument at an index."""
    return number < len(parameters) or any(one.many for one in parameters)


def commas(tokens: Sequence[Token], opened: int) -> int:
    """Return how many commas are directly inside a bracket."""
    depth = count = 0
    for token in tokens[opened + 1 :]:
        depth += (token[0] in cursor.OPENING) - (token[0] in cursor.CLOSING)
        count += token[0] == "COMMA" and not depth
    return count


def signature(
    name: str, parameters: Sequence[DocumentedParameter], text: str
) -> types.SignatureInformation:
    """Return a signature; its parameters are marked by offsets in units of UTF-16."""
    label = f"{name}("
    rows = []
    for number, one in enumerate(parameters):
        label += ", " if number else ""
        begin = len(label.encode("utf-16-le")) // 2
        label += one.label
        place = begin, len(label.encode("utf-16-le")) // 2
        about = types.MarkupContent(types.MarkupKind.Markdown, one.text) if one.text else None
        rows.append(types.ParameterInformation(place, about))
    content = types.MarkupContent(types.MarkupKind.Markdown, text) if text else None
    return types.SignatureInformation(f"{label})", content, rows)


def of_resource(
    snapshot: Snapshot, asked: EditorRequest, where: cursor.Where
) -> types.SignatureHelp | None:
    """Return the parameters of a define or a class; the one whose value is written is active."""
    for found in owners(snapshot, where.owner, asked.path):
        if found.symbol.kind == "ruby type":
            return None
        one = definition_of(snapshot, found)
        names = [p.name for p in one.parameters]
        current = names.index(where.name) if where.name in names else len(names)
        shown = signature(one.name, one.parameters, one.comment.summary())
        return types.SignatureHelp([shown], 0, current)
    return None
