"""A lint does for each module what concerns it: no work is repeated for those beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from analyzer import reach
from analyzer.compiles import sources
from analyzer.compiles.changing import ChangingCode
from analyzer.compiles.outcomes import compile_path
from analyzer.compiles.overlay import Overlay
from analyzer.compiles.parts import CodePart
from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.nodes import names_for
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.subjects import Compiled
from analyzer.session.lint.catalogs import compile_inputs
from analyzer.session.lint.read import read
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import lint_inputs

from .test_vendored import write

LEFT = "class {0} {{\n  package {{ '{0}': }}\n  service {{ '{0}': }}\n{1}}}\n"
ARROW = "  Service['one'] <- Package['one']\n"


def modules(folder: Path, *names: str) -> str:
    """A folder of modules with a class each; that of `one` has an arrow that can be reversed."""
    texts = {name: LEFT.format(name, ARROW if name == "one" else "") for name in names}
    write(folder, {f"modules/{name}/manifests/init.pp": text for name, text in texts.items()})
    write(folder, {f"modules/{name}/metadata.json": "{}" for name in names})
    return str(folder / "modules")


def lint_of(path: str, settings: Settings) -> object:
    """The runs of a lint."""
    return compile_inputs(read(Request((path,), settings_for=lambda path: settings))).runs


def test_a_fix_is_tried_on_the_programs_that_it_concerns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = modules(tmp_path, "one", "two", "three")
    compiled: list[str] = []
    known = ChangingCode.known

    def noted(code: ChangingCode, overlay: Overlay) -> DefinitionTable:
        compiled.append(Path(code.part.path).name)
        return known(code, overlay)

    monkeypatch.setattr(ChangingCode, "known", noted)
    (finding,) = lint_inputs(Request((path,))).results.findings
    assert [fix.what for fix in finding.fixes] == ["reverse the arrow"]
    assert sorted(compiled) == ["one", "one", "three", "two"]


def test_what_may_be_read_beside_modules_is_found_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looked(*names: str) -> int:
        paths: list[str] = []
        checkout = reach.checkout

        def noted(path: str) -> str:
            paths.append(path)
            return checkout(path)

        with monkeypatch.context() as patch:
            patch.setattr(reach, "checkout", noted)
            _ = compile_inputs(read(Request((modules(tmp_path / str(len(names)), *names),)))).runs
        return len(paths)

    names = ["one", *(f"m{number}" for number in range(7))]
    assert looked(*names) <= 2.3 * looked(*names[:4])


@pytest.mark.parametrize("look", [compile_path, lint_of])
def test_the_nodes_without_a_name_are_looked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look: Callable[[str, Settings], object]
) -> None:
    def calls(count: int) -> int:
        found: list[object] = []

        def noted(blocks: Sequence[Definition]) -> dict[str, Definition]:
            found.append(blocks)
            return names_for(blocks)

        names = (f"node 'n{number}' {{ }}\n" for number in range(count))
        path = tmp_path / f"{count}.pp"
        path.write_text("".join(["node /^m(?!m)z$/ { }\n", *names]))
        with monkeypatch.context() as patch:
            patch.setattr(sources, "names_for", noted)
            look(str(path), Settings())
        return len(found)

    assert calls(6) == calls(3)


def test_a_module_without_classes_is_not_compiled_as_the_site_around_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "environment.conf": "",
            "manifests/site.pp": "",
            "modules/role/manifests/web.pp": "class role::web { fail('no data here') }\n",
            "modules/part/metadata.json": "{}",
            "modules/part/manifests/init.pp": "define part { package { 'x': } }\n",
        },
    )
    results = lint_inputs(Request((str(tmp_path / "modules" / "part"),))).results
    assert results.findings == ()
    assert "modules/part: no class to compile" in results.summary
    assert "no findings in 1 manifest and 1 more of classes that no node has" in results.summary
    (found,) = lint_inputs(Request((str(tmp_path),))).results.findings
    assert found.code == "CG200"


COLLECTS = "node 'a' { @@notify { 'x': } }\nnode 'b' { Notify <<| |>> }\nnode 'c' { }\n"


def site(folder: Path, text: str) -> Program:
    """A site of nodes."""
    path = folder / "site.pp"
    path.write_text(text)
    return Program(CodePart(str(path), Settings()), lambda catalog: None)


def catalogs(program: Program, *nodes: str) -> dict[str, Compiled]:
    """The catalogs of nodes, of all if none are named, by the last word of their names."""
    wanted = [f"{program.path} ({node})" for node in nodes] or None
    runs = program.compiled(Overlay(), wanted)
    return {run.name[-2]: run for run in runs if isinstance(run, Compiled)}


def test_only_nodes_that_are_wanted_are_compiled(tmp_path: Path) -> None:
    program = site(tmp_path, "node 'a', 'b' { notify { $trusted['certname']: } }\n")
    assert list(catalogs(program, "b")) == ["b"]
    assert program.names_in(Overlay()) == [f"{program.path} ({node})" for node in "ab"]


def test_a_node_that_is_wanted_has_what_others_export(tmp_path: Path) -> None:
    program = site(tmp_path, COLLECTS)
    alone, together = catalogs(program, "b")["b"], catalogs(program)["b"]
    assert all(one.resource("Notify[x]") is not None for one in (alone, together))
    assert list(alone.gaps) == list(together.gaps)


def test_the_files_of_a_catalog_are_those_of_its_node(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "environment.conf": "",
            "manifests/site.pp": "node 'a' { include one }\nnode 'b' { include two }\n",
            "modules/one/manifests/init.pp": "class one { }\n",
            "modules/two/manifests/init.pp": "class two { }\n",
        },
    )
    found = catalogs(Program(CodePart(str(tmp_path), Settings()), lambda catalog: None))
    used = {node: {Path(file).parts[-3] for file in run.files} for node, run in found.items()}
    assert {node: names & {"one", "two"} for node, names in used.items()} == {
        "a": {"one"},
        "b": {"two"},
    }
