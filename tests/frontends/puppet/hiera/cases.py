"""Small environments and what real Puppet looks up in them, several in a text file.

    === name [strict=error]
    --- facts
    {"x": 1}
    --- hiera.yaml
    text of a file of the environment; those in `global/` are beside it
    --- asks
    lookup "key", null, "unique"
      = ["a value in JSON"]
    lookup "other" || "what the block gives"
      ! message of the error, on one line with \\n for its line ends
    parameter "class::param"
      ?

`?`: nothing is found. `<root>` is the folder of the case, in files and in messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.oracle.harness import Answer, Question

FOLDER = Path(__file__).with_name("cases")
HEAD = re.compile(r"^=== (.+?)(?: \[strict=(\w+)\])?\n", re.M)
SECTION = re.compile(r"^--- (\S+)\n", re.M)
ROOT = "<root>"


@dataclass(frozen=True, slots=True)
class Ask:
    """One call of a function, and what comes of it, as it stands in the file."""

    function: str
    arguments: tuple[Any, ...]
    block: tuple[Any, ...] = ()
    result: str = ""

    def line(self) -> str:
        """The call as it stands in the file."""
        block = f" || {_json(self.block[0])}" if self.block else ""
        return f"{self.function} {', '.join(map(_json, self.arguments))}{block}"

    def call(self) -> Question:
        """What the harness is asked."""
        call: Question = {"function": self.function, "arguments": list(self.arguments)}
        return call | ({"block": self.block[0]} if self.block else {})


@dataclass(frozen=True, slots=True)
class Case:
    """An environment and the calls in it."""

    name: str
    files: dict[str, str]
    asks: list[Ask]
    facts: dict[str, Any] = field(default_factory=dict)
    strict: str = "warning"

    def lay_out(self, root: Path) -> None:
        """Write the files below a folder."""
        (root / "production").mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            path = root / name if name.startswith("global/") else root / "production" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace(ROOT, str(root)), encoding="utf-8")

    def question(self, root: Path) -> Question:
        """What the harness is asked, when the files lie in a folder."""
        return {
            "id": self.name,
            "root": str(root / "production"),
            "global": str(root / "global/hiera.yaml"),
            "facts": self.facts,
            "strict": self.strict,
            "calls": [ask.call() for ask in self.asks],
        }

    def with_results(self, results: list[str]) -> Case:
        """The case with what Puppet says."""
        pairs = zip(self.asks, results, strict=True)
        return replace(self, asks=[replace(ask, result=result) for ask, result in pairs])

    def lines(self) -> str:
        """The case as it stands in its file."""
        strict = "" if self.strict == "warning" else f" [strict={self.strict}]"
        parts = [f"=== {self.name}{strict}\n"]
        if self.facts:
            parts.append(f"--- facts\n{_json(self.facts)}\n")
        parts += [f"--- {name}\n{_ended(text)}" for name, text in self.files.items()]
        parts.append("--- asks\n")
        parts += [f"{ask.line()}\n  {ask.result}\n" for ask in self.asks]
        return "".join(parts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def read(path: Path) -> list[Case]:
    """The cases of a file."""
    parts = HEAD.split(path.read_text(encoding="utf-8"))
    return [_case(*parts[index : index + 3]) for index in range(1, len(parts), 3)]


def _case(name: str, strict: str | None, body: str) -> Case:
    parts = SECTION.split(body)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    facts = json.loads(sections.pop("facts", "{}"))
    asks = list(_asks(sections.pop("asks").splitlines()))
    return Case(name, sections, asks, facts, strict or "warning")


def _asks(lines: list[str]) -> Iterator[Ask]:
    for index, line in enumerate(lines):
        if not line or line.startswith("  "):
            continue
        function, _, rest = line.partition(" ")
        text, bars, block = rest.partition(" || ")
        arguments = tuple(json.loads(f"[{text}]"))
        following = lines[index + 1] if index + 1 < len(lines) else ""
        result = following.strip() if following.startswith("  ") else ""
        yield Ask(function, arguments, (json.loads(block),) if bars else (), result)


def all_cases() -> Iterator[tuple[str, Case]]:
    """The cases of all files, each with the file's name."""
    for path in sorted(FOLDER.glob("*.txt")):
        for case in read(path):
            yield path.stem, case


def results_of(answer: Answer, root: Path) -> list[str]:
    """Puppet's answer as results of the calls."""
    return [_result(result, root) for result in answer["results"]]


def _result(result: Answer, root: Path) -> str:
    if "missing" in result:
        return "?"
    if "error" in result:
        return refusal(result["error"], root)
    return found(result["value"])


def found(value: Any) -> str:
    """The result of a value."""
    return f"= {_json(value)}"


def refusal(message: str, root: Path) -> str:
    """The result of an error."""
    # Ruby shows the line of Puppet's source behind its own errors.
    if message.startswith("undefined method"):
        message = message.partition("\n")[0]
    # Its JSON library puts a line of its own source before the token.
    message = re.sub(r"\b\d+: (unexpected token)", r"\1", message)
    text = message.replace(str(root), ROOT).replace("\\", "\\\\")
    return "! " + text.replace("\n", "\\n").strip()
