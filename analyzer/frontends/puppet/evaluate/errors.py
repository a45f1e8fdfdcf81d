"""Exceptions of an evaluation: errors in Puppet's words, and jumps (next, break, return)."""

from __future__ import annotations

from typing import Any, NoReturn

from analyzer.frontends.puppet.evaluate.listening import Watch
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.source import place_of


class Unit:
    """A text that nodes come from: its file, for messages and for the places of resources.

    Where `watch` is given before the text is made ready for evaluation, it hears of each choice,
    and its `trace` of each value.
    """

    __slots__ = ("file", "lines", "text", "trace", "watch")

    def __init__(self, text: str, file: str, watch: Watch | None = None) -> None:
        self.text = text
        self.file = file
        self.lines: dict[int, int] = {}
        self.watch = watch
        self.trace = None if watch is None else watch.trace

    def line(self, node: Node) -> int:
        """Return the line of a node, from 1."""
        offset = node.offset
        line = self.lines.get(offset)
        if line is None:
            line = self.lines[offset] = place_of(self.text, offset)[0]
        return line


class EvaluationError(Exception):
    """An error of evaluation: what Puppet says, and where.

    `message` has no location; `text` is the whole as Puppet prints it.
    """

    def __init__(self, message: str, unit: Unit | None = None, node: Node | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.unit = unit
        self.node = node
        # A line below the message, where no line of the source is shown.
        self.hint = ""
        # Further errors of the same compile.
        self.more: list[Any] = []

    def at(self, unit: Unit, node: Node) -> EvaluationError:
        """Give the error a place, if it has none yet: what was evaluated when it arose."""
        if self.unit is None:
            self.unit, self.node = unit, node
        return self

    @property
    def place(self) -> tuple[str, int, int]:
        """File, line and column; the empty text and zeros where they are not known."""
        if self.unit is None or self.node is None:
            return "", 0, 0
        return (self.unit.file, *place_of(self.unit.text, self.node.offset))

    @property
    def text(self) -> str:
        """Return the message with its location, as Puppet prints it."""
        file, line, column = self.place
        parts = [f"file: {file}"] if file else []
        parts += [f"line: {line}"] if line else []
        parts += [f"column: {column}"] if column else []
        return f"{self.message} ({', '.join(parts)})" if parts else self.message


class Refusal(EvaluationError):
    """The program's own error, of `fail`: what follows in the body is not meant to be reached."""


# What ends an evaluation and is an error of the program.
PROBLEMS = (EvaluationError, ParseError, TypeProblem)
Problem = EvaluationError | ParseError | TypeProblem

# Errors of evaluation by code, in Puppet's words (Puppet::Pops::Issues).
ISSUES: dict[str, str] = {
    "COMPARISON_NOT_POSSIBLE": (
        "Comparison of: {left} {operator} {right}, is not possible. Caused by '{detail}'."
    ),
    "DIV_BY_ZERO": "Division by 0",
    "ILLEGAL_MULTI_ASSIGNMENT_SIZE": (
        "Mismatched number of assignable entries and values, expected {expected}, got {actual}"
    ),
    "ILLEGAL_NUMERIC_ASSIGNMENT": (
        "Illegal attempt to assign to the numeric match result variable '${varname}'. "
        "Numeric variables are not assignable"
    ),
    "ILLEGAL_REASSIGNMENT": "Cannot reassign variable '${name}'",
    "ILLEGAL_RESERVED_ASSIGNMENT": "Attempt to assign to a reserved variable name: '${name}'",
    "MATCH_NOT_REGEXP": (
        "Can not convert right match operand to a regular expression. Caused by '{detail}'."
    ),
    "MATCH_NOT_STRING": "Left match operand must result in a String value. Got {actual}.",
    "MISSING_MULTI_ASSIGNMENT_VARIABLE": (
        "No value for required variable '${name}' in assignment to variables from class reference"
    ),
    "MISSING_MULTI_ASSIGNMENT_KEY": (
        "No value for required key '{key}' in assignment to variables from hash"
    ),
    "NUMERIC_COERCION": (
        "The string '{before}' was automatically coerced to the numerical value {after}"
    ),
    "NOT_NUMERIC": "The value '{value}' cannot be converted to Numeric.",
    "NUMERIC_OVERFLOW": (
        "A '{operator}' expression resulted in a value outside of Puppet Integer {bound} range,"
        " got '{value}'"
    ),
    "OPERATOR_NOT_APPLICABLE": "Operator '{operator}' is not applicable to {actual}.",
    "OPERATOR_NOT_APPLICABLE_WHEN": (
        "Operator '{operator}' is not applicable to {actual} when right side is {right}."
    ),
    "RESULT_IS_INFINITY": "The result of the {operator} expression is Infinity",
    "RUNTIME_ERROR": "{detail}",
    "UNKNOWN_RESOURCE": "Resource not found: {type}['{title}']",
    "UNKNOWN_VARIABLE": "Unknown variable: '{name}'.",
    "UNMATCHED_SELECTOR": "No matching entry for selector parameter with value '{value}'",
}


def fail(unit: Unit, node: Node, code: str, **arguments: object) -> NoReturn:
    """Raise the error of an issue at a node."""
    raise EvaluationError(ISSUES[code].format(**arguments), unit, node)


class BodyJump(BaseException):
    """Leaves bodies on the way out; `value` is what the body left yields."""

    word = "jump"

    def __init__(self, value: Any = None) -> None:
        super().__init__()
        self.value = value
        self.unit: Unit | None = None
        self.node: Node | None = None

    def of(self, unit: Unit, node: Node) -> BodyJump:
        """Return the jump, with the call that made it."""
        self.unit, self.node = unit, node
        return self

    def illegal(self) -> EvaluationError:
        """Return the error that it is where there is nothing to leave."""
        message = f"{self.word}() from context where this is illegal"
        return EvaluationError(message, self.unit, self.node)


class NextJump(BodyJump):
    """`next`: leaves a lambda or a body with a value."""

    word = "next"


class ReturnJump(BodyJump):
    """`return`: leaves a function, class or define with a value."""

    word = "return"


class BreakJump(BodyJump):
    """`break`: leaves the innermost iteration; the functions that iterate end at it."""

    word = "break"
