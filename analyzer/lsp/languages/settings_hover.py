"""Hover in `catgraph.toml`: the values of a key, and the description of a rule by its code."""

from __future__ import annotations

import re

from lsprotocol import types

from analyzer.lsp.languages.settings_completion import TABLE, keys_of
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

WORD = re.compile(r"[\w-]+")
CODE = re.compile(r"CG\d{3}")


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.Hover | None:
    """Return the hover of a key or a rule, None for other words."""
    found = (one for one in WORD.finditer(asked.text) if one.start() <= asked.start <= one.end())
    word = next(found, None)
    if word is None:
        return None
    text = rule(word[0]) if CODE.fullmatch(word[0]) else key(asked.text, word.start(), word[0])
    if not text:
        return None
    contents = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(contents, snapshot.range(asked.path, *word.span()))


def rule(code: str) -> str:
    """Return the hover of a rule."""
    from analyzer.linter.registry import all_rules

    known = all_rules().get(code)
    return f"**{code}** {known.name}: {known.issue.summary}" if known is not None else ""


def key(text: str, offset: int, word: str) -> str:
    """Return the hover of a key of the table around it."""
    heads = TABLE.findall(text[:offset])
    known = keys_of(heads[-1].strip() if heads else "").get(word)
    return f"**{word}**: {known.wanted}" if known is not None else ""
