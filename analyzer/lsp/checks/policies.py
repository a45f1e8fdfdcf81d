"""Diagnostics of one policy while it is typed: CFEngine's errors, in its own words."""

from __future__ import annotations

from functools import lru_cache

from lsprotocol import types

from analyzer.diagnostics import InputError
from analyzer.frontends.cfengine.syntax.check import check_text
from analyzer.frontends.cfengine.syntax.problems import Problem
from analyzer.lsp.checks.shown import SOURCE, range_of
from analyzer.lsp.state.snapshot import Snapshot


def diagnostics(snapshot: Snapshot, path: str) -> list[types.Diagnostic]:
    """Return the problems for which CFEngine refuses a policy."""
    return [
        types.Diagnostic(
            range=range_of(snapshot, path, one.span),
            message=one.message,
            severity=types.DiagnosticSeverity.Error,
            code=f"cf-{one.code}",
            source=SOURCE,
        )
        for one in problems_of(snapshot.text(path), path)
    ]


@lru_cache(maxsize=16)
def problems_of(text: str, path: str) -> tuple[Problem, ...]:
    """Return the problems of one text."""
    try:
        return check_text(text, path).problems
    except InputError as error:
        line = error.span.line
        return (Problem(error.message, error.span, line),)
    except RecursionError:
        from analyzer.source import Span

        return (Problem("the policy is nested too deeply", Span(path, 1, 1), 1),)
