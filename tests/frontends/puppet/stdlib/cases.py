"""Calls of stdlib's functions and what real Puppet makes of them; see `functions/cases.py`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.functions.families import find as find_own
from analyzer.frontends.puppet.functions.stdlib.families import find
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from tests.frontends.puppet.functions.cases import Case, read, refusal, written
from tests.frontends.puppet.functions.evaluator import (
    Evaluator,
    Failure,
    Folder,
    FunctionCall,
    Scope,
)
from tests.frontends.puppet.functions.signatures import Rejected, choose
from tests.frontends.puppet.functions.tagged import tagged
from tests.oracle.harness import installed

FOLDER = Path(__file__).with_name("cases")
FILES = Path(__file__).with_name("files")
INSTALLED = "/usr/share/puppet/modules"
FACTS: dict[str, Any] = {
    "networking": {"fqdn": "web1.example.com"},
    "operatingsystem": "Debian",
    "operatingsystemmajrelease": "12",
    "os": {"name": "Debian", "release": {"major": "12"}, "x.y": {"z": 1}},
    "disks": [{"size": 1}, {"size": 2}],
    "nothing": None,
}
VARIABLES = {
    "fqdn": "web1.example.com",
    "interfaces": "lo,eth0,Br1",
    "ipaddress": "192.168.1.5",
    "ipaddress_lo": "127.0.0.1",
    "ipaddress_br1": "10.0.0.1",
    "network_eth0": "192.168.1.0",
}
SETUP = "".join(f"${name} = '{value}'\n" for name, value in VARIABLES.items())
# Ruby's readers of JSON and PSON name lines of their own source; ours has other words.
JSON_FAULT = re.compile(
    r"(?:\d+: )?unexpected token at '.*'|source '.*' not in PSON!|expected .* at '.*'!", re.S
)
NOISE = ("This method is deprecated", "The method 'Puppet::Parser::Functions.autoloader")


@dataclass
class Stdlib(Evaluator):
    """The small evaluator, with stdlib's functions behind Puppet's."""

    def call(self, name: str, arguments: list[Any], block: Block | None) -> Any:
        rows = [] if find_own(name) else find(name)
        if not rows:
            return super().call(name, arguments, block)
        call = FunctionCall(self, block, Folder(FILES))
        try:
            return choose(name, rows, arguments, block)(call, *arguments)
        except Rejected as rejected:
            raise Failure(str(rejected)) from None


def all_cases() -> Iterator[Case]:
    """The cases of all files."""
    for path in sorted(FOLDER.glob("*.txt")):
        yield from read(path)[1]


def ours(text: str) -> str:
    """Our result of an expression."""
    variables: Scope = {"facts": FACTS, **VARIABLES}
    evaluator = Stdlib(FILES, variables=variables)
    try:
        value = tagged(evaluator.run(text.replace("FILES", str(FILES))))
    except (Failure, ParseError) as error:
        return refused(str(error))
    return result(as_bytes(value), evaluator.logs)


def refused(message: str) -> str:
    """An error as a case's result."""
    return refusal(JSON_FAULT.sub("not JSON", message)).replace(str(FILES), "FILES")


def as_bytes(value: Any) -> Any:
    """Text that is not UTF-8, as the harness writes it."""
    if not isinstance(value, str) or not any("\ud800" <= char <= "\udfff" for char in value):
        return value
    return {"bytes": value.encode("utf-8", "surrogateescape").hex()}


def result(value: Any, logs: Sequence[Sequence[str]]) -> str:
    """A value and what was logged, but that functions are deprecated."""
    kept = [
        [level, message.split("\n", 1)[0].replace(str(FILES), "FILES")]
        for level, message in logs
        if not message.startswith(NOISE)
    ]
    return written(value, kept)


def theirs(answer: dict[str, Any]) -> str:
    """Puppet's answer as a case's result."""
    if "error" in answer:
        return refused(answer["error"])
    return result(answer["value"], answer.get("logs", ()))


def ask(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Answers of real Puppet, in the order of the expressions."""
    import subprocess

    from tests.frontends.puppet.functions.harness import SCRIPT

    ruby = installed()
    assert ruby is not None
    lines = [
        json.dumps(
            {
                "id": number,
                "expression": SETUP + text.replace("FILES", str(FILES)),
                "facts": FACTS,
                "modulepath": [INSTALLED],
            }
        )
        for number, text in enumerate(texts)
    ]
    run = subprocess.run(
        [ruby[0], str(SCRIPT)],
        input="\n".join(lines) + "\n",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    answers = [json.loads(line) for line in run.stdout.split("\n") if line]
    if len(answers) != len(texts):
        raise RuntimeError(f"ended early, at {texts[len(answers)]}: {run.stderr[:1000]}")
    return answers
