"""Records what Puppet does in random runs, and compares live: `record()` and `live()`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count

from tests.oracle.harness import Answer, Question, ask

from .cases import CYCLES, FOLDER, Case, own, read, write_all
from .random_runs import question
from .runs import SCRIPT, differences, our_answer

RUNS, CYCLIC = 500, 20
BATCH = 100
SHOWN = 5


def record() -> None:
    """Write the recorded runs anew."""
    kept = [case.id for path in sorted(FOLDER.glob("*.txt")) for case in read(path)]
    questions = [question(seed) for seed in kept]
    found = zip(questions, ask(questions, SCRIPT), strict=True)
    write_all([case_of(asked, answer) for asked, answer in found])


def record_pool() -> None:
    """Write the runs that `choose` chooses from: so many that end, and a few that have a cycle."""
    wanted = Counter({False: RUNS, True: CYCLIC})
    cases: list[Case] = []
    first = 0
    while wanted.total():
        for asked, answer in answers(first, BATCH):
            cyclic = answer.get("error") == CYCLES
            if "catalog" in answer and wanted[cyclic]:
                wanted[cyclic] -= 1
                cases.append(case_of(asked, answer))
        first += BATCH
    write_all(cases)


def case_of(asked: Question, answer: Answer) -> Case:
    """The case of a run."""
    return Case(asked["id"], asked["settings"], asked["code"], own(answer))


def answers(first: int, number: int) -> Iterator[tuple[Question, Answer]]:
    """Random runs with what Puppet did."""
    questions = [question(seed) for seed in range(first, first + number)]
    yield from zip(questions, ask(questions, SCRIPT), strict=True)


def live(first: int = 1_000_000, number: int = 3_000) -> int:
    """Compare fresh random runs; 1 if any differs."""
    told = Counter[str]()
    numbers = count()
    differing = 0
    for asked, answer in answers(first, number):
        if "catalog" not in answer:
            told["refused"] += 1
            continue
        told[answer["error"] or answer["status"]] += 1
        ours = own(our_answer(answer["catalog"], asked["settings"]))
        found = list(differences(ours, own(answer)))
        if found:
            differing += 1
            if next(numbers) < SHOWN:
                print(f"\nrun {asked['id']} {asked['settings']}\n{asked['code']}")
                print("\n".join(found))
    summary = ", ".join(f"{many} {what}" for what, many in told.most_common())
    print(f"runs                             agree {sum(told.values()) - differing:6}", end="")
    print(f"  differ {differing:5}  ({summary})")
    return int(differing > 0)
