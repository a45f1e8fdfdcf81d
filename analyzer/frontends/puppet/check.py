"""One file checked: its tree, and everything Puppet would say of it without evaluating it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from analyzer.frontends.puppet.cache import Cache, kept, key_of
from analyzer.frontends.puppet.diagnostic import Diagnostic, ParseError
from analyzer.frontends.puppet.parser import parse, parse_epp
from analyzer.frontends.puppet.validate import validate

if TYPE_CHECKING:
    from analyzer.frontends.puppet import ast


class Checked(NamedTuple):
    """The tree, None after a syntax error, and the problems in the order Puppet tells them."""

    tree: ast.Program | None
    found: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings may be."""
        return all(problem.severity != "error" for problem in self.found)


def check(
    text: str,
    file: str = "",
    *,
    epp: bool = False,
    tasks: bool = False,
    modulepath: Sequence[str] | None = None,
) -> Checked:
    """Parse and validate a manifest or a template; with `tasks` there are plans."""
    try:
        tree = (parse_epp if epp else parse)(text, file, tasks=tasks)
    except ParseError as error:
        return Checked(None, (error.diagnostic,))
    return Checked(tree, tuple(validate(tree, text, file, modulepath=modulepath)))


def check_cached(text: str, file: str = "", *, epp: bool = False, cache: Cache) -> Checked:
    """Return what `check` returns, from the cache if the same was asked before."""
    key = key_of("checked", file, "template" if epp else "manifest", text)
    found: Checked = kept(cache, key, lambda: check(text, file, epp=epp))
    return found
