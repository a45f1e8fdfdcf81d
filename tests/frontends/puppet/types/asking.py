"""The questions of `puppet_types.rb`, answered by our type system and by real Puppet."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.construct.ruby_format import inspect
from analyzer.frontends.puppet.types.generalize import generalize
from analyzer.frontends.puppet.types.infer import common_type, infer, infer_generic, infer_set
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.mismatches.describe import (
    describe_mismatch,
    describe_parameters,
)
from analyzer.frontends.puppet.types.normalize import normalize
from analyzer.frontends.puppet.types.parsing.parse import parse_type
from analyzer.frontends.puppet.types.text import literal
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Binary, Sensitive, Uri
from analyzer.model.versions import SemVer, SemVerRange
from tests.oracle.harness import HOW_TO_INSTALL, installed

from .literals import ALIASES, known, value_of

SCRIPT = Path(__file__).parent.parent / "puppet_types.rb"
Question = dict[str, Any]


def theirs(questions: Sequence[Question]) -> Iterator[str]:
    """What real Puppet says, errors with `! ` before them, in the order of the questions.

    Raises:
        FileNotFoundError: there is no Ruby with Puppet.
    """
    found = installed()
    if found is None:
        raise FileNotFoundError(HOW_TO_INSTALL)
    with subprocess.Popen(
        [found[0], str(SCRIPT), str(ALIASES)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for question in questions:
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            yield answer["said"] if "said" in answer else f"! {answer['error']}"


def ours(question: Question) -> str:
    """What our type system says; errors with `! ` before them."""
    try:
        return _said(question)
    except ParseError as error:
        return f"! {error.diagnostic.message}"
    except ValueError as error:
        return f"! {error}"


def _said(question: Question) -> str:
    ask = question["ask"]
    if ask == "parse":
        return str(parse_type(question["type"], known))
    found = value_of(question["type"]) if "type" in question else None
    if ask in _OF_TYPE:
        return str(_OF_TYPE[ask](found))
    if ask in _OF_TYPES:
        return str(_OF_TYPES[ask](found, value_of(question["other"])))
    return str(_OF_VALUE[ask](found, value_of(question["value"])))


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def _mismatch(found: Any, value: Any) -> str:
    if instance(found, value):
        return "fits"
    return describe_mismatch("it", found, infer_set(value))


def _parameters(found: Any, value: Any) -> str:
    said = describe_parameters("Class[X]", found, value)
    return f"! {said}" if said else "fits"


_OF_TYPE: dict[str, Any] = {
    "text": str,
    "normal": normalize,
    "general": generalize,
}
_OF_TYPES: dict[str, Any] = {
    "assignable": lambda a, b: _yes(assignable(a, b)),
    "equal": lambda a, b: _yes(a == b),
    "common": common_type,
}
_OF_VALUE: dict[str, Any] = {
    "instance": lambda found, value: _yes(instance(found, value)),
    "infer": lambda _, value: f"{infer(value)} | {infer_set(value)} | {infer_generic(value)}",
    "mismatch": _mismatch,
    "parameters": _parameters,
    "value": lambda _, value: show(value),
}


def show(value: Any) -> str:
    """A value, as the answers show it."""
    if isinstance(value, Timespan | Timestamp):
        return f"{type(value).__name__} {value.nanoseconds}"
    if isinstance(value, Binary | SemVer):
        return f"{type(value).__name__} {value}"
    if isinstance(value, SemVerRange):
        return f"SemVerRange {value} {len(value.intervals)}"
    if isinstance(value, Uri):
        return f"URI {value}"
    if isinstance(value, Sensitive):
        return f"Sensitive {show(value.value)}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(show, value))}]"
    if isinstance(value, dict):
        entries = (f"{show(key)} => {show(each)}" for key, each in value.items())
        return f"{{{', '.join(entries)}}}"
    return inspect(value) if isinstance(value, str) else literal(value)
