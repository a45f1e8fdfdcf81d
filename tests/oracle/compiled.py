"""Catalogs that we compile against those of real Puppet, for the same question."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.known import Known
from analyzer.frontends.puppet.compiler.output import to_document
from analyzer.frontends.puppet.diagnostic import ParseError
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.model.values import Unknown

from .harness import Answer, Question

NODE = "node.example.com"
SERVER = {"serverversion": "7.23.0", "servername": "puppet.example.com"}


def compile_question(question: Question) -> dict[str, Any]:
    """Return the document of our catalog; raises what the compile raises."""
    known = Known(question.get("modulepath", ()))
    known.add_program(question["code"], question.get("file", ""))
    compiler = Compiler(
        known,
        question.get("node", NODE),
        question.get("facts", {}),
        strict_variables=False,
        node_parameters=question.get("parameters"),
        trusted=question.get("trusted"),
        server_facts=question.get("server_facts", SERVER),
    )
    return to_document(compiler.compile())


def verdict(question: Question, answer: Answer) -> str:
    """Return `equal`, `refused alike`, or in which way we differ from Puppet."""
    theirs = answer.get("catalog")
    try:
        ours = compile_question(question)
    except (EvaluationError, ParseError) as error:
        if theirs:
            return f"refused: {str(error)[:60]}"
        alike = str(error).splitlines()[0] in (answer.get("error") or "")
        return "refused alike" if alike else "refused in other words"
    except RecursionError:
        return "refused: too deep"
    if not theirs:
        return "accepted"
    return difference(ours, theirs) or "equal"


def difference(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """Return the first thing in which two catalogs differ, empty if in none."""
    for mine, other in zip(ours["resources"], theirs["resources"], strict=False):
        for key in ("type", "title", "kind", "file", "line", "exported"):
            if (mine.get(key) or None) != (other.get(key) or None):
                return f"resource: {key}"
        if set(mine["tags"]) != set(other["tags"]):
            return "tags"
        if not same(mine.get("parameters", {}), other.get("parameters", {})):
            return "parameters"
    if len(ours["resources"]) != len(theirs["resources"]):
        return "number of resources"
    if ours["edges"] != [{k: e[k] for k in ("source", "target")} for e in theirs["edges"]]:
        return "containment"
    return "" if ours["classes"] == theirs["classes"] else "classes"


def same(mine: Any, other: Any) -> bool:
    """Tell whether two values are the same; what is Unknown may be anything."""
    if isinstance(mine, Unknown):
        return True
    if isinstance(mine, list) and isinstance(other, list):
        return len(mine) == len(other) and all(map(same, mine, other))
    if isinstance(mine, dict) and isinstance(other, dict):
        return mine.keys() == other.keys() and all(same(mine[key], other[key]) for key in mine)
    return bool(mine == other)
