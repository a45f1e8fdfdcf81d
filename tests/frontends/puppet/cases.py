"""Small programs and what real Puppet's parser makes of them, several in a text file.

    === name [flags]
    program
    ---
    its tree in PN, or `! LINE:COLUMN MESSAGE` when it is refused (0:0 at the end of input)

Flags: `epp` a template, `tasks` plans are known, `cut` without the last line end, `crlf` lines end
as on Windows, `bom` a byte order mark before it, `escaped` characters are written as in Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.harness import Answer, Question

FOLDER = Path(__file__).with_name("cases")
_HEAD = re.compile(r"^=== (.+?)(?: \[([a-z ]+)\])?\n", re.MULTILINE)
_RESULT = "---\n"


@dataclass(frozen=True, slots=True)
class Case:
    """One program; `text` is as it stands in the file, `result` what Puppet says of it."""

    topic: str
    name: str
    flags: tuple[str, ...]
    text: str
    result: str

    @property
    def code(self) -> str:
        """The program itself."""
        code = self.text
        if "escaped" in self.flags:
            code = code.encode("latin-1", "backslashreplace").decode("unicode_escape")
        if "cut" in self.flags:
            code = code.removesuffix("\n")
        if "crlf" in self.flags:
            code = code.replace("\n", "\r\n")
        return "\ufeff" + code if "bom" in self.flags else code

    @property
    def question(self) -> Question:
        """What the harness is asked."""
        flags: Question = {flag: True for flag in ("epp", "tasks") if flag in self.flags}
        return {"id": f"{self.topic}: {self.name}", "code": self.code, "validate": False, **flags}

    def lines(self) -> str:
        """The case as it stands in its file."""
        flags = f" [{' '.join(self.flags)}]" if self.flags else ""
        return f"=== {self.name}{flags}\n{self.text}{_RESULT}{self.result}\n"


def read(path: Path) -> tuple[str, list[Case]]:
    """What stands before the first case of a file, and its cases."""
    parts = _HEAD.split(path.read_bytes().decode())
    return parts[0], [_case(path.stem, *parts[i : i + 3]) for i in range(1, len(parts), 3)]


def _case(topic: str, name: str, flags: str | None, body: str) -> Case:
    text, _, result = body.rpartition(_RESULT) if _has_result(body) else (body, "", "")
    return Case(topic, name, tuple((flags or "").split()), text, result.rstrip("\n"))


def _has_result(body: str) -> bool:
    return body.startswith(_RESULT) or f"\n{_RESULT}" in body


def all_cases() -> Iterator[Case]:
    """The cases of all files."""
    for path in sorted(FOLDER.glob("*.txt")):
        yield from read(path)[1]


def result_of(answer: Answer) -> str:
    """Puppet's answer as a case's result."""
    if "syntax" in answer:
        problem = answer["syntax"]
        return refusal(problem["line"] or 0, problem["pos"] or 0, problem["message"])
    return str(answer["pn"])


def refusal(line: int, column: int, message: str) -> str:
    """The result of a program that is refused."""
    return f"! {line}:{column} {' '.join(message.split())}"
