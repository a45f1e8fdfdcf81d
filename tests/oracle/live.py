"""The live differential run: packaged classes and fresh random manifests, Puppet against us.

The graph, order and cycles of Puppet's catalogs must be the same, or the run fails; how many of
the catalogs that we compile ourselves are equal is counted, and how many of them come to the same
graph, order and cycles.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from .case import from_answer
from .compare import Difference, differences, refusal_differences
from .compiled import verdict
from .facts import fact_sets
from .generate import THEMES
from .harness import MODULES, Answer, Question, ask_cached
from .mutate import mutated_questions
from .our_graph import our_graph
from .record import random_question

_CLASS = re.compile(r"^\s*class\s+(?:::)?([a-z]\w*(?:::\w+)*)\b", re.MULTILINE)
_SHOWN = 8


@dataclass(slots=True)
class Tally:
    """What became of one group of cases."""

    agree: int = 0
    cyclic: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    differ: Counter[str] = field(default_factory=Counter)
    examples: list[tuple[str, list[Difference]]] = field(default_factory=list)
    compiled: Counter[str] = field(default_factory=Counter)
    ours: Counter[str] = field(default_factory=Counter)

    def lines(self, name: str) -> Iterator[str]:
        """The rows of the summary table for this group."""
        differing = len(self.examples)
        yield f"{name:32} agree {self.agree:6}  differ {differing:5}  cyclic {self.cyclic:5}"
        for stage, number in sorted(self.refused.items()):
            yield f"    Puppet stops at {stage:12} {number:6}"
        for kind, number in sorted(self.differ.items()):
            yield f"    differ in {kind:18} {number:6}"
        for kind, number in self.compiled.most_common(_SHOWN):
            yield f"    compiled by us: {number:6} {kind}"
        for kind, number in self.ours.most_common(_SHOWN):
            yield f"    graph, order and cycles of that: {number:6} {kind}"


def packaged_classes(modules: Path = MODULES) -> list[str]:
    """Names of all classes declared in the manifests of the packaged modules."""
    files = sorted(modules.glob("*/manifests/**/*.pp"))
    texts = (file.read_text(encoding="utf-8", errors="replace") for file in files)
    return sorted({name for text in texts for name in _CLASS.findall(text)})


def live(facts: Path | None, limit: int | None, random: int, seed: int) -> int:
    """Compare all groups, print a summary, return 0 when everything agrees, else 1."""
    groups = _groups(facts, limit, random, seed)
    tallies = {name: _run(name, questions) for name, questions in groups}
    for name, tally in tallies.items():
        for case, found in tally.examples[:_SHOWN]:
            print(f"\n{name}: {case}")
            for difference in found:
                print(f"  {difference}")
    print()
    for name, tally in tallies.items():
        print("\n".join(tally.lines(name)))
    return 1 if any(tally.examples for tally in tallies.values()) else 0


def _groups(
    facts: Path | None, limit: int | None, random: int, seed: int
) -> Iterator[tuple[str, list[Question]]]:
    classes = list(islice(packaged_classes(), limit))
    for name, values in fact_sets(facts).items():
        common = {"modulepath": [str(MODULES)], "facts": values}
        yield f"classes/{name}", [{"id": c, "code": f"include {c}", **common} for c in classes]
    themes = list(THEMES)
    numbered = (random_question(themes[i % len(themes)], seed + i) for i in range(random))
    yield "random manifests", list(numbered)
    yield "mutated catalogs", list(mutated_questions(random // 2, seed))


def _run(name: str, questions: list[Question]) -> Tally:
    tally = Tally()
    for number, answer in enumerate(ask_cached(questions), 1):
        if sys.stderr.isatty() or number % 100 == 0:
            print(f"\r{name} {number}/{len(questions)} ", end="", file=sys.stderr, flush=True)
        catalog = answer.get("catalog") or questions[number - 1].get("catalog") or {}
        _count(tally, answer, catalog)
        if "code" in questions[number - 1]:
            tally.compiled[verdict(questions[number - 1], answer).mechanism] += 1
            tally.ours.update(filter(None, [our_graph(questions[number - 1], answer)[0]]))
    print(file=sys.stderr)
    return tally


def _count(tally: Tally, answer: Answer, catalog: dict[str, Any]) -> None:
    if answer["ok"]:
        case = from_answer(answer, "", catalog)
        tally.cyclic += bool(case.cycles)
        found = differences(case)
        tally.agree += not found
    else:
        tally.refused[answer["stage"]] += 1
        found = refusal_differences(catalog, answer["error"])
    if found:
        tally.differ.update({difference.kind for difference in found})
        tally.examples.append((str(answer["id"]), found))
