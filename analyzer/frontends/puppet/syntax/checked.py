"""A file's tree and problems, from the cache where the same text was checked before.

What lexes, parses and validates is loaded only for a text that is not in the cache.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.syntax.cache import Cache, kept, key_of

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax import ast
    from analyzer.frontends.puppet.syntax.diagnostic import Diagnostic
    from analyzer.frontends.puppet.syntax.validate.walk import Strictness


class Checked:
    """The tree, None after a syntax error, and the problems in the order Puppet tells them.

    From the cache the tree comes packed, and is made only when asked for: the problems are often
    all that is wanted, and a tree is a thousand times their size.
    """

    __slots__ = ("_packed", "_tree", "found")

    def __init__(
        self, tree: ast.Program | None, found: tuple[Diagnostic, ...], packed: bytes = b""
    ) -> None:
        self._tree = tree
        self._packed = packed
        self.found = found

    def __reduce__(self) -> tuple[Any, ...]:
        packed = self._packed or (b"" if self._tree is None else pickle.dumps(self._tree, 5))
        return Checked, (None, self.found, packed)

    @property
    def tree(self) -> ast.Program | None:
        """The tree."""
        if self._packed:
            self._tree, self._packed = pickle.loads(self._packed), b""
        return self._tree

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings may be."""
        return all(problem.severity != "error" for problem in self.found)


def check_cached(
    text: str,
    file: str = "",
    *,
    epp: bool = False,
    tasks: bool = False,
    strict: Strictness = "error",
    cache: Cache,
) -> Checked:
    """Return what `check` returns, from the cache if the same was asked before."""

    def make() -> Checked:
        from analyzer.frontends.puppet.syntax.check import check

        return check(text, file, epp=epp, tasks=tasks, strict=strict)

    kind = "template" if epp else "plan" if tasks else "manifest"
    found: Checked = kept(cache, key_of("checked", file, kind, strict, text), make)
    return found
