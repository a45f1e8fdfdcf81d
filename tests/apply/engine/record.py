"""Records what Puppet does in random runs, and compares live: `record()` and `live()`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count

from tests.oracle.harness import Answer, Question, ask

from .cases import CYCLES, FOLDER, Case, own, write
from .random_runs import question
from .runs import SCRIPT, differences, our_answer

RUNS, CYCLIC, IN_A_FILE = 500, 20, 40
BATCH = 100
SHOWN = 5


def record() -> None:
    """Write the recorded runs anew: so many that end, and a few that have a cycle."""
    wanted = Counter({False: RUNS, True: CYCLIC})
    cases: list[Case] = []
    first = 0
    while wanted.total():
        for asked, answer in answers(first, BATCH):
            cyclic = answer.get("error") == CYCLES
            if "catalog" in answer and wanted[cyclic]:
                wanted[cyclic] -= 1
                cases.append(Case(asked["id"], asked["settings"], asked["code"], own(answer)))
        first += BATCH
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for start in range(0, len(cases), IN_A_FILE):
        text = "".join(map(write, cases[start : start + IN_A_FILE]))
        (FOLDER / f"runs-{start // IN_A_FILE:02}.txt").write_text(text, encoding="utf-8")


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
