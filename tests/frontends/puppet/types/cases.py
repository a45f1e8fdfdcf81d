"""Questions and what real Puppet answers, in a file for each kind.

TYPE ~ VALUE            (or OTHER; a kind that asks for one thing has no ` ~ `)
    the answer, indented, on as many lines as it takes
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .asking import Question, theirs

FOLDER = Path(__file__).with_name("cases")
BETWEEN = " ~ "
INDENT = "    "
FIELDS = {
    "text": ("type",), "parse": ("type",), "normal": ("type",), "general": ("type",),
    "infer": ("value",), "value": ("value",), "instance": ("type", "value"),
    "mismatch": ("type", "value"), "parameters": ("type", "value"),
    "assignable": ("type", "other"), "equal": ("type", "other"), "common": ("type", "other"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """One question and its answer."""

    ask: str
    line: str
    answer: str = ""

    @property
    def question(self) -> Question:
        """What is asked."""
        names = FIELDS[self.ask]
        parts = self.line.split(BETWEEN, len(names) - 1)
        return {"id": self.line, "ask": self.ask, **dict(zip(names, parts, strict=True))}

    def lines(self) -> str:
        """The case as it stands in its file."""
        answer = "".join(f"{INDENT}{line}\n" for line in self.answer.split("\n"))
        return f"{self.line}\n{answer}"


def read(path: Path) -> tuple[str, list[Case]]:
    """The first line of a file, which says what it is about, and its cases."""
    head, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    cases: list[Case] = []
    for line in body.splitlines():
        if line.startswith(INDENT):
            last = cases[-1]
            answer = f"{last.answer}\n{line[4:]}" if last.answer else line[4:]
            cases[-1] = Case(last.ask, last.line, answer)
        elif line:
            cases.append(Case(path.stem.partition("_")[0], line))
    return head, cases


def all_cases() -> Iterator[Case]:
    """The cases of all files."""
    for path in sorted(FOLDER.glob("*.txt")):
        yield from read(path)[1]


def record() -> None:
    """Write what the installed Puppet says into all files."""
    count = 0
    for path in sorted(FOLDER.glob("*.txt")):
        head, cases = read(path)
        answers = theirs([case.question for case in cases])
        done = [Case(x.ask, x.line, said) for x, said in zip(cases, answers, strict=True)]
        body = "".join(case.lines() for case in done)
        path.write_text(f"{head}\n\n{body}", encoding="utf-8")
        count += len(done)
    print(f"{count} questions about types")
