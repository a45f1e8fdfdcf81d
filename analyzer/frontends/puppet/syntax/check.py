"""One file checked: its tree, and everything Puppet would say of it without evaluating it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.frontends.puppet.syntax.checked_file import Checked
from analyzer.frontends.puppet.syntax.diagnostic import Diagnostic, ParseError, warning
from analyzer.frontends.puppet.syntax.lexing.lexer import Lexer
from analyzer.frontends.puppet.syntax.parsing.parser import check_mark, run
from analyzer.frontends.puppet.syntax.validate import validate

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax import ast
    from analyzer.frontends.puppet.syntax.validate.walk import Strictness


def check(
    text: str,
    file: str = "",
    *,
    epp: bool = False,
    tasks: bool = False,
    strict: Strictness = "error",
    modulepath: Sequence[str] | None = None,
) -> Checked:
    """Parse and validate a manifest or a template; with `tasks` there are plans."""
    warned: list[Diagnostic] = []
    try:
        tree = parse_tree(text, file, epp, tasks, warned)
    except ParseError as error:
        return Checked(None, (*warned, error.diagnostic))
    return Checked(tree, (*warned, *validate(tree, text, file, strict, modulepath)))


def parse_tree(
    text: str, file: str, epp: bool, tasks: bool, warned: list[Diagnostic]
) -> ast.Program:
    """Return the tree of a text, and add what the lexer warns of to `warned`.

    Raises:
        ParseError: it is no Puppet program.
    """
    check_mark(text, file)
    lexer = Lexer(text, file, tasks=tasks)
    end = len(text) + 1
    try:
        return run(lexer, Lexer.run_template if epp else Lexer.run)
    except ParseError as error:
        # Puppet lexes no further than it parses: not beyond the token that it refuses.
        later = (start for _, _, start, _ in lexer.tokens if start > error.diagnostic.offset)
        end = next(later, end)
        raise
    finally:
        warned += [
            warning(code, text, at, file, ch=char) for code, char, at in lexer.warnings if at <= end
        ]
