"""Answers as text that are no places: completions, hovers, signatures, hints, tokens."""

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from analyzer.lsp.features.legend import KINDS, MODIFIERS

# Items of a completion that a case shows.
MOST_ITEMS = 8


def completion_list(value: types.CompletionList) -> str:
    rows = [completion_item(one) for one in value.items[:MOST_ITEMS]]
    more = len(value.items) - len(rows)
    return "\n".join([*rows, f"and {more} more"] if more else rows) or "none"


def completion_item(value: types.CompletionItem) -> str:
    edit = getattr(value.text_edit, "new_text", value.label)
    parts = [f"{value.label} ({edit})" if edit != value.label else value.label]
    parts += [value.detail or "", getattr(value.documentation, "value", "")]
    return " | ".join(filter(None, parts))


def signature_help(value: types.SignatureHelp) -> str:
    number, at = value.active_signature or 0, value.active_parameter
    one = value.signatures[number]
    places = [p.label for p in one.parameters or () if isinstance(p.label, tuple)]
    parameters = [one.label[start:end] for start, end in places]
    active = parameters[at] if at is not None and at < len(parameters) else "none"
    return "\n".join([*(row.label for row in value.signatures), f"in number {number}: {active}"])


def inlay_hint(value: types.InlayHint) -> str:
    return f"{value.position.line + 1}:{value.position.character + 1} {value.label}"


def hover(value: types.Hover) -> str:
    return str(getattr(value.contents, "value", ""))


RENDERERS: dict[type, Callable[[Any], str]] = {
    types.CompletionItem: completion_item,
    types.CompletionList: completion_list,
    types.Hover: hover,
    types.InlayHint: inlay_hint,
    types.SignatureHelp: signature_help,
}


def tokens_shown(found: types.SemanticTokens, text: str) -> str:
    """Return semantic tokens as lines: the text, its kind, and the modifiers."""
    rows, line, column = [], 0, 0
    lines = text.split("\n")
    for down, right, length, kind, bits in zip(*[iter(found.data)] * 5, strict=True):
        line, column = line + down, right if down else column + right
        named = [name for bit, name in enumerate(MODIFIERS) if bits >> bit & 1]
        rows.append(" ".join([lines[line][column : column + length], KINDS[kind], *named]))
    return "\n".join(rows) + "\n"
