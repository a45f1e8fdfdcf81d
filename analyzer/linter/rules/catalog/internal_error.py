"""A bug in catgraph prevents a check.

Why: the class, node, file or rule named here was not checked; everything else was. Please report
the bug, with the traceback that `CATGRAPH_DEBUG=1` in the environment prints.

Evidence: catgraph failed; the finding names the part.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import HOW_TO_SEE
from analyzer.linter.failures import Failure
from analyzer.linter.rule import Problem, rule


@rule("CG205", on=Failure, severity="error")
def check(failure: Failure) -> Iterator[Problem]:
    """Report what was left out, and why."""
    message = f"cannot check {failure.what}: {failure.words}"
    yield Problem(message, failure.span, notes=(HOW_TO_SEE,))
