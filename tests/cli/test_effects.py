"""`impact INPUT PLACE`: what a line, a key of Hiera or a fact decides on each node."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

FILES = {
    "manifests/site.pp": """node 'web1' { include app }
node 'web2' { notify { 'else': } }
""",
    "modules/app/manifests/init.pp": """class app (
  String $mode = '0644',
  Boolean $manage = true,
) {
  if $manage {
    file { '/srv/a': mode => $mode, before => Notify['end'] }
    file { '/srv/b': source => 'puppet:///modules/app/b.txt' }
  }
  notify { 'end':
    message => $facts['os']['family'],
  }
  app::page { 'x': text => $mode }
  @user { 'one': uid => 1, tag => 'admin' }
  User <| tag == 'admin' |> -> Notify['end']
  file { '/srv/t': content => epp('app/t.epp') }
}
""",
    "modules/app/manifests/page.pp": "define app::page ($text) { notify { $title: } }\n",
    "modules/app/files/b.txt": "b\n",
    "modules/app/templates/t.epp": "one\n<%= $facts['kernel'] %>\n",
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": """version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy: [{ name: common, path: common.yaml }]
""",
    "data/common.yaml": "# of all\nother:\n  - 1\napp::mode: '0600'\n",
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


INIT = "modules/app/manifests/init.pp"
MODE = ["File[/srv/a] mode"]


@pytest.mark.parametrize(
    ("word", "effects"),
    [
        ("data/common.yaml:4", MODE),
        ("app::mode", MODE),
        (f"{INIT}:2", MODE),
        ("data/common.yaml:2", []),
        (f"{INIT}:3", ["File[/srv/a] exists, before Notify[end]", "File[/srv/b] exists"]),
        (f"{INIT}:5", ["File[/srv/a] exists, before Notify[end]", "File[/srv/b] exists"]),
        ("facts.os.family", ["Notify[end] message"]),
        ("$facts.os", ["Notify[end] message"]),
        (f"{INIT}:10", ["Notify[end] message"]),
        (f"{INIT}:14", ["User[one] exists, before Notify[end]"]),
        ("modules/app/files/b.txt", ["File[/srv/b] source"]),
        ("modules/app/templates/t.epp:2", ["File[/srv/t] content"]),
        ("facts.kernel", ["File[/srv/t] content"]),
    ],
)  # fmt: skip
def test_effects_by_node(run: Run, site: Path, word: str, effects: list[str]) -> None:
    done = run("impact", ".", word, "--facts", "@debian-12")
    lines = [" ".join(line.split()) for line in done.out.strip().split("\n")][1:]
    if effects:
        assert (done.code, lines) == (0, ["web1", *effects, "no effect on 1 other node"])
    else:
        assert lines == ["no effect: nothing that 2 nodes evaluated needs it"]


def test_the_way_and_json(run: Run, site: Path) -> None:
    done = run("impact", ".", "app::mode", "--facts", "@debian-12", "--explain")
    rows = [" ".join(line.split()) for line in done.out.split("\n")]
    place = f"parameter $app::mode: from Hiera {INIT}:2:10"
    assert rows[1:4] == ["web1", "Class[App] mode", place]
    assert rows[rows.index("App::Page[x] text") :][:3] == [
        "App::Page[x] text",
        f"attribute text {INIT}:12:20",
        place,
    ]
    document = json.loads(
        run("impact", ".", "data/common.yaml:4", "--facts", "@debian-12", "--format", "json").out
    )
    assert document["subject"] == "data/common.yaml:4, key app::mode"
    assert document["nodes"]["web2"] == []
    effect = document["nodes"]["web1"][-1]
    assert (effect["ref"], effect["attribute"], effect["targets"]) == ("App::Page[x]", "text", [])
    assert effect["way"][-1]["file"] == "data/common.yaml"
    assert effect["way"][-1]["line"] == 4


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("data/common.yaml:9", "there is no line 9: the file has 4 lines"),
        ("data/common.yaml:1", "no key of Hiera is on this line"),
        ("data/none.yaml:1", "is no file, line, key of Hiera or fact"),
        ("a b", "is no file, line, key of Hiera or fact"),
    ],
)
def test_what_is_no_place_is_an_error(run: Run, site: Path, word: str, message: str) -> None:
    done = run("impact", ".", word)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert run("impact", "manifests/none.pp", "facts.kernel").code == 2


def test_what_is_unknown_may_need_what_nothing_known_needs(run: Run, site: Path) -> None:
    (site / "manifests/site.pp").write_text("case $facts['role'] {\n  'a': { include app }\n}\n")
    done = run("impact", ".", "manifests/site.pp:2", "--allow-incomplete")
    words = "no known effect: nothing that 1 node evaluated needs it; what is unknown may need it"
    assert done.out.splitlines()[1].strip() == words


def test_a_link_out_of_the_checkout_is_not_read(run: Run, site: Path) -> None:
    secret = site.parent / "secret.yaml"
    secret.write_text("key of others: 1\n")
    (site / ".git").mkdir()
    (site / "data/more.yaml").symlink_to(secret)
    done = run("impact", ".", "data/more.yaml:9")
    assert done.code == 2
    assert "data/more.yaml: error: cannot be read" in done.err
    assert "key of others" not in done.out + done.err
    assert "1 line" not in done.err


DATA = """app::users:
  web:
    uid: 10
    groups: [a, b]
  db:
    uid: 20
"""
USERS = """class app (Hash $users = {}) {
  $users.each |$name, $row| {
    user { $name: * => $row }
  }
}
"""


@pytest.mark.parametrize(
    ("line", "name", "expected"),
    [
        # Its key may become that of another parameter.
        (3, "app::users.web.uid", {"User[web]": "uid, groups"}),
        (4, "app::users.web.groups.0", {"User[web]": "groups"}),
        (6, "app::users.db.uid", {"User[db]": "uid"}),
    ],
)
def test_a_line_inside_of_a_value_of_data(
    run: Run, tmp_path: Path, line: int, name: str, expected: dict[str, str]
) -> None:
    files = {
        "manifests/site.pp": "include app\n",
        "modules/app/manifests/init.pp": USERS,
        "environment.conf": "modulepath = modules\n",
        "hiera.yaml": "version: 5\n",
        "data/common.yaml": DATA,
    }
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    place = f"{tmp_path}/data/common.yaml:{line}"
    out = run("impact", tmp_path, place, "--facts", "@debian-12", "--no-cache").out
    rows = [row.split() for row in out.split("\n")[2:] if row.startswith("    ")]
    assert f"key {name}" in out.split("\n")[0]
    assert {row[0]: " ".join(row[1:]) for row in rows} == expected
    ((ref, parameters),) = expected.items()
    why = run(
        "why", tmp_path, ref, parameters.split(",")[0], "--facts", "@debian-12", "--no-cache"
    ).out
    assert f"data/common.yaml:{line}\n" in why


MERGED = {
    "manifests/site.pp": "include app\n",
    "modules/app/manifests/init.pp": """class app (Array $names = [], Hash $users = {}) {
  $names.each |$name| { package { $name: } }
  $users.each |$name, $row| { user { $name: * => $row } }
}
""",
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": """version: 5
hierarchy:
  - { name: os, path: "%{facts.os.family}.yaml" }
  - { name: common, path: common.yaml }
""",
    "data/Debian.yaml": "app::names:\n  - a\n  - b\napp::users:\n  web:\n    uid: 1\n",
    "data/common.yaml": """lookup_options:
  app::names: { merge: unique }
  app::users: { merge: deep }
app::names:
  - c
  - a
app::users:
  web:
    uid: 2
    gid: 3
  db:
    uid: 4
""",
}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("Debian.yaml:2", {"Package[a]": "exists"}),
        ("Debian.yaml:3", {"Package[b]": "exists"}),
        ("common.yaml:5", {"Package[c]": "exists"}),
        # Another level has it.
        ("common.yaml:6", {}),
        ("common.yaml:10", {"User[web]": "uid, gid"}),
        ("common.yaml:12", {"User[db]": "uid"}),
    ],
)
def test_a_line_of_a_merge(run: Run, tmp_path: Path, place: str, expected: dict[str, str]) -> None:
    for file, text in MERGED.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    file = f"{tmp_path}/data/{place}"
    out = run("impact", tmp_path, file, "--facts", "@debian-12", "--no-cache").out
    rows = [row.split() for row in out.split("\n")[2:] if row.startswith("    ")]
    assert {row[0]: " ".join(row[1:]) for row in rows} == expected
