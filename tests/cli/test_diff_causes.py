"""`catgraph diff` names the changed lines behind each difference."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Run

FILES = {
    "manifests/site.pp": """\
node 'web1' { include app }
node 'db1' { include app::db }
""",
    "modules/app/manifests/init.pp": """\
class app (String $mode = '0644', String $owner = 'root') {
  file { '/a':
    mode  => $mode,
    owner => $owner,
  }
  file { '/b':
    content => "${mode} ${owner}",
  }
  if $facts['os']['family'] == 'Debian' {
    package { 'p': ensure => installed }
  }
  service { 's': require => File['/a'] }
}
""",
    "modules/app/manifests/db.pp": """\
class app::db {
  # One.
  notify { 'one': }
  # Two.
  notify { 'two':
    message => 'second',
  }
  # Three.
  notify { 'three': }
}
""",
    "hiera.yaml": """\
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: common, path: common.yaml }
""",
    "environment.conf": "modulepath = modules\n",
    "data/common.yaml": "other: 1\napp::owner: daemon\n",
}
INIT, DB, DATA = "modules/app/manifests/init.pp", "modules/app/manifests/db.pp", "data/common.yaml"
Edit = Callable[..., None]


@pytest.fixture
def edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Edit:
    """Replace texts in a file of the second of two equal control repos."""
    for name, text in FILES.items():
        path = tmp_path / "old" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    monkeypatch.chdir(tmp_path)

    def replace(name: str, *pairs: tuple[str, str]) -> None:
        path = tmp_path / "new" / name
        text = path.read_text()
        for before, after in pairs:
            assert before in text
            text = text.replace(before, after, 1)
        path.write_text(text)

    return replace


def causes(run: Run, *words: str) -> dict[str, list[str]]:
    """Return the differences of both nodes by the places that are behind them."""
    out = run("diff", "old", "new", "--facts", "@debian-12", "--format", "json", *words).out
    found: dict[str, list[str]] = {}
    for node in json.loads(out):
        for cause in node["causes"]:
            places = [one["new"] or one["old"] for one in cause["lines"]]
            key = " + ".join(f"{one['file']}:{one['line']}" for one in places)
            for change in cause["changes"]:
                if change["kind"] not in ("order", "position", "relationship"):
                    words_of = filter(None, [change["kind"], *change["refs"], change["parameter"]])
                    found.setdefault(key, []).append(" ".join(words_of))
    return found


def test_each_line_has_the_differences_that_it_causes(run: Run, edit: Edit) -> None:
    edit(INIT, ("class app", "# A comment.\nclass app"), ("'0644'", "'0600'"))
    edit(INIT, ("installed", "latest"), ("{ 's': ", "{ 's': enable => true, "))
    edit(DATA, ("other: 1", "other: 2"))
    found = causes(run)
    assert found == {
        f"new/{INIT}:2": [
            "parameter Class[App] mode",
            "parameter File[/a] mode",
            "parameter File[/b] content",
        ],
        f"new/{INIT}:11": ["parameter Package[p] ensure"],
        f"new/{INIT}:13": ["parameter Service[s] enable"],
    }


def test_data_and_conditions(run: Run, edit: Edit) -> None:
    edit(DATA, ("daemon", "nobody"))
    edit(INIT, ("'Debian'", "'RedHat'"))
    found = causes(run)
    assert found[f"new/{DATA}:2"] == [
        "parameter Class[App] owner",
        "parameter File[/a] owner",
        "parameter File[/b] content",
    ]
    assert found[f"new/{INIT}:9"] == ["removed Package[p]"]


def test_lines_that_only_together_make_a_value(run: Run, edit: Edit) -> None:
    edit(INIT, ("'0644'", "'0600'"))
    edit(DATA, ("daemon", "nobody"))
    found = causes(run)
    assert found[f"new/{DATA}:2 + new/{INIT}:1"] == ["parameter File[/b] content"]


def test_removed_lines_and_added_ones(run: Run, edit: Edit) -> None:
    edit(DB, ("  notify { 'one': }\n", ""), ("{ 'three': }", "{ 'three': }\n  notify { 'four': }"))
    edit(DB, ("    message => 'second',\n", ""))
    assert causes(run) == {
        f"old/{DB}:3": ["removed Notify[one]"],
        f"old/{DB}:6": ["parameter Notify[two] message"],
        f"new/{DB}:8": ["added Notify[four]"],
    }


def test_a_line_of_a_file_that_moved(run: Run, edit: Edit, tmp_path: Path) -> None:
    (tmp_path / "new/modules/app").rename(tmp_path / "new/modules/moved")
    shutil.copytree(tmp_path / "new/modules/moved", tmp_path / "new/site/app")
    shutil.rmtree(tmp_path / "new/modules/moved")
    edit("environment.conf", ("modules", "site"))
    edit("site/app/manifests/db.pp", ("second", "2nd"))
    assert causes(run) == {
        "new/site/app/manifests/db.pp:6": ["parameter Notify[two] message"],
    }


def test_a_line_of_a_block_that_moved(run: Run, edit: Edit) -> None:
    block = "  # Two.\n  notify { 'two':\n    message => 'second',\n  }\n"
    edit(DB, (block, ""), ("class app::db {\n", "class app::db {\n" + block.replace("sec", "2")))
    assert causes(run) == {f"new/{DB}:4": ["parameter Notify[two] message"]}


def test_a_module_in_another_version(run: Run, edit: Edit, tmp_path: Path) -> None:
    for side, version in (("old", "1.0.0"), ("new", "2.0.0")):
        meta = json.dumps({"name": "x-app", "version": version})
        (tmp_path / side / "modules/app/metadata.json").write_text(meta)
    edit(INIT, ("'0644'", "'0600'"))
    edit(DB, ("second", "2nd"))
    out = run("diff", "old", "new", "--facts", "@debian-12").out
    rows = out.partition("caused by\n")[2].split("\n")
    assert "module app 1.0.0 -> 2.0.0" in rows[0]
    assert [row for row in rows if row.startswith("  new/")] == rows[:1]


def test_a_node_and_a_level_of_data(run: Run, edit: Edit, tmp_path: Path) -> None:
    edit("manifests/site.pp", ("node 'db1'", "node 'db2'"))
    (tmp_path / "new/data/more.yaml").write_text("app::owner: www-data\n")
    edit("hiera.yaml", ("  - { name", "  - { name: more, path: more.yaml }\n  - { name"))
    found = causes(run)
    assert found["new/manifests/site.pp:2"] == ["node db1", "node db2"]
    # Without either of them the value is what it was.
    (place,) = (key for key, rows in found.items() if "parameter File[/a] owner" in rows)
    assert place in ("new/hiera.yaml:4", "new/data/more.yaml:1")


def test_no_line_is_named_where_none_is_known(run: Run, edit: Edit, tmp_path: Path) -> None:
    for side, target in (("old", "one"), ("new", "two")):
        for name in ("one", "two"):
            (tmp_path / side / name).mkdir()
            (tmp_path / side / name / "common.yaml").write_text(f"app::owner: {name}\n")
        shutil.rmtree(tmp_path / side / "data")
        # Links are not compared.
        (tmp_path / side / "data").symlink_to(target)
    edit(DB, ("second", "2nd"))
    found = causes(run)
    assert found[""] == [
        "parameter Class[App] owner",
        "parameter File[/a] owner",
        "parameter File[/b] content",
    ]
    out = run("diff", "old", "new", "--facts", "@debian-12").out
    assert "  no changed line is known to cause:\n    on web1\n      Class[App] owner\n" in out


def test_the_report(run: Run, edit: Edit) -> None:
    edit(INIT, ("'0644'", "'0600'"), ("installed", "latest"))
    out = run("diff", "old", "new", "--facts", "@debian-12").out
    assert out.partition("caused by\n")[2] == (
        f"  new/{INIT}:1   class app (String $mode = '0600', String $owner = 'root') {{\n"
        "    on web1\n"
        "      Class[App] mode\n"
        "      File[/a] mode\n"
        "      File[/b] content\n"
        f"  new/{INIT}:10  package {{ 'p': ensure => latest }}\n"
        "    on web1\n"
        "      Package[p] ensure\n"
    )
    out = run("diff", "old", "new", "--facts", "@debian-12", "--format", "markdown").out
    assert "### Caused by\n\n- `new/modules/app/manifests/init.pp:1` `class app (" in out
    assert "  - on web1: `Package[p] ensure`\n" in out


def test_nothing_is_compiled_again_without_a_difference(
    run: Run, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("analyzer.cli.shared.attribution.causes_of", fail)
    edit(DATA, ("other: 1", "other: 2"))
    assert run("diff", "old", "new", "--facts", "@debian-12").code == 0
    edit(DATA, ("daemon", "nobody"))
    done = run("diff", "old", "new", "--facts", "@debian-12", "--no-causes")
    assert (done.code, "caused by" in done.out) == (1, False)


def test_an_error_that_a_change_brings_is_the_cause_of_what_is_lost(run: Run, edit: Edit) -> None:
    # A class is compiled without a few lines with errors.
    edit(INIT, ("  service { 's'", "  subscribe app::db\n" * 4 + "  service { 's'"))
    edit("manifests/site.pp", ("include app }", "include  app }"))
    found = causes(run)
    place = " + ".join(f"new/{INIT}:{line}" for line in range(12, 16))
    assert found.keys() == {place}
    assert "removed File[/a]" in found[place]


def test_a_line_that_does_not_compile_may_be_a_difference(run: Run, edit: Edit) -> None:
    edit(INIT, ("  service { 's'", "  subscribe app::db\n  service { 's'"))
    done = run("diff", "old", "new", "--facts", "@debian-12")
    assert done.code == 3
    assert "no known difference" in done.out
    assert "no difference" not in done.out
