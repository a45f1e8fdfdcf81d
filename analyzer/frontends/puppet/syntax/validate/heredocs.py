"""Checks of heredocs whose syntax tag is known: json, base64, pp and epp."""

from __future__ import annotations

import base64
import binascii

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.validate.walk import Validate, Validation
from analyzer.pattern import pattern

_BLANKS = pattern(r"[\r?\n\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def check_heredoc(validation: Validation, node: ast.HeredocExpression) -> None:
    """Check that text without interpolation is in the syntax that its tag names."""
    text = node.text_expr
    if not node.syntax or not isinstance(text, ast.LiteralString):
        return
    found = problem_of(node.syntax, text.value, validation.validate)
    if found is not None:
        validation.report(found[0], text, syntax=node.syntax, message=found[1])


def problem_of(syntax: str, text: str, validate: Validate) -> tuple[str, str] | None:
    """Return an issue's code and what is wrong with a text, None if it is in a syntax.

    The last part of the syntax counts, as of `ext+json`.
    """
    last = syntax.rsplit("+", 1)[-1]
    check = _CHECKS.get(last)
    message = None if check is None else check(text, validate)
    return None if message is None else (f"ILLEGAL_{last.upper()}", message)


def _json_error(text: str, validate: Validate) -> str | None:
    from analyzer.formats.json_reader import JsonError, parse

    try:
        parse(text)
    except JsonError as error:
        return str(error)[:100].replace("\r\n", "\\n").replace("\n", "\\n")
    return None


def _base64_error(text: str, validate: Validate) -> str | None:
    cleaned = _BLANKS.sub("", text).encode()
    try:
        strict = base64.b64encode(base64.b64decode(cleaned, validate=True)) == cleaned
    except binascii.Error:
        strict = False
    if strict:
        return None
    if len(cleaned) * 8 % 6:
        return "padding is not correct"
    return "contains letters outside strict base 64 range (or whitespace)"


def _program_error(text: str, validate: Validate) -> str | None:
    return _error_of(text, validate, template=False)


def _template_error(text: str, validate: Validate) -> str | None:
    return _error_of(text, validate, template=True)


def _error_of(text: str, validate: Validate, *, template: bool) -> str | None:
    """Return the error that Puppet would raise for a text of its own language."""
    from analyzer.frontends.puppet.syntax.diagnostic import ParseError
    from analyzer.frontends.puppet.syntax.parsing.parser import parse, parse_epp

    try:
        program = parse_epp(text) if template else parse(text)
    except ParseError as error:
        errors, warnings = [error.diagnostic], 0
    else:
        found = validate(program, text)
        errors = [diagnostic for diagnostic in found if diagnostic.severity == "error"]
        warnings = len(found) - len(errors)
    if not errors:
        return None
    if len(errors) > 1:
        also = f", and {warnings} warnings" if warnings else ""
        return f"Language validation logged {len(errors)} errors{also}. Giving up"
    first = errors[0]
    place = f" (line: {first.line}, column: {first.column})" if first.line else ""
    return (first.message + place)[:500].replace("\r\n", "\\n").replace("\n", "\\n")


_CHECKS = {
    "json": _json_error,
    "base64": _base64_error,
    "pp": _program_error,
    "epp": _template_error,
}
