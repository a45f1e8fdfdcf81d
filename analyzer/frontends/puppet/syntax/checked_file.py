"""A checked file: its tree and the diagnostics on it."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax import ast
    from analyzer.frontends.puppet.syntax.diagnostic import Diagnostic


class Checked:
    """The tree, None after a syntax error, and the diagnostics in Puppet's order.

    From the cache the tree comes pickled, and is unpickled when it is first read: often only the
    diagnostics are needed, and a tree is a thousand times their size.
    """

    __slots__ = ("_packed", "_tree", "found")

    def __init__(
        self, tree: ast.Program | None, found: tuple[Diagnostic, ...], packed: bytes = b""
    ) -> None:
        self._tree = tree
        self._packed = packed
        self.found = found

    def __reduce__(self) -> tuple[object, ...]:
        packed = self._packed or (b"" if self._tree is None else pickle.dumps(self._tree, 5))
        return Checked, (None, self.found, packed)

    @property
    def tree(self) -> ast.Program | None:
        """Return the tree."""
        if self._packed:
            self._tree, self._packed = pickle.loads(self._packed), b""
        return self._tree

    @property
    def ok(self) -> bool:
        """Return whether there is no error; warnings may be."""
        return all(problem.severity != "error" for problem in self.found)
