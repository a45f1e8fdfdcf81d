"""The live comparison of diagnostics: all of them, of packaged modules, cases and mutants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from tests.oracle.harness import HOW_TO_INSTALL, MODULES, Question, installed

from .cases import all_cases
from .error_cases import all_error_cases
from .faults import ACCEPTED, comparable, our_faults, puppets_faults
from .harness import ask_cached
from .live import packaged
from .mutate import mutants

SHOWN = 10


def live_validate(count: int, seed: int) -> int:
    """Compare, print a summary, return 1 if anything differs."""
    if installed() is None:
        print(f"skipped: {HOW_TO_INSTALL}")
        return 0
    differing = 0
    for name, questions in _groups(count, seed):
        differing += _compare(name, questions)
    return 1 if differing else 0


def _groups(count: int, seed: int) -> Iterator[tuple[str, list[Question]]]:
    yield "packaged modules", [*_packaged(".pp"), *_packaged(".epp")]
    yield "cases", [{**each.question, "validate": True, **_NO_TREE} for each in all_cases()]
    faulty = list(all_error_cases())
    yield "faulty programs", [each.question for each in faulty]
    texts = [(each.case.code, "epp" in each.case.flags) for each in faulty]
    texts += [(each.code, "epp" in each.flags) for each in all_cases()]
    Random(seed).shuffle(texts)
    yield (
        "mutants",
        [
            {"id": f"mutant {seed}/{number}", "code": code, "epp": epp, **_NO_TREE}
            for number, (code, epp) in enumerate(mutants(texts, count, seed))
        ],
    )


_NO_TREE: Question = {"import": True, "pn": False}


def _packaged(ending: str) -> Iterator[Question]:
    for path, text in packaged(ending):
        where: Question = {"id": path, "file": path, "modulepath": [str(MODULES)]}
        yield {**where, "code": text, "epp": ending == ".epp", **_NO_TREE}


def _compare(name: str, questions: list[Question]) -> int:
    met: Counter[str] = Counter()
    differing = crashed = 0
    for question, answer in zip(questions, ask_cached(questions), strict=True):
        if "crash" in answer:
            crashed += 1
            continue
        theirs = puppets_faults(answer)
        met.update(line.split()[0] for line in theirs)
        ours, puppets = comparable(our_faults(question), theirs)
        if ours == puppets:
            continue
        differing += 1
        if differing <= SHOWN:
            print(f"{question['id']}: {question['code'][:300]!r}")
            print(*(f"  Puppet: {line}" for line in puppets if line not in ours), sep="\n")
            print(*(f"  ours:   {line}" for line in ours if line not in puppets), sep="\n")
    accepted = met.pop(ACCEPTED, 0)
    print(
        f"{name:18} {len(questions):6} programs, {differing} differ; {accepted} accepted, "
        f"{met.total()} faults of {len(met)} codes; Puppet itself fails on {crashed}"
    )
    return differing
