"""What the inputs of the lint are, and the errors that keep a manifest from being parsed."""

from __future__ import annotations

import os
from collections.abc import Iterator

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compiler.definitions.table import LOCATION
from analyzer.frontends.puppet.node.modules import is_misnamed, manifests_below
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.linter.input_files import POLICY, policies_below
from analyzer.reach import Outside
from analyzer.source import Span, caret_snippet, without_secrets


def errors_in(file: str, text: str | None, readable: bool = True) -> Iterator[CompileError]:
    """Yield why a manifest is no Puppet program, in Puppet's words."""
    if text is None:
        said = "it is not UTF-8" if readable else str(Outside(file).strerror)
        yield CompileError(f"cannot be read: {said}", Span(file), "unreadable")
        return
    for found in check_cached(text, file, cache=user_cache()).found:
        if found.severity == "error" and not (found.code == LOCATION and is_misnamed(file)):
            snippet = caret_snippet(text, found.line, found.column)
            message = without_secrets(found.message, text)
            yield CompileError(message, Span(file, found.line, found.column), found.code, snippet)


def is_document(path: str) -> bool:
    """Tell whether an input is a catalog that was compiled elsewhere."""
    return not (path.endswith((".pp", POLICY)) or os.path.isdir(path))


def is_policy(path: str) -> bool:
    """Tell whether an input is about CFEngine only: a policy, or a folder without manifests."""
    if os.path.isdir(path):
        return bool(policies_below(path)) and not manifests_below(path)
    return path.endswith(POLICY)
