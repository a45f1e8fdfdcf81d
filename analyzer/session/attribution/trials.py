"""Compiles of the new side with some pieces undone."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack

from analyzer.compiles.compile import CompileRun, ruby_for
from analyzer.compiles.plan import plan_of
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.limits import spent
from analyzer.model.catalog import Catalog
from analyzer.session.attribution.edits import Edits
from analyzer.session.attribution.trees import Tree, copy_of, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

# Compiles for one comparison, and CPU seconds: code may be written to take long.
MOST, SECONDS = 80, 120

Undone = frozenset[int]


class Maker:
    """Makes graphs with the settings and the rules that a front door gives."""

    def __init__(
        self,
        settings: Callable[[str], Settings],
        graph: Callable[[str, Catalog], RelationshipGraph],
    ) -> None:
        self.settings = settings
        self.graph = graph

    def graphs(self, path: str, names: Iterable[str]) -> dict[str, RelationshipGraph]:
        """Return the graphs of some nodes, as far as they compile."""
        wanted = set(names)
        settings = self.settings(path)
        run = CompileRun(plan_of(path, settings))
        only = {one for one in run.plan.targets if run.plan.label(one) in wanted}
        found = {}
        with ruby_for(settings) as run.helper:
            for result in run.results(only=only, save=False):
                if result.catalog is not None and result.error is None:
                    result.catalog.name = name = run.plan.label(result.target)
                    result.catalog.alone = bool(result.target.alone)
                    found[name] = self.graph(path, result.catalog)
        return found


class Trials:
    """Undoes pieces in a copy of the new side, made when the first of them is undone."""

    def __init__(self, new: Tree, edits: Edits, maker: Maker) -> None:
        self.new = new
        self.edits = edits
        self.maker = maker
        self.count = 0
        self.end = spent() + SECONDS
        self._stack = ExitStack()
        self._copy: Tree | None = None

    def __enter__(self) -> Trials:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    @property
    def is_over(self) -> bool:
        """Return whether no more may be tried."""
        return self.count >= MOST or spent() > self.end

    def graphs(self, undone: Undone, names: Iterable[str]) -> dict[str, RelationshipGraph]:
        """Return the graphs of some nodes with some pieces undone, as far as they compile."""
        names = list(names)
        self.count += len(names)
        if self._copy is None:
            self._copy = self._stack.enter_context(copy_of(self.new))
        copy = self._copy
        changed = list(self.edits.texts(undone))
        for name, text in changed:
            put(copy, name, text)
        try:
            with copy.entered():
                return self.maker.graphs(copy.path, names)
        except (CompileError, InputError):
            return {}
        finally:
            for name, _ in changed:
                put(copy, name, self.edits.now(name))
