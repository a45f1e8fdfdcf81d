"""Compares the nodes and classes in other worlds: other systems, parameters and trusted data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from time import process_time

from analyzer.compiles.programs import programs_of
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.systems import MARK
from analyzer.frontends.puppet.worlds.explorer import Budget
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.tests import ABSENT
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import Facts, World
from analyzer.model.completeness import Gap
from analyzer.model.nouns import counted
from analyzer.model.quote import value_text
from analyzer.session.upgrade.causes import BREAKS, Causes
from analyzer.session.upgrade.compare import UNKNOWN, Compiled, GraphOf
from analyzer.session.upgrade.trial import Trial
from analyzer.session.worlds.exploring import explore
from analyzer.worlds.explored import ExploredWorld

# The worlds that are tried for each node or class; 1: only the first one.
WORLDS = 8
# The seconds of CPU time to find worlds in, for all nodes, and for the compiles in them.
SECONDS = 20.0
# The longest value in the name of a world.
LENGTH = 60

Programs = dict[str, Program]


class OtherWorlds:
    """The comparison in worlds that are found under the release before.

    `names` are the nodes and classes of which something differs there.
    """

    def __init__(self, path: str, before: Settings, target: Settings, graph_of: GraphOf) -> None:
        self.path = path
        self.before = before
        self.target = target
        self.graph_of = graph_of
        self.names: set[str] = set()
        self.gaps: list[Gap] = []
        self._programs: dict[tuple[object, ...], Programs] = {}

    def compare(self, most: int, causes: Causes) -> None:
        """Add the causes that only other worlds show."""
        if most < 2:
            return
        left: dict[str, None] = {}
        end = process_time() + 2 * SECONDS
        for name, world in self._worlds(most, left):
            if process_time() > end:
                left[name] = None
                continue
            trial = Trial(partial(self._compile, name, world), self.graph_of)
            trial.run(self.before, self.target)
            # Variables that nothing sets are told for all worlds at once.
            trial.causes.drop(lambda cause: cause.group == BREAKS and is_unset(cause.message))
            self.names |= trial.causes.nodes()
            causes.add_others(trial.causes, words_of(world.world, self.before.facts))
        if left:
            what = counted(len(left), "node or class", "nodes and classes")
            reason = f"was not compared in all of {most} worlds: the time is used up"
            self.gaps.append(Gap("worlds", what, reason, None, "--worlds 1", hides=False))

    def _worlds(self, most: int, left: dict[str, None]) -> Iterator[tuple[str, ExploredWorld]]:
        """Yield the worlds of nodes and classes beyond those that are compared anyway."""
        budget = Budget(most, SECONDS)
        try:
            found = explore(self.path, self.before, self.graph_of, budget, SECONDS, keep=False)
        except (InputError, CompileError):
            # There are no nodes or classes, or the errors were told by the first compiles.
            return
        left.update(dict.fromkeys(found.left))
        usual = {one.removeprefix(MARK) for one in self.before.facts}
        for node in found.nodes:
            for one in node.worlds:
                if one.state != "refused" and (one.world.values or one.world.system not in usual):
                    yield node.name, one

    def _compile(self, name: str, world: ExploredWorld, settings: Settings) -> Compiled:
        """Compile a node or a class in a world."""
        program, found = self._programs_of(settings).get(name), Compiled()
        if program is not None:
            program.assumed = assumed(program, world)
            made = program.run_once(world.world)
            found.add(name, name, made.catalog, made.error)
        return found

    def _programs_of(self, settings: Settings) -> Programs:
        """Return the programs of the path under some settings."""
        key = settings.puppet_version, settings.legacy_facts, settings.no_legacy_facts
        if key not in self._programs:
            found: Programs = {}
            with suppress(CompileError):
                for one in programs_of(self.path, settings, Watcher()):
                    found[one.name] = one
            self._programs[key] = found
        return self._programs[key]


def assumed(program: Program, world: ExploredWorld) -> Facts:
    """Return the facts that the search needed to find a world."""
    known = program.facts_of(world.world.system)
    return {name: value for name, value in world.facts.items() if name not in known}


def is_unset(message: str) -> bool:
    """Return whether an error is about a variable that may be a fact of the site."""
    return UNKNOWN.search(message) is not None


def words_of(world: World, usual: tuple[str, ...]) -> str:
    """Return a world in words."""
    rows = []
    if f"{MARK}{world.system}" not in usual:
        rows.append(world.system)
    for name, value in world.values.items():
        rows.append(f"no {name}" if value is ABSENT else f"{name} = {value_text(value)[:LENGTH]}")
    return ", ".join(rows)
