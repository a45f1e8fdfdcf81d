"""The graph, order and cycles of catalogs that we compile, against those of Puppet's own."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.diagnostic import ParseError
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.model.values import Unknown

from .case import from_answer
from .compare import Difference, differences
from .compiled import compile_question
from .harness import Answer, Question


def our_graph(question: Question, answer: Answer) -> tuple[str, list[Difference]]:
    """Compile, and compare what comes of it with what Puppet made of its own catalog.

    The first word is empty where there is nothing to compare: Puppet or we refuse the program.
    """
    if not answer["ok"]:
        return "", []
    try:
        ours = compile_question(question)
    except (EvaluationError, ParseError, RecursionError):
        return "", []
    found = differences(from_answer(answer, "", ours))
    if not found:
        return "equal", []
    kinds = ", ".join(sorted({difference.kind for difference in found}))
    return f"{kinds}{' (unknown values)' if has_unknown(ours) else ''}", found


def has_unknown(value: Any) -> bool:
    """Tell whether a value is Unknown or holds one."""
    if isinstance(value, dict):
        return any(map(has_unknown, value.values()))
    return any(map(has_unknown, value)) if isinstance(value, list) else isinstance(value, Unknown)
