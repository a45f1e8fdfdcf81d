"""Writes what the installed Puppet says of the faulty programs into their files."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from .error_cases import FOLDER, read, text_of
from .faults import ACCEPTED, puppets_faults
from .harness import ask


def record_errors() -> None:
    """Rewrite all files of faulty programs."""
    count, codes = 0, Counter[str]()
    for path in sorted(FOLDER.glob("*.txt")):
        head, cases = read(path)
        done = []
        for case, answer in zip(cases, ask([case.question for case in cases]), strict=True):
            if "crash" in answer:
                print(f"{case.name}: Puppet itself fails: {answer['crash']}")
                continue
            done.append(replace(case, faults=tuple(puppets_faults(answer))))
        path.write_bytes(text_of(head, done).encode())
        count += len(done)
        codes.update(fault.split()[0] for case in done for fault in case.faults)
    print(f"{count} programs, {codes[ACCEPTED]} of them accepted by Puppet, {len(codes) - 1} codes")
