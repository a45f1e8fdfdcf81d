"""The store, the workers and the progress bar of `catgraph fleet`."""

from __future__ import annotations

import os
import sys
from time import monotonic

from analyzer.cli.shared.output import show_progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from analyzer.cli.shared.options import Options
    from analyzer.fleet.engine import Engine
    from analyzer.fleet.reads import RepositoryCompiles
    from analyzer.fleet.run import FleetProgress
    from analyzer.fleet.sources.repo import Repo


class Tools:
    """The store and the workers of a command; the end of the context closes them."""

    def __init__(self, options: Options) -> None:
        from contextlib import ExitStack

        from analyzer.fleet.executors import Opener
        from analyzer.fleet.store import ResultStore, default_path

        self.options = options
        self.opener = Opener(options.engine, options.workers)
        self.store = ResultStore("" if options.no_store else options.store or default_path())
        self.stack = ExitStack()
        self.stack.enter_context(self.store)

    def __enter__(self) -> Tools:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stack.__exit__(kind, error, trace)

    def engine(self) -> Engine:
        """Return an engine of the workers."""
        from analyzer.fleet.engine import Engine

        return Engine(self.opener, self.opener.count)

    def exchanged(self, repo: Repo) -> Repo:
        """Return a control repo with the resources that its nodes export.

        Workers on other machines cannot read resources that are stored here.
        """
        if self.opener.is_remote:
            return repo
        from tempfile import TemporaryDirectory

        from analyzer.fleet.exchange import exchanged

        folder = self.stack.enter_context(TemporaryDirectory(prefix="catgraph-exports-"))
        path = os.path.join(folder, "exports.sqlite")
        return exchanged(repo, self.store, self.engine(), path, progress_bar())

    def reads(self, repo: Repo) -> RepositoryCompiles | None:
        """Return the recorded reads of the compiles of a control repo, for a later comparison."""
        from analyzer.fleet.reads import RepositoryCompiles
        from analyzer.fleet.sources.changes import state_of
        from analyzer.fleet.sources.repo import SharedSite

        state = state_of(SharedSite(repo))
        return (
            None
            if state is None
            else RepositoryCompiles(self.store, os.path.realpath(repo.path), state)
        )


def progress_bar() -> Callable[[FleetProgress], None]:
    """Return a function that shows the finished nodes, rate and remaining time on a terminal."""
    shown = [0.0]

    def show(progress: FleetProgress) -> None:
        now = monotonic()
        if now - shown[0] < 0.2:
            return
        shown[0] = now
        show_progress(
            f"{progress.done:,} of {progress.total:,} nodes, {progress.rate:,.0f} a second, "
            f"{progress.left:,.0f} s left"
        )

    return show if sys.stderr.isatty() else lambda progress: None
