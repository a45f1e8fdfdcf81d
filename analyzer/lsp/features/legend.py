"""The kinds of semantic tokens, as an editor numbers them."""

from __future__ import annotations

from lsprotocol import types

KINDS = tuple(sorted(("class", "function", "keyword", "number", "parameter", "property", "regexp",
                      "struct", "type", "variable")))  # fmt: skip
MODIFIERS = ("declaration", "defaultLibrary")

LEGEND = types.SemanticTokensLegend(KINDS, MODIFIERS)
