"""Fixes are tested together: how many compiles that takes, and what comes of those that fail."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import log2
from pathlib import Path
from typing import Any

import pytest

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.verify import edited
from analyzer.session.lint.catalogs import CompiledInputs, compile_inputs, with_graphs
from analyzer.session.lint.check import LintCheck, check_inputs
from analyzer.session.lint.fixes import Fixed, fix_all
from analyzer.session.lint.read import read
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import fix
from tests.amount import examples

pytestmark = pytest.mark.usefixtures("one_world")

# A file that should come after the package, and a class that should be contained, but must not.
GOOD = "package {{ 'p{0}': }}\nfile {{ '/etc/p{0}.conf': ensure => file }}\n"
BAD = """class b{0} {{
  include b{0}::i
}}
class b{0}::i {{
  package {{ 'b{0}': require => Service['b{0}'] }}
}}
include b{0}
service {{ 'b{0}': require => Class['b{0}'] }}
"""
DOUBTFUL = """class d{0}($manage = true) {{
  if $manage {{
    package {{ 'd{0}': }}
  }}
  file {{ '/etc/d{0}.conf': ensure => file }}
}}
include d{0}
"""


class Compiles(list[Any]):
    """The compiles that were made."""


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> Compiles:
    """Count the compiles of programs."""
    found, compiled = Compiles(), Program.compiled

    def counted(self: Program, *given: Any) -> Any:
        found.append(given)
        return compiled(self, *given)

    monkeypatch.setattr(Program, "compiled", counted)
    return found


def request(path: Path) -> Request:
    return Request((str(path),), settings_for=lambda path: Settings())


def fixed(folder: Path, *parts: str, unsafe: bool = False) -> Fixed:
    """The fixes of a manifest."""
    path = folder / "site.pp"
    path.write_text("".join(parts))
    return fix_all(request(path), unsafe=unsafe)


def many(text: str, count: int) -> str:
    return "".join(map(text.format, range(count)))


@pytest.mark.parametrize("count", [1, 2, 30, 120])
def test_fixes_that_work_take_one_compile(tmp_path: Path, compiles: Compiles, count: int) -> None:
    found = fixed(tmp_path, many(GOOD, count))
    assert len(found.findings) == count
    assert found.rest.found == []
    assert len(compiles) == 2


@pytest.mark.parametrize("bad", [1, 3])
def test_fixes_that_fail_are_found_by_halves(tmp_path: Path, compiles: Compiles, bad: int) -> None:
    count = 60
    parts = [GOOD.format(n) for n in range(count)]
    for n in range(bad):
        parts.insert(20 * n + 7, BAD.format(n))
    found = fixed(tmp_path, *parts)
    assert len(found.findings) == count
    assert [one.finding.code for one in found.rest.found] == ["CG108"] * bad
    # Beside the two, for each that fails: halves, and once alone.
    assert len(compiles) <= 2 + bad * (2 * log2(count + bad) + 2)


@pytest.mark.slow
def test_unsafe_fixes_are_counted_with_one_compile(tmp_path: Path, compiles: Compiles) -> None:
    found = fixed(tmp_path, many(GOOD, 20), many(DOUBTFUL, 30))
    assert (len(found.findings), found.held) == (20, 30)
    assert len(compiles) == 3
    doubts = {way.doubt for one in fix(found.rest).results.findings for way in one.fixes}
    assert {f"Package[d{n}] is declared only if $manage" for n in range(30)} <= doubts


def test_unsafe_fixes_that_are_wanted_are_tested_together(
    tmp_path: Path, compiles: Compiles
) -> None:
    found = fixed(tmp_path, many(DOUBTFUL, 30), unsafe=True)
    assert len(found.findings) == 30
    assert all(fix.doubt for one in found.findings for fix in one.fixes)
    assert len(compiles) == 2


def test_of_two_fixes_that_make_a_cycle_together_one_is_written(tmp_path: Path) -> None:
    parts = [BAD.format(n).replace(f"Service['b{n}']", f"Service['b{1 - n}']", 1) for n in (0, 1)]
    found = fixed(tmp_path, *parts)
    assert [one.code for one in found.findings] == ["CG108"]
    assert [one.finding.code for one in found.rest.found] == ["CG108"]
    assert [run.graph.has_cycle for run in catalogs_of(found.rest.compiled)] == [False]


def test_a_fix_that_another_one_implies_is_not_written(tmp_path: Path) -> None:
    """The service comes after the file, and so after the package once the file does."""
    text = "service { 'p0': require => File['/etc/p0.conf'] }\n"
    found = fixed(tmp_path, GOOD.format(0), text)
    assert [fix.what for one in found.findings for fix in one.fixes] == [
        "add `require => Package['p0']` to File[/etc/p0.conf]"
    ]
    assert found.rest.found == []


def test_fixes_on_one_line_are_written_one_after_the_other(tmp_path: Path) -> None:
    arrow = "Service['s{0}'] <- Package['p{0}'] "
    found = fixed(
        tmp_path, many("package {{ 'p{0}': }} service {{ 's{0}': }}\n", 3), many(arrow, 3)
    )
    assert len(found.findings) == 3
    assert [len(one.findings) for one in found.fixings] == [1, 1, 1]
    assert found.rest.found == []


def test_a_module_is_compiled_again_only_where_it_changed(
    tmp_path: Path, compiles: Compiles
) -> None:
    for n in range(4):
        text = f"class m{n} {{\n{GOOD.format(n)}}}\n" if n else "class m0 { notify { 'x': } }\n"
        path = tmp_path / "modules" / f"m{n}" / "manifests" / "init.pp"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        (path.parent.parent / "metadata.json").write_text("{}")
    found = fix_all(request(tmp_path / "modules"))
    assert len(found.findings) == 3
    assert found.rest.found == []
    # All of them once, then those with fixes; the first has none and is asked, but not compiled.
    wanted = [only for _, only in compiles if only is not None]
    assert {name for only in wanted for name in only} == {"class m1", "class m2", "class m3"}
    assert len(compiles) - len(wanted) == 4


PIECES = (GOOD, BAD, DOUBTFUL, "File['/etc/p{0}.conf'] -> Package['p{0}']\n",
          "Service['s{0}'] <- Package['p{0}']\nservice {{ 's{0}': }}\n",
          "service {{ 'p{0}': require => File['/etc/p{0}.conf'] }}\n")  # fmt: skip


@pytest.mark.parametrize("seed", range(examples(10)))
def test_fixes_together_do_as_fixes_one_by_one(tmp_path: Path, seed: int) -> None:
    """No fix is left, nothing breaks, and no finding stays that single fixes would remove."""
    chance = random.Random(seed)
    parts = [GOOD.format(n) for n in range(6)]
    for n in chance.sample(range(6), 4):
        parts.append(chance.choice(PIECES[1:]).format(n))
    pairs = [chance.sample(range(6), 2) for _ in range(3)]
    parts += [f"File['/etc/p{a}.conf'] -> Package['p{b}']\n" for a, b in pairs]
    chance.shuffle(parts)
    found = fixed(tmp_path, *parts)
    before = catalogs_of(compile_inputs(read(request(tmp_path / "site.pp"))))
    was = [run.graph.has_cycle for run in before]
    assert [run.graph.has_cycle for run in catalogs_of(found.rest.compiled)] == was
    assert safe_fixes(found.rest) == []
    single = one_by_one(tmp_path / "site.pp")
    assert len(found.rest.found) <= len(single.found)


def catalogs_of(compiled: CompiledInputs) -> list[Compiled]:
    return with_graphs(compiled, compiled.catalogs)


def safe_fixes(lint: LintCheck) -> Sequence[str]:
    results = fix(lint).results.findings
    return [way.what for one in results for way in one.fixes if not way.unsafe]


def one_by_one(path: Path) -> LintCheck:
    """A look after the first safe fix was written, again and again."""
    while True:
        lint = check_inputs(request(path))
        findings = fix(lint).results.findings
        fixes = [way for one in findings for way in one.fixes if not way.unsafe]
        if not fixes:
            return lint
        changed = edited(fixes[0].edits, {str(path): path.read_text()})
        path.write_text(changed[str(path)])
