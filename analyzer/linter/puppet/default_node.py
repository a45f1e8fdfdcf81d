"""A `node default` that refuses nodes: the site wants none without a block of their own."""

from __future__ import annotations

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.puppet.site_texts import of_default_node
from analyzer.linter.puppet.subjects import manifest_of
from analyzer.reading import read_text


def is_intended(error: CompileError) -> bool:
    """Return whether a `node default` does nothing but refuse nodes by `fail`."""
    if not of_default_node(error):
        return False
    try:
        manifest = manifest_of(error.span.file, read_text(error.span.file))
    except (OSError, ValueError):
        return False
    if manifest is None:
        return False
    return any(
        isinstance(block.body, a.BlockExpression)
        and manifest.span(block.body.statements[0]) == error.span
        for block, _ in manifest.nodes(a.NodeDefinition)
    )
