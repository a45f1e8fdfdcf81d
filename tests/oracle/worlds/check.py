"""Explores what was planted: is it found, with the right condition, and does Puppet agree?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from time import monotonic
from typing import Any

from analyzer.compiles.programs import programs_of
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.worlds.conditions import Conjunct, fit
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import World
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.session.inputs import graph_of
from analyzer.session.settings import rules_for
from analyzer.session.worlds.searching import TRIED, WorldSearch
from analyzer.worlds.explored import ConditionalFinding, ExploredNode

from ..harness import MODULES
from .plant import FIRST, SECOND, Planted
from .puppet import Ask, confirms, question_of

# Types of modules that Puppet comes with, which are not installed here; and classes of others.
TYPE_UNKNOWN, CLASS_UNKNOWN = "Resource type not found: ", "Could not find class "

# Worlds that Puppet is asked about before a planted finding counts as impossible.
MOST_TRIED = 8


@dataclass(slots=True)
class Result:
    """What came of a planted case; `problems` are in words."""

    planted: Planted
    found: bool = False
    impossible: bool = False
    right: bool = False
    confirmed: int = 0
    not_confirmed: int = 0
    refused_later: int = 0
    gone: int = 0
    not_gone: int = 0
    seconds: float = 0.0
    runs: int = 0
    problems: list[str] = field(default_factory=list)


def graph(catalog: Catalog) -> RelationshipGraph:
    """Return the graph of a catalog."""
    return graph_of(catalog, rules_for(catalog, None))


def explored(planted: Planted, budget: Budget) -> tuple[WorldSearch, ExploredNode]:
    """Explore the class or node in which something was planted."""
    classes = () if planted.is_site else (planted.name,)
    settings = Settings(modulepath=(str(planted.modules), str(MODULES)), classes=classes)
    watcher = Watcher()
    (program,) = programs_of(str(planted.path), settings, watcher)
    explorer = Explorer(watcher.arms, program.run, program, budget)
    search = WorldSearch(program, graph, explorer)
    return search, search.node()


def check(planted: Planted, ask: Ask, budget: Budget) -> Result:
    """Explore a planted case, and compare it with what was planted and with Puppet."""
    result = Result(planted)
    start = monotonic()
    search, node = explored(planted, budget)
    result.seconds, result.runs = monotonic() - start, node.runs
    for one in node.findings:
        if is_planted(planted, one):
            result.found = True
            right = is_right(planted, one.condition, search)
            result.right |= right
            if not right:
                result.problems.append("condition: " + text_of(one.condition))
        confirm(result, search, one, ask)
    if not result.found and not is_possible(search, planted, ask):
        result.impossible = True
    elif not result.found:
        states = ", ".join(world.state for world in node.worlds)
        result.problems.append(f"not found in {node.runs} runs, {node.exhausted} ({states})")
    return result


def is_possible(search: WorldSearch, planted: Planted, ask: Ask) -> bool:
    """Return whether Puppet has the planted finding in any of a few worlds with its condition."""
    domains = {k: v for atom in planted.atoms for k, v in atom.domain.items() if v}
    tried = 0
    for system, *values in product(TRIED, *domains.values()):
        world = World(system, dict(zip(domains, values, strict=True)))

        def value_of(name: str, world: World = world) -> Any:
            return search.program.value_in(world, name)

        if planted.holds(value_of) and tried < MOST_TRIED:
            tried += 1
            site = planted.path if planted.is_site else None
            answer = ask(question_of(search.at(world), planted.modules, planted.name, site))
            said = str(answer.get("error", "")) + str(answer.get("cycles", ""))
            if FIRST in said or SECOND in said:
                return True
    return False


def text_of(condition: Sequence[Conjunct]) -> str:
    """Return a condition in words."""
    return " and ".join(map(str, condition)) or "always"


def is_planted(planted: Planted, one: ConditionalFinding) -> bool:
    """Return whether a finding is the planted one."""
    finding = one.finding
    members = map(str, finding.cycle.members) if finding.cycle else ()
    text = " ".join([finding.message, *members])
    return finding.kind == planted.kind and (FIRST in text or SECOND in text)


def is_right(planted: Planted, condition: Sequence[Conjunct], search: WorldSearch) -> bool:
    """Return whether a condition holds in the same worlds as the planted one, and is as short.

    Where the class is refused for another reason there is nothing to find, and nothing to drop.
    """
    if len(condition) > sum(len(atom.inputs) for atom in planted.atoms):
        return False
    domains = {k: v for atom in planted.atoms for k, v in atom.domain.items() if v}
    systems = TRIED if any(not v for a in planted.atoms for v in a.domain.values()) else TRIED[:1]
    for system, *values in product(systems, *domains.values()):
        world = World(system, dict(zip(domains, values, strict=True)))

        def value_of(name: str, world: World = world) -> Any:
            return search.program.value_in(world, name)

        wanted = planted.holds(value_of)
        if wanted != fit(condition, world, search.program.value_in) and not (
            is_refused(search, world, planted)
        ):
            return False
    return True


def is_refused(search: WorldSearch, world: World, planted: Planted) -> bool:
    """Return whether a world is refused for something else than the planted finding."""
    error = search.at(world).error
    return error is not None and not (FIRST in error.message or SECOND in error.message)


def confirm(result: Result, search: WorldSearch, one: ConditionalFinding, ask: Ask) -> None:
    """Ask Puppet in the witness, and in a world without each part of the condition."""
    planted = result.planted
    site = planted.path if planted.is_site else None
    answer = ask(question_of(one.world, planted.modules, planted.name, site))
    if confirms(answer, one.finding):
        result.confirmed += 1
    elif one.world.error is not None and one.finding.cycle is not None and answer.get("error"):
        # Puppet refuses this world as we do, and looks for no cycle.
        result.refused_later += 1
        return
    elif is_unknown_here(str(answer.get("error")), one):
        result.refused_later += 1
        return
    elif answer["stage"] == "types":
        # Puppet refuses a value of a resource here before it looks for cycles.
        result.refused_later += 1
        return
    else:
        result.not_confirmed += 1
        said = f"{answer['stage']} {answer.get('error', '')}"
        problem = f"not confirmed: {one.finding.kind} {one.finding.message} ({said[:200]})"
        result.problems.append(problem)
        return
    for part in one.condition:
        other = next(without(search, one, part), None)
        if other is None:
            result.problems.append(f"no world without {part}")
            continue
        answer = ask(question_of(search.at(other), planted.modules, planted.name, site))
        if confirms(answer, one.finding):
            result.not_gone += 1
            result.problems.append(f"still there without {part}")
        else:
            result.gone += 1


def is_unknown_here(said: str, one: ConditionalFinding) -> bool:
    """Return whether Puppet lacks a module; a world that uses a class of one is incomplete."""
    return TYPE_UNKNOWN in said or (CLASS_UNKNOWN in said and bool(one.world.gaps))


def without(search: WorldSearch, one: ConditionalFinding, part: Conjunct) -> Iterator[World]:
    """Yield worlds like the witness in which a part of its condition does not hold."""
    program, witness = search.program, one.world.world
    ran = search.explorer.seen.get(witness) or program.run(witness)
    asked: Mapping[str, Sequence[Any]] = program.asked(ran.taken)
    rest = [other for other in one.condition if other is not part]
    worlds = [witness.on(system) for system in TRIED]
    worlds += [witness.having(part.input, value) for value in asked.get(part.input, ())]
    for world in worlds:
        fitting = fit(rest, world, program.value_in) and not fit([part], world, program.value_in)
        refused = one.world.error is not None
        if fitting and search.holds(one.finding, refused, world) is not None:
            yield world
