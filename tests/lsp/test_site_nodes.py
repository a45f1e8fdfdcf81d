"""A manifest of many nodes: those nearest to where you look are compiled first, up to a limit."""

from dataclasses import replace
from pathlib import Path

import pytest

from analyzer.diagnostics import Finding
from analyzer.lsp.checks import publishing as publishing_module
from analyzer.lsp.checks import site_nodes
from analyzer.lsp.checks.compiling import Interrupted, compile_job
from analyzer.lsp.checks.publishing import Publishing
from analyzer.lsp.checks.reach import CompiledPart, Job, job_for
from analyzer.lsp.state.document import OpenDocument
from analyzer.lsp.state.paths import uri_of
from analyzer.lsp.state.workspace import Workspace
from analyzer.source import Span

NODE = """\
node 'n{0}' {{
  notify {{ 'a{0}': require => Notify['b{0}'] }}
  notify {{ 'b{0}': require => Notify['a{0}'] }}
}}
"""


def site(root: Path, count: int) -> tuple[Workspace, Job]:
    """Return a workspace with a manifest of nodes, each with a cycle, and the job for it."""
    (root / "environment.conf").write_text("")
    file = root / "manifests" / "site.pp"
    file.parent.mkdir()
    file.write_text("".join(NODE.format(number) for number in range(count)))
    files = Workspace((str(root),))
    files.put(OpenDocument(str(file), uri_of(str(file)), 1, file.read_text()))
    job = job_for(files.snapshot, str(file))
    assert job is not None
    return files, job


def lines(findings: list[Finding]) -> list[int]:
    return sorted(one.span.line for one in findings if one.code == "CG301" and one.span)


def test_few_nodes_are_compiled_together(tmp_path: Path) -> None:
    _, job = site(tmp_path, 8)
    found = compile_job(job)
    assert (len(lines(found.findings)), len(found.pictures)) == (8, 8)
    assert found.part == CompiledPart()


def test_the_nearest_of_many_nodes_come_first(tmp_path: Path) -> None:
    _, job = site(tmp_path, 20)
    found = compile_job(replace(job, line=41))
    assert found.part == CompiledPart(("n10", "n9", "n11", "n8", "n12", "n7", "n13", "n6"), 20)
    assert lines(found.findings) == [4 * number + 2 for number in range(6, 14)]
    further = compile_job(replace(job, line=41, done=found.part.nodes))
    assert further.part.nodes == ("n14", "n5", "n15", "n4", "n16", "n3", "n17", "n2")
    assert lines(further.findings) == [4 * n + 2 for n in (2, 3, 4, 5, 14, 15, 16, 17)]


def test_further_nodes_give_way(tmp_path: Path) -> None:
    _, job = site(tmp_path, 20)
    with pytest.raises(Interrupted):
        compile_job(replace(job, done=("n0",)), lambda: True)


def test_nodes_are_compiled_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found before stays until its node is compiled again, and the limit is logged."""
    for module in (site_nodes, publishing_module):
        monkeypatch.setattr(module, "MOST_OF_MANIFEST", 12)
    files, job = site(tmp_path, 20)
    log: list[str] = []
    made = Publishing(files, lambda *_: None, log.append, lambda: None, lambda _: None)
    submitted: list[Job] = []
    monkeypatch.setattr(made.worker, "submit", submitted.append)
    name = f"{job.path} (n{{}})"
    text = job.overlay[job.path]
    old = [Finding("CG301", "error", "old", Span(job.path, 4 * n + 2, 1), input=name.format(n))
           for n in (0, 9, 19)]  # fmt: skip
    made.compiled[job.path] = text, old
    made.answered(job, *compile_job(job), "")
    shown = [one.message.partition("\n")[0] for one in made.now(job.path)]
    assert (len(shown), shown.count("old")) == (10, 2)
    made.answered(submitted[-1], *compile_job(submitted[-1]), "")
    assert len(made.now(job.path)) == 12
    assert [one.done[-1] for one in submitted[:1]] == ["n7"]
    assert submitted[-1].worlds
    assert log == [
        f"{job.path}: 12 of its 20 nodes are compiled here, those nearest to where you edit;"
        " `catgraph lint` compiles all"
    ]
    assert len(files.snapshot.pictures[job.path]) == 12


def test_an_edit_and_a_question_are_where_you_look(tmp_path: Path) -> None:
    files, job = site(tmp_path, 2)
    files.edit(job.path, 2, [(((3, 0), (3, 0)), "\n")])
    assert files.lines == {job.path: 4}
