"""A fault of catgraph itself keeps something from being looked at.

Why: what is named here is left out: a class, a node, a file or a rule. Everything else is looked at
as ever. The environment variable `CATGRAPH_DEBUG=1` prints where the fault arose; please report it
with that.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import HOW_TO_SEE
from analyzer.linter.failures import Failure
from analyzer.linter.rule import Problem, rule


@rule("CG205", on=Failure, severity="error")
def check(failure: Failure) -> Iterator[Problem]:
    """Say what was left out, and why."""
    message = f"{failure.what} is left out: {failure.words}"
    yield Problem(message, failure.span, notes=(HOW_TO_SEE,))
