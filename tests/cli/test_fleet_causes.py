"""`catgraph fleet diff` names the changed lines, or the places that new values come from."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from .conftest import Run

FILES = {
    "manifests/site.pp": "node 'web1' { include app }\nnode 'web2' { include app }\n",
    "modules/app/manifests/init.pp": """\
class app (String $mode = '0644', String $owner = 'root') {
  file { '/a':
    mode  => $mode,
    owner => $owner,
  }
  service { 's': }
  file { '/b': }
}
""",
    "hiera.yaml": """\
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: common, path: common.yaml }
""",
    "environment.conf": "modulepath = modules\n",
    "data/common.yaml": "app::owner: daemon\n",
}


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a site and a changed copy of it, and enter the folder of both."""
    for name, text in FILES.items():
        (tmp_path / "old" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "old" / name).write_text(text)
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    init = tmp_path / "new/modules/app/manifests/init.pp"
    text = init.read_text().replace("'0644'", "'0600'")
    init.write_text(text.replace("file { '/b': }", "file { '/b': notify => Service['s'] }"))
    (tmp_path / "new/data/common.yaml").write_text("app::owner: nobody\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(out: str, key: str) -> dict[str, list[str]]:
    """Return the places of each difference, by the texts of its statements."""
    causes = json.loads(out)["causes"]
    return {
        "; ".join(one["text"] for one in cause["statements"]): [one["place"] for one in cause[key]]
        for cause in causes
    }


def test_two_folders_are_grouped_by_the_changed_lines(run: Run, folders: Path) -> None:
    done = run("fleet", "diff", "old", "new", "--facts", "@debian-12", "--format", "json")
    assert rows(done.out, "lines") == {
        "File[/a]: mode 0644 -> 0600; Class[App]: mode 0644 -> 0600": [
            "modules/app/manifests/init.pp:1"
        ],
        "File[/a]: owner daemon -> nobody; Class[App]: owner daemon -> nobody": [
            "data/common.yaml:1"
        ],
        "relationship gained: File[/b] notifies Service[s]; File[/b] moves after File[/a]; "
        "order gained: File[/b] before Service[s]": ["modules/app/manifests/init.pp:7"],
    }
    assert {len(cause["nodes"]) for cause in json.loads(done.out)["causes"]} == {2}
    text = run("fleet", "diff", "old", "new", "--facts", "@debian-12").out
    assert "\n  caused by data/common.yaml:1: app::owner: nobody\n" in text


def test_a_change_makes_an_event_and_a_lost_relationship_makes_none(
    run: Run, folders: Path
) -> None:
    before = "notify { 'n': }\nfile { '/c': content => lookup('c'), require => Notify['n'], "
    for side, text, value in (
        ("old", before, 1),
        ("new", "file { '/c': content => lookup('c'), ", 2),
    ):
        init = folders / side / "modules/app/manifests/init.pp"
        init.write_text(f"class app {{\n{text}notify => Service['s'] }}\nservice {{ 's': }}\n}}\n")
        (folders / side / "data/common.yaml").write_text(f"c: '{value}'\n")
    done = run("fleet", "diff", "old", "new", "--facts", "@debian-12", "--format", "json")
    found = rows(done.out, "lines")
    event = next(text for text in found if "event: the change of File[/c]" in text)
    assert found[event] == ["data/common.yaml:1"]
    assert "relationship lost" not in event


def test_catalogs_alone_name_the_places_of_the_new_values(run: Run, folders: Path) -> None:
    (folders / "catalogs").mkdir()
    for name in ("web1", "web2"):
        out = run("compile", "old", "--node", name, "--facts", "@debian-12").out
        (folders / "catalogs" / f"{name}.json").write_text(out)
    done = run("fleet", "diff", "catalogs", "new", "--facts", "@debian-12")
    assert "\n  now from data/common.yaml:1: key app::owner" in done.out
    assert "\n  now from modules/app/manifests/init.pp:1:27: literal '0600'\n" in done.out
    assert "caused by" not in done.out
    silent = run("fleet", "diff", "catalogs", "new", "--facts", "@debian-12", "--no-causes")
    assert "now from" not in silent.out
