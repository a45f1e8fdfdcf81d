"""Which documents are compiled when one is saved, and which findings of worlds are shown."""

from pathlib import Path

import pytest
from lsprotocol import types

from analyzer.diagnostics import Finding, Step
from analyzer.lsp.checks.publishing import Publishing
from analyzer.lsp.checks.reach import CompiledPart, Job
from analyzer.lsp.state.document import OpenDocument
from analyzer.lsp.state.paths import uri_of
from analyzer.lsp.state.traced import TracedNode
from analyzer.lsp.state.workspace import Workspace
from analyzer.source import Span


def publishing(root: Path, *names: str) -> tuple[Publishing, list[list[types.Diagnostic]]]:
    files, sent = Workspace((str(root),)), list[list[types.Diagnostic]]()
    for name in names:
        path = str(root / name)
        Path(path).write_text("class a {\n}\n")
        files.put(OpenDocument(path, uri_of(path), 1, "class a {\n}\n"))
    made = Publishing(
        files,
        lambda uri, version, found: sent.append(found),
        lambda text: None,
        lambda: None,
        lambda text: None,
    )
    return made, sent


def finding(path: str, line: int, message: str, *others: str) -> Finding:
    steps = tuple(Step("", Span(one, 1, 1)) for one in others)
    return Finding("CG301", "error", message, Span(path, line, 1), steps)


def test_a_file_is_saved_for_those_whose_findings_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = publishing(tmp_path, "a.pp", "b.pp", "c.pp")
    a, b, c = (str(tmp_path / name) for name in ("a.pp", "b.pp", "c.pp"))
    made.compiled = {a: ("", [finding(a, 1, "x", b)]), c: ("", [finding(c, 1, "x", c)])}
    compiled: list[str] = []
    monkeypatch.setattr(made, "compile_now", compiled.append)
    made.saved(b)
    assert compiled == [a, b]


def test_what_worlds_add_to_the_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, sent = publishing(tmp_path, "a.pp")
    path = str(tmp_path / "a.pp")
    submitted: list[Job] = []
    monkeypatch.setattr(made.worker, "submit", submitted.append)
    job = Job(path, (), False, {path: "class a {\n}\n"})
    made.answered(job, [finding(path, 1, "certain")], [], CompiledPart(), "")
    assert [(one.worlds, one.traced) for one in submitted] == [(True, False)]
    worlds = [finding(path, line, text) for line, text in ((1, "again"), (2, "if"), (2, "if"))]
    made.answered(submitted[0], worlds, [], CompiledPart(), "")
    assert [one.message for one in sent[-1]] == ["certain", "if"]
    made.files.set_options({"worlds": False})
    made.answered(job, [], [], CompiledPart(), "")
    assert [(one.worlds, one.traced) for one in submitted[1:]] == [(False, True)] * 2
    assert [one.message for one in sent[-1]] == ["again", "if"]


def test_what_data_reach_is_known_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, _ = publishing(tmp_path, "a.yaml")
    path = str(tmp_path / "a.yaml")
    submitted: list[Job] = []
    monkeypatch.setattr(made.worker, "submit", submitted.append)
    job = Job(path, (), False, {path: "class a {\n}\n"}, folder=str(tmp_path), traced=True)
    made.answered(
        job, [], [], CompiledPart(("a", "b"), 3, (TracedNode("node a"), TracedNode("node b"))), ""
    )
    assert [(one.done, one.is_idle) for one in submitted] == [(("a", "b"), True)]
    made.answered(submitted[0], [], [], CompiledPart(("c",), 3, (TracedNode("node c"),)), "")
    assert len(submitted) == 1
    traced, total = made.files.snapshot.traced[path]
    assert ([one.name for one in traced], total) == (["node a", "node b", "node c"], 3)
    made.files.close(path)
    assert path not in made.files.snapshot.traced
