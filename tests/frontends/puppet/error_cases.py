"""Faulty programs and what real Puppet says of them, several in a text file of `errors/`.

    === name [flags]
    program
    ---
    CODE LINE:COLUMN message

One line a fault, in Puppet's order; `-` for what Puppet leaves out: a code, a column, the place at
the end of input. `CODE/warning` and `CODE/deprecation` are no errors. `accepted`: nothing is said.

Flags are those of `cases.py`, and `strict=off`, `strict=warning`, `file=PATH`: the name the program
goes by. Modules are in `/modules`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.oracle.harness import Question

from .cases import Case

FOLDER = Path(__file__).with_name("errors")
MODULEPATH = ("/modules",)
_HEAD = re.compile(r"^=== (.+?)(?: \[(.+)\])?\n", re.MULTILINE)
_RESULT = re.compile(r"^---\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ErrorCase:
    """One program; `faults` are the lines below it."""

    case: Case
    faults: tuple[str, ...]

    @property
    def name(self) -> str:
        """The case's name among all."""
        return f"{self.case.topic}: {self.case.name}"

    @property
    def settings(self) -> dict[str, str]:
        """The flags with values: `strict`, `file`."""
        return dict(flag.split("=", 1) for flag in self.case.flags if "=" in flag)

    @property
    def question(self) -> Question:
        """What the harness is asked."""
        question = {**self.case.question, **self.settings, "validate": True, "import": True}
        return {**question, "pn": False, "modulepath": list(MODULEPATH)}


def read(path: Path) -> tuple[str, list[ErrorCase]]:
    """What stands before the first case of a file, and its cases."""
    parts = _HEAD.split(path.read_bytes().decode())
    return parts[0], [_case(path.stem, *parts[i : i + 3]) for i in range(1, len(parts), 3)]


def _case(topic: str, name: str, flags: str | None, body: str) -> ErrorCase:
    *texts, faults = _RESULT.split(body)
    case = Case(topic, name, tuple((flags or "").split()), "---\n".join(texts), "")
    return ErrorCase(case, tuple(faults.strip("\n").split("\n")))


def all_error_cases() -> Iterator[ErrorCase]:
    """The cases of all files."""
    for path in sorted(FOLDER.glob("*.txt")):
        yield from read(path)[1]


def text_of(head: str, cases: list[ErrorCase]) -> str:
    """A file, as `read` reads it."""
    return head + "\n".join(_lines(each) for each in cases)


def _lines(each: ErrorCase) -> str:
    return replace(each.case, result="\n".join(each.faults)).lines()
