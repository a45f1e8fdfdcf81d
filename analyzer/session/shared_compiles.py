"""Divides the compiles of a path among processes; catalogs return unchanged."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.outcomes import (
    Classes,
    Collects,
    Key,
    Make,
    Outcome,
    Site,
    compiles_of,
)
from analyzer.model.catalog import Catalog
from analyzer.reading import note, noting
from analyzer.session.inputs import compile_manifests
from analyzer.session.keeping import depends_on_more
from analyzer.session.lint.inputs import COMPILE
from analyzer.session.lint.parts import COMPILES
from analyzer.session.workers import Workers

# The catalogs or errors of a part, and the files that were read for them; None if a node collects
# exported resources of others.
Answer = tuple[list[Catalog | CompileError], Mapping[str, str]] | tuple[()]


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the compiles of a path."""

    path: str
    keys: tuple[Key, ...]

    @property
    def weight(self) -> int:
        """Return the weight."""
        return len(self.keys) * COMPILE


def compile_shared(path: str, settings: Settings | None, workers: Workers[Any, Any]) -> Outcome:
    """Compile manifests as `compile_manifests` does, with other processes.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    if settings is None or depends_on_more(settings):
        return compile_manifests(path, settings)
    return compile_manifests(path, settings, shared=partial(shared_by, workers))


def shared_by(workers: Workers[Any, Any], compiles: Site | Classes) -> Make:
    """Return the function that makes the catalogs of compiles, one after another."""
    keys = compiles.keys
    starts = range(0, len(keys), COMPILES)
    parts = [Part(compiles.path, tuple(keys[start : start + COMPILES])) for start in starts]
    answers = zip(parts, workers.each(parts, partial(answer, compiles)), strict=True)
    made: deque[tuple[Key, Catalog | CompileError]] = deque()

    def make(key: Any, exports: Exports) -> Catalog:
        if not made:
            part, found = next(answers)
            if not found:
                raise Collects
            note(found[1])
            made.extend(zip(part.keys, found[0], strict=True))
        expected, one = made.popleft()
        assert expected == key
        if isinstance(one, CompileError):
            raise one
        return one

    return make


def answer(compiles: Site | Classes, part: Part) -> Answer:
    """Return the catalogs of a part."""
    exports = Exports()
    with noting() as read:
        made = [made_of(compiles, key, exports) for key in part.keys]
    return () if exports.asked else (made, read)


def made_of(compiles: Site | Classes, key: Any, exports: Exports) -> Catalog | CompileError:
    """Return a catalog, or its error."""
    try:
        return compiles.make(key, exports)
    except CompileError as error:
        return error


class SharedCompiles:
    """The compiles of one path, for another process."""

    def __init__(self, settings_for: Callable[[str], Settings | None]) -> None:
        self.settings_for = settings_for
        self.compiles: Site | Classes | None = None

    def answer(self, part: Part) -> Answer:
        """Return the catalogs of a part."""
        if self.compiles is None or self.compiles.path != part.path:
            self.compiles = compiles_of(part.path, self.settings_for(part.path) or Settings())
        return answer(self.compiles, part)
