"""Folders whose files are not known without the machine: nothing is invented, and it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

import analyzer
from analyzer.apply import served
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.completeness import statement

FOLDER = "file { '/nowhere/x': ensure => directory, recurse => remote, %s }"
DIR = "source => 'puppet:///modules/m/dir'"


def graph_of(tmp_path: Path, parameters: str, *more: str) -> RelationshipGraph:
    code = "\n".join([FOLDER % parameters, *more])
    catalog = analyzer.compile(code=code, modulepath=[str(tmp_path)], facts={})
    return analyzer.relate(catalog)


def said(graph: RelationshipGraph) -> list[str]:
    return [gap.reason for gap in graph.gaps if gap.kind == "folder"]


def files(graph: RelationshipGraph) -> list[str]:
    return [str(one) for one in graph.resources if one.generator is not None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "m" / "files" / "dir"
    found.mkdir(parents=True)
    return found


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("/srv/dir", "the machine has its source: /srv/dir"),
        ("file:///srv/dir", "the machine has its source: file:///srv/dir"),
        ("puppet:///modules/n/dir", "its module is not in the modulepath: puppet:///modules/n/dir"),
        ("puppet://server/modules/m/dir", "Could not retrieve file metadata for puppet://server/"),
        ("puppet:///modules/../m/dir", "its module is not in the modulepath"),
        ("puppet:///files/dir", "Could not retrieve file metadata for puppet:///files/dir"),
    ],
)
def test_sources_elsewhere(folder: Path, tmp_path: Path, source: str, reason: str) -> None:
    (folder / "a").touch()
    graph = graph_of(tmp_path, f"source => '{source}'")
    assert files(graph) == []
    assert [text.startswith(reason) for text in said(graph)] == [True]
    assert graph.is_complete


def test_what_is_unknown(folder: Path, tmp_path: Path) -> None:
    (folder / "a").touch()
    for known in ("remote", "'puppet:///modules/m/dir'"):
        code = (FOLDER % DIR).replace(known, "$facts['x']")
        graph = analyzer.relate(analyzer.compile(code=code, modulepath=[str(tmp_path)]))
        assert (files(graph), len(said(graph))) == ([], 1)
    owned = f"{FOLDER % DIR} File {{ owner => $facts['x'] }}"
    graph = analyzer.relate(analyzer.compile(code=owned, modulepath=[str(tmp_path)]))
    assert (files(graph), said(graph)) == (["File[/nowhere/x/a]"], [])


def test_one_line_for_all_of_them(folder: Path, tmp_path: Path) -> None:
    more = [(FOLDER % "source => '/srv/y'").replace("/x", f"/{n}") for n in range(5)]
    graph = graph_of(tmp_path, "source => '/srv/x'", *more)
    assert statement(graph.gaps) == [
        "unknown, but hides no relationship: 6 folders with recurse (--explain lists them)"
    ]


def test_too_many_files(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "MOST_FILES", 3)
    for n in range(3):
        (folder / str(n)).touch()
    graph = graph_of(tmp_path, DIR)
    assert (len(files(graph)), said(graph)) == (3, [])
    (folder / "more").touch()
    graph = graph_of(tmp_path, DIR)
    assert (files(graph), said(graph)) == ([], ["its source holds more than 3 files"])


def test_too_many_in_all(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "MOST_IN_ALL", 3)
    (folder / "a").touch()
    (folder / "b").touch()
    graph = graph_of(tmp_path, DIR, (FOLDER % DIR).replace("/x", "/y"))
    assert files(graph) == ["File[/nowhere/x/a]", "File[/nowhere/x/b]"]
    assert said(graph) == ["its source holds more than 1 files"]


def test_links_out_of_the_module(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "secret").touch()
    (folder / "link").symlink_to(outside)
    assert files(graph_of(tmp_path, DIR)) == ["File[/nowhere/x/link]"]
    graph = graph_of(tmp_path, f"links => follow, {DIR}")
    assert files(graph) == []
    assert said(graph) == ["its source has a link that leads out of what may be read"]
    (folder / "link").unlink()
    folder.rmdir()
    folder.symlink_to(outside)
    assert files(graph_of(tmp_path, f"links => follow, {DIR}")) == []


@pytest.mark.slow
def test_links_in_a_circle_end(folder: Path, tmp_path: Path) -> None:
    (folder / "again").symlink_to(folder)
    (folder / "too").symlink_to(folder)
    graph = graph_of(tmp_path, f"links => follow, {DIR}")
    assert files(graph) == []
    assert said(graph) == ["its source holds more than 1,000 files"]


def test_diff_shows_a_file_that_came(folder: Path, tmp_path: Path) -> None:
    (folder / "a").touch()
    first = graph_of(tmp_path, DIR)
    (folder / "b").touch()
    found = first.diff(graph_of(tmp_path, DIR))
    assert [str(ref) for ref, _ in found.gained.resources] == ["File[/nowhere/x/b]"]
