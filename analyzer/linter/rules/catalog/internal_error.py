"""A bug in catgraph prevents a check.

Why: the class, node, file or rule named in the message was not checked; everything else was. Please
report the bug, with the traceback that catgraph prints if `CATGRAPH_DEBUG=1` is set in the
environment.

Evidence: an internal error of catgraph.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import HOW_TO_SEE
from analyzer.linter.failures import Failure
from analyzer.linter.rule import Problem, rule


@rule("CG205", on=Failure, severity="error")
def check(failure: Failure) -> Iterator[Problem]:
    """Report the part that was not checked, and the error."""
    message = f"cannot check {failure.what}: {failure.words}"
    yield Problem(message, failure.span, notes=(HOW_TO_SEE,))
