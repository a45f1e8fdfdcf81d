"""Writes what the installed Puppet says of the cases into their files."""

from __future__ import annotations

from dataclasses import replace

from .cases import FOLDER, read, result_of
from .harness import ask


def record_cases() -> None:
    """Rewrite all files of cases."""
    count = refused = 0
    for path in sorted(FOLDER.glob("*.txt")):
        head, cases = read(path)
        answers = ask([case.question for case in cases])
        done = []
        for case, answer in zip(cases, answers, strict=True):
            if "crash" in answer or not {"pn", "syntax"} & answer.keys():
                print(f"{path.name}: {case.name}: Puppet cannot say")
                continue
            done.append(replace(case, result=result_of(answer)))
        path.write_bytes((head + "\n".join(case.lines() for case in done)).encode())
        count += len(done)
        refused += sum(case.result.startswith("! ") for case in done)
    print(f"{count} cases, {refused} of them refused by Puppet")
