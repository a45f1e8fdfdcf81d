"""The cases: bodies of a function, and arguments of a call."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "recorded.json"
MODULES = HERE / "modules"


@dataclass(frozen=True, slots=True)
class Case:
    """A function and a call of it."""

    number: int
    body: str
    arguments: str

    @property
    def name(self) -> str:
        """Return the name of the function."""
        return f"m::f{self.number}"

    @property
    def ruby(self) -> str:
        """Return the text of its file."""
        body = self.body.replace("; ", "\n    ") if "<<~" not in self.body else self.body
        lines = [
            "require 'digest'\nrequire 'base64'\n",
            f"Puppet::Functions.create_function(:'{self.name}') do",
            f"  def f{self.number}(*a)\n    {body}\n  end\nend\n",
        ]
        return "\n".join(lines)

    @property
    def code(self) -> str:
        """Return a program that calls it."""
        return (
            f"$x = {self.name}({self.arguments})\nnotify {{ 'x': message => {{ 'is' => $x }} }}\n"
        )


def cases() -> list[Case]:
    """Return all cases."""
    text = (HERE / "bodies.txt").read_text(encoding="utf-8").partition("\n")[2]
    text = text.replace("<<~EOT\n  heredoc\nEOT", "<<~EOT\\n  heredoc\\nEOT")
    rows = [line.rpartition(" -- ") for line in text.splitlines() if line]
    return [
        Case(number, body.replace("\\n  heredoc\\n", "\n  heredoc\n"), arguments)
        for number, (body, _, arguments) in enumerate(rows)
    ]


def write_module(folder: Path) -> Path:
    """Write the functions as a module, and return its modulepath."""
    place = folder / "m" / "lib" / "puppet" / "functions" / "m"
    place.mkdir(parents=True)
    for case in cases():
        (place / f"f{case.number}.rb").write_text(case.ruby, encoding="utf-8")
    return folder


def calls() -> list[str]:
    """Return the programs that call functions of the module `demo`; each sets `$x`."""
    return (HERE / "calls.txt").read_text(encoding="utf-8").splitlines()[1:]


def program(call: str) -> str:
    """Return a program that also declares the value of `$x`."""
    return f"{call}\nnotify {{ 'x': message => {{ 'is' => $x }} }}\n"


def resources_of(catalog: dict[str, Any]) -> dict[str, Any]:
    """Return the notifications by title: parameters, tags and the container."""
    containers = {edge["target"]: edge["source"] for edge in catalog["edges"]}
    return {
        one["title"]: {
            "parameters": one.get("parameters", {}),
            "tags": sorted(one["tags"]),
            "in": containers[f"Notify[{one['title']}]"],
        }
        for one in catalog["resources"]
        if one["type"] == "Notify"
    }


def message_of(catalog: dict[str, Any]) -> Any:
    """Return the value of the function."""
    return resources_of(catalog)["x"]["parameters"]["message"].get("is")


def recorded() -> dict[str, Any]:
    """Return Puppet's answers by body and arguments."""
    found: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found
