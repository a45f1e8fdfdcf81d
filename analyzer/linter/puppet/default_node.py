"""A `node default` that refuses nodes: the site wants none without a block of their own."""

from __future__ import annotations

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.puppet.site_texts import of_default_node
from analyzer.linter.puppet.subjects import manifest_of
from analyzer.reading import read_text


def is_intended(error: CompileError) -> bool:
    """Return whether a `node default` does nothing but refuse nodes by `fail`."""
    if not (error.refusal and of_default_node(error)):
        return False
    try:
        manifest = manifest_of(error.span.file, read_text(error.span.file))
    except (OSError, ValueError):
        return False
    if manifest is None:
        return False
    bodies = (block.body for block, _ in manifest.nodes(a.NodeDefinition))
    firsts = (body.statements[:1] for body in bodies if isinstance(body, a.BlockExpression))
    return any(manifest.span(first) == error.span for found in firsts for first in found)
