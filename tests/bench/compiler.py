"""The compiler against Puppet's: many resources, and a long reduction."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.known import Known

from .measure import ENVIRONMENT, HERE, Row, cpu, ruby, take_turns

RESOURCES = """Integer[1, 20000].each |$i| {
  $opts = { 'message' => "number ${i} of ${$i % 7}", 'tag' => ["t${$i % 7}", 'all'] }
  notify { "n${i}": message => $opts['message'], tag => $opts['tag'] }
}
"""
REDUCTION = "$x = Integer[1, 300000].reduce |$sum, $i| { $sum + $i * 2 - $i }\n"


def puppets_compiler(path: Path) -> float:
    """CPU milliseconds of Puppet's compiler for a manifest, in a process of its own."""
    run = subprocess.run(
        [ruby(), str(HERE / "compile.rb")],
        input=f"{path}\n",
        env=ENVIRONMENT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return float(json.loads(run.stdout)[0]) * 1000


def compiling() -> Iterator[Row]:
    """Parse and compile a manifest, as Puppet's compiler does, both in a warm process."""
    for name, code in (("20,000 resources", RESOURCES), ("300,000 steps of reduce", REDUCTION)):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "site.pp"
            path.write_text(code)

            def our_side(code: str = code) -> object:
                known = Known()
                known.add_program(code, "site.pp")
                return Compiler(known, "node.example.com", {}).compile()

            def their_side(path: Path = path) -> float:
                return puppets_compiler(path)

            mine, theirs = take_turns(3, cpu(our_side), their_side)
        yield Row(f"compile {name}", mine, "Puppet's compiler", theirs, 0.04)


ROWS = (compiling,)
