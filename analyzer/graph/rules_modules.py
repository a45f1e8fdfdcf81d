"""The automatic relations of types that modules bring, one row each."""

from __future__ import annotations

from analyzer.graph.autorelations import AutoRelation

ROWS: tuple[AutoRelation, ...] = ()
