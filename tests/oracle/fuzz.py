"""The live run of random programs: what differs from Puppet is made small, and shown."""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from analyzer.session.verify.shrink import shrink

from .compiled import Verdict, compiled, verdict
from .facts import debian_11
from .harness import MODULES, Question, ask, conversation
from .programs import classes_given, program

# At most so many differences are made small, of each cause one, for at most so long each.
SHRUNK = 5
SHRINK_SECONDS = 60.0


@dataclass(slots=True)
class Found:
    """What became of the programs of one run; `differ` has for each cause the first program."""

    seed: int
    verdicts: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    differ: dict[str, tuple[int, Question, Verdict]] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The figures."""
        alike = sum(self.verdicts[kind] for kind in ("equal", "refused alike"))
        total = sum(self.verdicts.values())
        yield (
            f"random programs of seed {self.seed}: {total}, equal {self.verdicts['equal']}, "
            f"refused alike {self.verdicts['refused alike']}, differ {total - alike}"
        )
        for cause, number in self.causes.most_common():
            yield f"    {number:6} {cause}"


def fuzz(count: int, seed: int) -> int:
    """Compare the programs of `count` seeds from the first on, print, return 1 if any differ."""
    found = Found(seed)
    with _modules() as modulepath:
        questions = [question_of(seed + number, modulepath) for number in range(count)]
        for number, (question, answer) in enumerate(zip(questions, ask(questions), strict=True)):
            said = verdict(compiled(question), answer)
            found.verdicts[said.kind] += 1
            if not said.alike:
                found.causes[said.cause] += 1
                found.differ.setdefault(said.cause, (seed + number, question, said))
        _show_smallest(found)
    print("\n".join(found.lines()))
    return 1 if found.differ else 0


def question_of(seed: int, modulepath: str) -> Question:
    """The question about the program of a seed."""
    common = {"modulepath": [modulepath], "facts": debian_11(), "report": False}
    code = program(seed)
    return {"id": f"program {seed}", "code": code, "classes": classes_given(seed, code), **common}


@contextmanager
def _modules() -> Iterator[str]:
    """A folder with stdlib alone: Puppet is slower, the more modules there are."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink((MODULES / "stdlib").resolve(), os.path.join(folder, "stdlib"))
        yield folder


def _show_smallest(found: Found) -> None:
    """Print for each cause the smallest program that shows it, with both answers."""
    asked = conversation() if found.differ else None
    for seed, question, said in list(found.differ.values())[:SHRUNK]:
        assert asked is not None
        end = time.monotonic() + SHRINK_SECONDS

        def of(code: str, question: Question = question) -> Verdict:
            changed = {**question, "code": code}
            return verdict(compiled(changed), asked(changed))

        def differs(code: str, cause: str = said.cause, end: float = end) -> bool:
            return time.monotonic() < end and of(code).cause == cause

        small = shrink(question["code"], differs)
        shown = of(small)
        print(f"\nprogram {seed}: {shown.kind}")
        print("".join(f"    {line}\n" for line in small.splitlines()), end="")
        print(f"  Puppet: {shown.theirs}\n  ours:   {shown.ours}\n")
