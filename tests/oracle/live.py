"""The live differential run: packaged classes, random manifests and programs, Puppet against us.

The run fails if the graph, order or cycles of one of Puppet's catalogs differ, or a random program
does; of the packaged classes it counts how many are alike, and tells why the others are not.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.frontends.puppet.bridge.helper import Helper

from .classes import class_questions
from .compiled import compiled, verdict
from .fuzz import fuzz
from .generate import THEMES
from .harness import Question, ask_cached
from .mutate import mutated_questions
from .our_graph import our_graph
from .record import random_question
from .tally import SHOWN, Catalogs, Graphs


@dataclass(frozen=True, slots=True)
class Amount:
    """How much is compared: classes of each fact set (0: all), random manifests and programs."""

    classes: int = 200
    manifests: int = 1000
    programs: int = 5000


@dataclass(slots=True)
class Tally:
    """What became of one group of cases."""

    graphs: Graphs = field(default_factory=Graphs)
    catalogs: Catalogs = field(default_factory=Catalogs)
    ours: Counter[str] = field(default_factory=Counter)

    def lines(self, name: str) -> Iterator[str]:
        """The rows of the summary for this group."""
        yield name
        yield from self.graphs.lines()
        if self.catalogs.verdicts:
            yield from self.catalogs.lines()
        for kind, number in self.ours.most_common(SHOWN):
            yield f"    graph, order and cycles of our catalogs: {number:6} {kind}"


def live(facts: Path | None, amount: Amount, seed: int | None = None) -> int:
    """Compare all groups, print a summary, return 0 when everything agrees, else 1."""
    seed = int(time.time()) if seed is None else seed
    print(f"seed {seed}: `python -m tests.oracle live --seed {seed}` compares the same again")
    failed = False
    for name, questions in _groups(facts, amount, seed):
        tally = _run(name, questions)
        failed |= bool(tally.graphs.examples)
        for case, found in tally.graphs.examples[:SHOWN]:
            print(f"\n{name}: {case}")
            for difference in found:
                print(f"  {difference}")
        print("\n".join(tally.lines(name)), flush=True)
    return max(int(failed), fuzz(amount.programs, seed))


def _groups(facts: Path | None, amount: Amount, seed: int) -> Iterator[tuple[str, list[Question]]]:
    for name, questions in class_questions(facts, amount.classes, seed):
        yield f"classes with the facts of {name}", questions
    themes = list(THEMES)
    numbers = range(amount.manifests)
    yield "random manifests", [random_question(themes[i % len(themes)], seed + i) for i in numbers]
    yield "mutated catalogs", list(mutated_questions(amount.manifests // 2, seed))


def live_classes(
    facts: Path | None,
    amount: int,
    seed: int | None,
    part: tuple[int, int],
    ruby: str | None,
    only: re.Pattern[str],
) -> int:
    """Compare classes of the packaged modules only, every n-th of them; return 1 if some differ.

    With `ruby`, the modules' own Ruby is run on our side as well.
    """
    number, of = part
    failed = False
    with Helper.of(ruby) if ruby else nullcontext() as helper:
        for name, questions in class_questions(facts, amount, seed or 0):
            chosen = [one for one in questions if only.search(one["id"])]
            tally = _run(name, chosen[number - 1 :: of], helper)
            failed |= bool(tally.catalogs.differ or tally.graphs.examples)
            print("\n".join(tally.lines(f"classes with the facts of {name}")), flush=True)
    return int(failed)


def _run(name: str, questions: list[Question], helper: Helper | None = None) -> Tally:
    tally = Tally()
    for number, answer in enumerate(ask_cached(questions)):
        question = questions[number]
        if sys.stderr.isatty():
            print(f"\r{name} {number}/{len(questions)} ", end="", file=sys.stderr, flush=True)
        tally.graphs.add(answer, answer.get("catalog") or question.get("catalog") or {})
        if "code" in question:
            ours = compiled(question, helper)
            tally.catalogs.add(str(question["id"]), verdict(ours, answer), ours, answer)
            tally.ours.update(filter(None, [our_graph(ours.document, answer)]))
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return tally
