"""The errors of a program that no fact can change."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compile import CatalogResult
from analyzer.frontends.puppet.worlds.refusals import errors_of
from analyzer.frontends.puppet.worlds.watcher import Watcher


class CertainErrors:
    """The errors of a program with unknown facts.

    `compile_known` compiles it so, when it is asked for the first time.
    """

    def __init__(self, watcher: Watcher, compile_known: Callable[[], CatalogResult]) -> None:
        self.watcher = watcher
        self.compile_known = compile_known
        self.identities: frozenset[object] | None = None

    def include(self, error: CompileError) -> bool:
        """Return whether an error and those after it are all among them.

        A gap of the catalog stands for each. After a refusal by the program nothing is compiled.
        """
        errors = errors_of(error)
        if any(one.refusal for one in errors):
            return False
        if self.identities is None:
            taken = self.watcher.read()
            made = self.compile_known()
            self.watcher.read()
            self.watcher.taken = {place: {*arms} for place, arms in taken.items()}
            self.identities = frozenset(map(identity, errors_of(made.error)))
        return self.identities.issuperset(map(identity, errors))


def identity(error: CompileError) -> object:
    """Return the parts of an error that distinguish it from the others of a program."""
    return error.message, error.span
