"""Divides the compiles of a path among processes; catalogs return unchanged."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from analyzer.compiles.compile import CompileRun
from analyzer.compiles.exchange import Collects
from analyzer.compiles.outcomes import Own, PathOutcome, Stored
from analyzer.compiles.plan import plan_of
from analyzer.compiles.result import CompileResult, CompileTarget
from analyzer.compiles.target import Target
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.reading import note, noting
from analyzer.session.inputs import compile_manifests
from analyzer.session.keeping import depends_on_more
from analyzer.session.lint.inputs import COMPILE
from analyzer.session.lint.parts import COMPILES
from analyzer.session.workers import Workers

# The results of a part, and the files that were read for them; None if a node collects exported
# resources of others.
Answer = tuple[list[CompileResult], Mapping[str, str]] | tuple[()]


@dataclass(frozen=True, slots=True)
class CompilePart:
    """Some of the compiles of a path."""

    path: str
    targets: tuple[Target, ...]

    @property
    def weight(self) -> int:
        """Return the weight."""
        return len(self.targets) * COMPILE


def compile_shared(
    path: str,
    settings: Settings | None,
    workers: Workers[Any, Any],
    *,
    own: Own | None = None,
    stored: Stored | None = None,
) -> PathOutcome:
    """Compile manifests as `compile_manifests` does, with other processes.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    if settings is None or depends_on_more(settings):
        return compile_manifests(path, settings, own=own)
    shared = partial(shared_by, workers)
    return compile_manifests(path, settings, shared=shared, own=own, stored=stored)


def shared_by(workers: Workers[Any, Any], run: CompileRun) -> CompileTarget:
    """Return the function that compiles the targets of a run, one after another."""
    plan, outlines = run.plan, run.outlines
    path, targets = plan.path, plan.targets
    if outlines is not None:
        targets = [one for one in targets if outlines.find(plan, one) is None]
    starts = range(0, len(targets), COMPILES)
    parts = [CompilePart(path, tuple(targets[start : start + COMPILES])) for start in starts]
    answers = iter(workers.each(parts, partial(answer, run)))
    made: deque[CompileResult] = deque()

    def make(target: Target, exports: Exports) -> CompileResult:
        if not made:
            found = next(answers)
            if not found:
                raise Collects
            note(found[1])
            made.extend(found[0])
        result = made.popleft()
        assert result.target == target
        return result

    return make


def answer(run: CompileRun, part: CompilePart) -> Answer:
    """Return the results of a part."""
    exports = Exports()
    with noting() as read:
        made = [run.compile(target, exports) for target in part.targets]
    return () if exports.asked else (made, read)


class SharedCompiles:
    """The compiles of one path, for another process."""

    def __init__(self, settings_for: Callable[[str], Settings | None]) -> None:
        self.settings_for = settings_for
        self.run: CompileRun | None = None

    def answer(self, part: CompilePart) -> Answer:
        """Return the results of a part."""
        if self.run is None or self.run.plan.path != part.path:
            self.run = CompileRun(plan_of(part.path, self.settings_for(part.path) or Settings()))
        return answer(self.run, part)
