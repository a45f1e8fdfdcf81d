"""A checked file: its tree and the diagnostics on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.frontends.puppet.syntax import ast
    from analyzer.frontends.puppet.syntax.diagnostic import Diagnostic


class Checked:
    """The tree, None after a syntax error, and the diagnostics in Puppet's order.

    With diagnostics from the cache, `parse` makes the tree when it is first read: often only the
    diagnostics are needed.
    """

    __slots__ = ("_parse", "_tree", "found")

    def __init__(
        self,
        tree: ast.Program | None,
        found: tuple[Diagnostic, ...],
        parse: Callable[[], ast.Program] | None = None,
    ) -> None:
        self._tree = tree
        self._parse = parse
        self.found = found

    @property
    def tree(self) -> ast.Program | None:
        """Return the tree."""
        if self._parse is not None:
            self._tree, self._parse = self._parse(), None
        return self._tree

    @property
    def ok(self) -> bool:
        """Return whether there is no error; warnings may be."""
        return all(problem.severity != "error" for problem in self.found)
