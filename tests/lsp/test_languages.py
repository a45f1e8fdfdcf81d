"""Answers in other languages than Puppet's: a folder for each module below `languages`."""

from pathlib import Path

import pytest

from analyzer.lsp.checks.compiling import compile_job
from analyzer.lsp.checks.reach import job_for
from analyzer.lsp.checks.tracing import trace_job
from analyzer.lsp.languages.policy_place import place_at
from analyzer.lsp.languages.table import ROWS, MethodRow
from analyzer.lsp.state.snapshot import EditorRequest, never
from tests.lsp.marked import case_of, shown, snapshot_of

HERE = Path(__file__).parent / "languages"
CASES = [(row, file) for row in ROWS for file in sorted((HERE / row.module).glob("*.txt"))]


@pytest.mark.parametrize(("row", "file"), CASES, ids=lambda one: getattr(one, "stem", ""))
def test_case(row: MethodRow, file: Path, tmp_path: Path, update: bool) -> None:
    root, case = tmp_path.resolve(), case_of(file)
    snapshot = snapshot_of(case.files, root)
    path = str(root / case.path)
    if "run" in case.params:
        job = job_for(snapshot, path)
        assert job is not None
        snapshot.pictures[path] = (*compile_job(job)[1],)  # type: ignore[index]
    if "traced" in case.params:
        job = job_for(snapshot, path)
        assert job is not None
        part = trace_job(job, never)
        snapshot.traced[path] = part.traced, part.of  # type: ignore[index]
    text, facts = snapshot.text(path), snapshot.facts(path)
    found = shown(
        row.answer(snapshot, EditorRequest(path, text, facts, case.start, case.end, None)), root
    )
    if case.params.get("first"):
        found = "\n".join(found.split(" label=")[: int(case.params["first"]) + 1])
    if update:
        file.write_text(f"{case.head}\n----\n{found}\n")
    assert f"{found}\n" == case.expected or update


def test_every_row_has_cases() -> None:
    assert {row.module for row in ROWS} == {row.module for row, _ in CASES}


@pytest.mark.parametrize(
    ("text", "expects"),
    [
        ("", "block"),
        ("bun", "block"),
        ("bundle ag", "block type"),
        ("bundle agent x { fi", "promise"),
        ("bundle agent x { files: linux:: ", "promise"),
        ('bundle agent x { files: "a" cre', "attribute"),
        ('bundle agent x { files: "a" -> { "b", "c" } cre', "attribute"),
        ('bundle agent x { files: "a" create => "true", pe', "attribute"),
        ('bundle agent x { files: "a" perms => mo', "value"),
        ('bundle agent x { files: "a" perms => mog("', "text"),
        ('bundle agent x { files: "a" perms => mog(f("b"), ', "nested"),
        ('bundle agent x { files: "a" perms => mog("b"), cr', "attribute"),
        ('bundle agent x { files: "a" create => "true"; } bo', "block"),
        ("body perms m(a) { ", "body attribute"),
        ('body perms m(a) { owners => { "a" }; ', "body attribute"),
        ("body perms m(a) { rxdirs => ", "body value"),
    ],
)
def test_place(text: str, expects: str) -> None:
    assert place_at(text, len(text)).expects == expects
