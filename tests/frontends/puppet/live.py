"""The live comparison of the front ends: packaged modules, all pairs of operators, and mutants."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from random import Random

from tests.oracle.harness import HOW_TO_INSTALL, MODULES, Question, installed

from .cases import all_cases
from .harness import ask_cached
from .mutate import mutants, snippets
from .verdict import Verdict, difference, ours, puppets

SHOWN = 5
MUTANTS = 20_000
BINARY = "+ - * / % << >> == != < <= > >= =~ !~ in and or = += -= -> ~> <- <~ . ? [ { |> => :"
UNARY = ("", "-", "!", "*", "(")


@dataclass(slots=True)
class Tally:
    """What became of one group of programs."""

    agree: int = 0
    accepted: int = 0
    failed: int = 0
    refused: int = 0
    same_place: int = 0
    same_message: int = 0
    differ: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[tuple[Question, Verdict, Verdict]]] = field(default_factory=dict)

    def add(self, question: Question, puppet: Verdict, mine: Verdict) -> None:
        """Count one program."""
        kind = difference(puppet, mine)
        self.accepted += puppet.accepted
        if not puppet.accepted and not mine.accepted:
            self.refused += 1
            self.same_place += puppet.place == mine.place
            self.same_message += (puppet.place, puppet.message) == (mine.place, mine.message)
        if not kind:
            self.agree += 1
            return
        self.differ[kind] += 1
        self.examples.setdefault(kind, []).append((question, puppet, mine))

    def lines(self, name: str) -> Iterator[str]:
        """The rows of the summary for this group."""
        differing = sum(self.differ.values())
        yield (
            f"{name:14} agree {self.agree:6}  differ {differing:5}"
            f"  accepted {self.accepted:6}  refused by both {self.refused:6}"
        )
        if self.refused:
            place, message = self.same_place / self.refused, self.same_message / self.refused
            yield f"    first error at the same place {place:.1%}, with the same text {message:.1%}"
        if self.failed:
            yield f"    refused by a failure of Puppet {self.failed}"
        for kind, number in sorted(self.differ.items()):
            yield f"    differ: {kind:30} {number:6}"


def live(count: int = MUTANTS, seed: int = 1, groups: Iterable[str] = ()) -> int:
    """Compare all groups (or the named ones), print a summary, return 1 if anything differs."""
    if installed() is None:
        print(f"skipped: {HOW_TO_INSTALL}")
        return 0
    wanted = set(groups)
    tallies = {
        name: _run(name, questions, batch)
        for name, questions, batch in _groups(count, seed)
        if not wanted or name in wanted
    }
    for name, tally in tallies.items():
        _show(name, tally)
    print()
    for name, tally in tallies.items():
        print("\n".join(tally.lines(name)))
    return 1 if any(tally.differ for tally in tallies.values()) else 0


def _groups(count: int, seed: int) -> Iterator[tuple[str, list[Question], int]]:
    yield "manifests", _corpus(".pp"), 100
    yield "templates", _corpus(".epp"), 100
    yield "cases", [{**case.question, **_ALL} for case in all_cases()], 500
    yield "operators", list(_operators()), 500
    yield "mutants", list(_mutants(count, seed)), 500


_ALL: Question = {"validate": True, "import": True, "pretty": True}


@cache
def packaged(ending: str) -> tuple[tuple[str, str], ...]:
    """Paths and texts of the files of the packaged modules."""
    found = []
    for module in sorted(MODULES.glob("*")):
        for path in sorted(module.resolve().rglob(f"*{ending}")):
            name = MODULES / module.name / path.relative_to(module.resolve())
            if path.is_file():
                found.append((str(name), path.read_bytes().decode()))
    return tuple(found)


def _corpus(ending: str) -> list[Question]:
    return [
        {
            **{"id": path, "file": path, "code": text, "modulepath": [str(MODULES)]},
            **{"import": True, "pretty": True, "epp": ending == ".epp"},
        }
        for path, text in packaged(ending)
    ]


def _operators() -> Iterator[Question]:
    for first, second, sign in product(BINARY.split(), BINARY.split(), UNARY):
        code = f"$a {first} {sign}$b {second} $c"
        yield {"id": f"operators: {code}", "code": code, "import": True}


def _mutants(count: int, seed: int) -> Iterator[Question]:
    texts = [(case.code, "epp" in case.flags) for case in all_cases()]
    texts += [(text, True) for _, text in packaged(".epp")]
    parts = [part for _, text in packaged(".pp") for part in snippets(text)]
    texts += [(part, False) for part in Random(seed).sample(parts, min(len(parts), 2 * len(texts)))]
    for number, (code, epp) in enumerate(mutants(texts, count, seed)):
        yield {"id": f"mutant {seed}/{number}", "code": code, "epp": epp, "import": True}


def _run(name: str, questions: list[Question], batch: int) -> Tally:
    tally = Tally()
    answers = ask_cached(questions, batch)
    for number, (question, answer) in enumerate(zip(questions, answers, strict=True), 1):
        if sys.stderr.isatty() or number % 2000 == 0:
            print(f"\r{name} {number}/{len(questions)} ", end="", file=sys.stderr, flush=True)
        mine = ours(question, pretty=question.get("pretty", False))
        tally.failed += "crash" in answer
        tally.add(question, puppets(answer), mine)
    print(file=sys.stderr)
    return tally


def _show(name: str, tally: Tally) -> None:
    for kind, examples in sorted(tally.examples.items()):
        examples.sort(key=lambda example: len(example[0]["code"]))
        for question, puppet, mine in examples[:SHOWN]:
            print(f"\n{name}: {kind}: {question['id']}")
            if len(question["code"]) < 400:
                print(f"  program: {question['code']!r}")
            print(f"  Puppet: {puppet}\n  ours:   {mine}")
            if kind == "tree":
                print("  " + _apart(puppet.pn or "", mine.pn or ""))


def _apart(puppet: str, mine: str) -> str:
    same = next((i for i, (a, b) in enumerate(zip(puppet, mine, strict=False)) if a != b), 0)
    start = max(0, same - 60)
    return f"Puppet: ...{puppet[start : same + 80]}\n  ours:   ...{mine[start : same + 80]}"
