"""Small calls and what real Puppet makes of them, several in a text file.

    an expression, on one line or more
    => its value in JSON, as `puppet_functions.rb` tags it; behind it what was logged
    ! or the error

Cases stand apart by an empty line; lines that begin with `# ` are comments. The module `files` of
this folder is there, and the facts of `evaluator.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.syntax.diagnostic import ParseError

from .evaluator import FACTS, Evaluator, Failure
from .tagged import tagged

FOLDER = Path(__file__).with_name("cases")
MODULES = Path(__file__).with_name("modules")
SETUP = "$given = [1, {'a' => 2}];\n"
PREFIX = re.compile(
    r"^Evaluation Error: (?:Error while evaluating a (?:Function Call|Method call), )?"
)
# What Puppet says on several lines; what Ruby adds to its own errors is left out.
REJECTION = re.compile(r"The function |'[\w:]+' expects ")


@dataclass(frozen=True, slots=True)
class Case:
    """An expression and what Puppet makes of it."""

    topic: str
    text: str
    result: str

    def lines(self) -> str:
        """The case as it stands in its file."""
        return f"{self.text}\n{self.result}\n"


def read(path: Path) -> tuple[str, list[Case]]:
    """What stands before the first case of a file, and its cases."""
    head: list[str] = []
    cases: list[Case] = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line]
        if all(line.startswith("# ") for line in lines):
            head += lines
            continue
        text = [line for line in lines if not line.startswith(("=> ", "! "))]
        result = [line for line in lines if line.startswith(("=> ", "! "))]
        cases.append(Case(path.stem, "\n".join(text), "\n".join(result)))
    return "".join(f"{line}\n" for line in head), cases


def all_cases() -> Iterator[Case]:
    """The cases of all files."""
    for path in sorted(FOLDER.glob("*.txt")):
        yield from read(path)[1]


def question(text: str, id_: Any) -> dict[str, Any]:
    """What the harness is asked."""
    return {
        "id": id_,
        "expression": SETUP + text,
        "facts": FACTS,
        "modulepath": [str(MODULES)],
    }


def theirs(answer: dict[str, Any]) -> str:
    """Puppet's answer as a case's result."""
    if "error" in answer:
        return refusal(answer["error"])
    logs = [[level, first_line(text)] for level, text in answer.get("logs", ())]
    return written(answer["value"], logs)


def ours(text: str) -> str:
    """Our result of an expression."""
    evaluator = Evaluator(MODULES)
    try:
        value = tagged(evaluator.run(text))
    except Failure as error:
        return refusal(str(error))
    except ParseError as error:
        return refusal(str(error))
    logs = [[level, first_line(message)] for level, message in evaluator.logs]
    return written(value, logs)


def first_line(text: str) -> str:
    return text.split("\n", 1)[0]


def written(value: Any, logs: list[list[str]]) -> str:
    """A value and what was logged on one line."""
    text = f"=> {json.dumps(value, ensure_ascii=False)}".replace(str(MODULES), "MODULES")
    return f"{text} {json.dumps(logs, ensure_ascii=False)}" if logs else text


def refusal(message: str) -> str:
    """An error on one line."""
    message = PREFIX.sub("", message)
    whole = REJECTION.match(message)
    return "! " + (message.replace("\n", "\\n") if whole else first_line(message))
