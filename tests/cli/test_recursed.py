"""Files that folders take from modules, in the commands that look at a graph."""

from __future__ import annotations

import json
from pathlib import Path

import analyzer
from tests.cli.conftest import Run
from tests.graph.recursed.cases import plant

CODE = (
    "file { '/nowhere/x': ensure => directory, recurse => remote, "
    "source => 'puppet:///modules/m/dir' }"
)


def test_a_catalog_with_and_without_its_modules(run: Run, tmp_path: Path) -> None:
    plant(tmp_path, ["m/files/dir/a"])
    code = f"{CODE}\nnotify {{ 'n': require => File['/nowhere/x'] }}"
    catalog = analyzer.compile(code=code, modulepath=[str(tmp_path)], facts={})
    file = tmp_path / "catalog.json"
    file.write_text(catalog.to_json(), encoding="utf-8")
    assert "/nowhere/x/a" not in file.read_text(encoding="utf-8")
    alone = run("order", file)
    assert "File[/nowhere/x/a]" not in alone.out
    assert "1 folder with recurse (--explain lists them)" in alone.err
    whole = run("order", file, "--modulepath", tmp_path)
    assert whole.out.splitlines()[:3] == ["File[/nowhere/x]", "File[/nowhere/x/a]", "Notify[n]"]
    assert whole.err == ""
    why = run("why", file, "File[/nowhere/x/a]", "Notify[n]", "--modulepath", tmp_path)
    assert "generate  Notify[n] waits for what File[/nowhere/x] generates" in why.out
    impact = run("impact", file, "File[/nowhere/x]", "--modulepath", tmp_path)
    assert "2 resources are skipped if it fails" in impact.out
    graph = run("graph", file, "--format", "json", "--modulepath", tmp_path)
    made = [e for e in json.loads(graph.out)["edges"] if e["auto"] == "generate"]
    assert [(e["source"], e["target"]) for e in made] == [
        ("File[/nowhere/x]", "File[/nowhere/x/a]"),
        ("File[/nowhere/x/a]", "Notify[n]"),
    ]


def test_a_run_brings_the_files_by_itself(run: Run, tmp_path: Path) -> None:
    plant(tmp_path, ["m/files/dir/a"])
    site = tmp_path / "site.pp"
    site.write_text(CODE, encoding="utf-8")
    done = run("apply", site, "--modulepath", tmp_path)
    assert done.out.count("File[/nowhere/x/a]") == 1


def test_odd_names_of_files_do_no_harm(run: Run, tmp_path: Path) -> None:
    plant(tmp_path, ["m/files/dir/a\x1bb", "m/files/dir/c\nd", "m/files/dir/e\u202ef"])
    (tmp_path / "m" / "files" / "dir" / "g\udcff").touch()
    site = tmp_path / "site.pp"
    site.write_text(CODE, encoding="utf-8")
    for command in ("order", "graph", "query", "lint"):
        words = [command, site, *(["generated"] if command == "query" else [])]
        done = run(*words, "--modulepath", tmp_path)
        assert done.code == 0
        assert not {"\x1b", "\u202e"} & {*done.out, *done.err}


def test_a_new_file_is_seen(run: Run, tmp_path: Path) -> None:
    plant(tmp_path, ["modules/m/files/dir/a", "modules/m/manifests/"])
    init = tmp_path / "modules" / "m" / "manifests" / "init.pp"
    init.write_text(f"class m {{ {CODE} }}", encoding="utf-8")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("include m", encoding="utf-8")
    first = run("cycles", tmp_path).out
    assert run("cycles", tmp_path).out == first
    plant(tmp_path, ["modules/m/files/dir/b"])
    assert "(2 resources, 1 relationship)" in first
    assert "(3 resources, 2 relationships)" in run("cycles", tmp_path).out
