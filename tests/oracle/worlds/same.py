"""Worlds of packaged classes: is our catalog the one that Puppet compiles with those facts?"""

from __future__ import annotations

from collections import Counter
from random import Random

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.programs import programs_of
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.program import Watcher
from analyzer.session.searching import Search

from ..classes import packaged_classes
from ..compiled import compiled, verdict
from ..harness import MODULES
from .check import graph
from .puppet import Ask, question_of


def compare(count: int, seed: int, ask: Ask) -> int:
    """Compare worlds of packaged classes, print the figures, and return how many differ."""
    names = packaged_classes()
    Random(seed).shuffle(names)
    tally: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    first: dict[str, str] = {}
    for name in names:
        if tally["compared"] >= count:
            break
        for number, question in enumerate(questions_of(name)):
            question["id"] = f"{name} {number}"
            ours, answer = compiled(question), ask(question)
            found = verdict(ours, answer)
            if ours.document is None and not answer.get("catalog"):
                tally["refused by both"] += 1
                continue
            tally["compared"] += 1
            tally["complete"] += not ours.undecided
            if found.alike:
                tally["equal"] += 1
                continue
            tally["differ though complete"] += not ours.undecided
            causes[found.cause] += 1
            facts = f"{found.ours[:300]} | {found.theirs[:300]}"
            first.setdefault(found.cause, f"{question['id']}: {facts}")
    print(dict(tally))
    for cause, times in causes.most_common(12):
        print(f"{times:5} {cause}\n      {first[cause]}")
    return tally["differ though complete"]


def questions_of(name: str) -> list[dict[str, object]]:
    """Return the questions for the worlds of a class that behave unlike each other."""
    path = str(MODULES / name.partition("::")[0])
    settings = Settings(modulepath=(str(MODULES),), classes=(name,))
    watcher = Watcher()
    try:
        (program,) = programs_of(path, settings, watcher)
    except (InputError, ValueError):
        return []
    explorer = Explorer(watcher.arms, program.run, program, Budget(12, 10))
    explorer.explore(program.systems)
    search = Search(program, graph, explorer)
    worlds = [search.at(world) for world, _ in explorer.found.worlds]
    return [question_of(one, MODULES, name) for one in worlds]
