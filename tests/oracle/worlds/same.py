"""Worlds of packaged classes: is our catalog the one that Puppet compiles with those facts?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from queue import SimpleQueue
from random import Random
from time import monotonic

from analyzer.compiles.programs import programs_of
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.session.worlds.searching import WorldSearch

from ..classes import packaged_classes
from ..compiled import compiled, verdict
from ..harness import MODULES, Answer, Question, ask
from .check import graph
from .puppet import question_of

# A type of a module that Puppet comes with, as yumrepo_core.
TYPE_UNKNOWN = re.compile("Unknown resource type: |Resource type not found: ")

# Worlds of a class, and seconds for each.
WORLDS, SECONDS = 6, 5
SLICES = 4


def compare(count: int, first: int, seconds: float) -> int:
    """Compare worlds of packaged classes, print the figures, and return how many differ.

    The run ends after some seconds; `first` is one of `SLICES` slices of the classes.
    """
    ask_all = pipeline()
    names = packaged_classes()
    Random(0).shuffle(names)
    names = names[first::SLICES]
    tally: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    example: dict[str, str] = {}
    end = monotonic() + seconds
    for name in names:
        if tally["compared"] >= count or monotonic() > end:
            break
        questions = questions_of(name)
        for number, question in enumerate(questions):
            question["id"] = f"{name} {number}"
        # Puppet works on all worlds of a class while we compile them.
        answers = ask_all(questions)
        for question, ours in [(one, compiled(one)) for one in questions]:
            answer = next(answers)
            found = verdict(ours, answer)
            if not answer.get("catalog") and TYPE_UNKNOWN.search(str(answer.get("error"))):
                tally["of a type that is not installed here"] += 1
                continue
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
            example.setdefault(found.cause, f"{question['id']}: {facts}")
    print(dict(tally))
    for cause, times in causes.most_common(12):
        print(f"{times:5} {cause}\n      {example[cause]}")
    return tally["differ though complete"]


def pipeline() -> Callable[[list[Question]], Iterator[Answer]]:
    """Return a function that sends questions to one Puppet, and yields the answers as they come."""
    waiting: SimpleQueue[Question] = SimpleQueue()
    answers = ask(iter(waiting.get, None))

    def ask_all(questions: list[Question]) -> Iterator[Answer]:
        for question in questions:
            waiting.put(question)
        return islice(answers, len(questions))

    return ask_all


def questions_of(name: str) -> list[dict[str, object]]:
    """Return the questions for the worlds of a class that behave unlike each other."""
    path = str(MODULES / name.partition("::")[0])
    settings = Settings(modulepath=(str(MODULES),), classes=(name,))
    watcher = Watcher()
    try:
        (program,) = programs_of(path, settings, watcher)
    except (InputError, ValueError):
        return []
    explorer = Explorer(watcher.arms, program.run, program, Budget(WORLDS, SECONDS))
    explorer.explore(program.systems)
    search = WorldSearch(program, graph, explorer)
    worlds = [search.at(world) for world, _ in explorer.found.worlds]
    return [question_of(one, MODULES, name) for one in worlds]
