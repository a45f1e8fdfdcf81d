"""Errors of a compile in a world: the facts that it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from analyzer.diagnostics import CompileError

# A variable of the top scope that is not there, as Puppet refuses it, and a part of such a fact.
MISSING = re.compile(r"Unknown variable: '::(\w+)'")
INDEXED = "Operator '[]' is not applicable to an Undef Value"
ACCESS = re.compile(r"\$(?:facts\[['\"](\w+)['\"]\]|::(\w+))((?:\[['\"]\w+['\"]\])+)")
KEYS = re.compile(r"\w+")

# The value of a fact of the site, and how many there may be.
EXAMPLE, MOST_ASSUMED = "example", 20


def errors_of(error: CompileError | None) -> tuple[CompileError, ...]:
    """Return an error and those after it."""
    return () if error is None else (error, *error.others)


def missing_in(error: CompileError | None, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the facts of the site for which a compile was refused, with dots, and the files.

    `texts` are those of the files that errors are in.
    """
    for one in errors_of(error):
        variable = MISSING.match(one.message)
        if variable is not None:
            yield variable[1], one.span.file
        elif INDEXED in one.message and one.span.line and one.span.column:
            lines = texts.get(one.span.file, "").split("\n")
            line = lines[one.span.line - 1] if one.span.line <= len(lines) else ""
            access = ACCESS.match(line, one.span.column - 1)
            if access is not None:
                name = ".".join([access[1] or access[2], *KEYS.findall(access[3])])
                yield name, one.span.file
