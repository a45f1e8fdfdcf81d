"""A compile that nobody listens to pays less than 3 % for `explore`, counted in Python calls."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.arms import arms

# As many choices and as many definitions as code can have; and each is entered often.
CHOOSING = """function either($i) { if $i % 2 == 0 { 'a' } else { 'b' } }
define small($i) {
  $mode = either($i) ? { 'a' => '0644', default => '0600' }
  if $i > 3 and $i < 90 or $facts['os'] == 'x' { notify { "${title} ${mode}": } }
  unless $i == 7 { case $mode { '0644': { include one } default: { include two } } }
}
class one { }
class two($x = either(1)) { }
"""
INSTANCES = 'Integer[1, 300].each |$i| { small { "n${i}": i => $i } }\n'


def calls_of(work: Callable[[], object]) -> Counter[CodeType]:
    """Return how often each function of Python is called in the work."""
    calls: Counter[CodeType] = Counter()

    def hear(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            calls[frame.f_code] += 1

    sys.setprofile(hear)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def test_a_compile_with_all_facts_pays_less_than_three_percent() -> None:
    known = DefinitionTable()
    known.add_program(CHOOSING + INSTANCES, "site.pp")
    inputs = CompileInputs("node.example.com", {"os": "y"}, strict_variables=False)
    calls = calls_of(lambda: Compiler(known, inputs).compile())
    listening = calls[Definition.enter.__code__] + calls[arms.__code__]
    assert listening >= 300, "the places that `explore` listens to were not counted"
    assert listening < 0.03 * calls.total()
