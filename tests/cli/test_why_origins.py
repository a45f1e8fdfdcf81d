"""`why REF [PARAMETER]`: the origin of a resource, and of each value, with its lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SITE = """node 'web1' {
  $team = 'blue'
  include app
}
"""
APP = """class app (
  String $mode = '0644',
  Boolean $manage = true,
  Sensitive[String] $secret = Sensitive('hunter2'),
) {
  $path = "/srv/${app::suffix::part}"
  if $manage {
    file { $path: mode => $mode, owner => $facts['os']['family'] }
  }
  @user { 'web': uid => 1 }
  User <| title == 'web' |> { uid => 2 }
  app::page { 'a': text => { 'x' => $mode, 'y' => 'other' }['x'] }
  file { '/srv/key': content => $secret }
  include app::other
}
"""
PARTS = {
    "suffix": "class app::suffix { $part = 'data' }\n",
    "other": "class app::other { include app }\n",
    "page": "define app::page ($text) {\n  notify { $title: message => $text }\n}\n",
}
HIERA = """version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: system, path: "%{facts.os.family}.yaml" }
  - { name: common, path: common.yaml }
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "manifests/site.pp": SITE.replace("include app\n", "include app::suffix\n  include app\n"),
        "modules/app/manifests/init.pp": APP,
        "hiera.yaml": HIERA,
        "environment.conf": "modulepath = modules\n",
        "data/common.yaml": "other: 1\napp::mode: '0600'\n",
    }
    files |= {f"modules/app/manifests/{name}.pp": text for name, text in PARTS.items()}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(run: Run, *words: str) -> list[str]:
    out = run("why", ".", *words, "--facts", "@debian-12", "--no-cache").out
    return [" ".join(line.split()) for line in out.strip().split("\n")]


def test_a_value_of_hiera(run: Run, site: Path) -> None:
    assert told(run, "File[/srv/data]", "mode") == [
        "File[/srv/data] mode",
        "parameter $app::mode: from Hiera modules/app/manifests/init.pp:2:10",
        "key app::mode, level 'common' of Environment data/common.yaml:2",
    ]


def test_the_facts_in_a_path_decide_if_another_file_has_the_key(run: Run, site: Path) -> None:
    (site / "data/RedHat.yaml").write_text("app::mode: '0640'\n")
    assert told(run, "File[/srv/data]", "mode")[2:] == [
        "key app::mode, level 'common' of Environment data/common.yaml:2",
        "facts.os.family",
    ]


def test_a_fact_and_an_element_of_a_hash(run: Run, site: Path) -> None:
    assert told(run, "File[/srv/data]", "owner")[1:] == ["facts.os.family"]
    rows = told(run, "Notify[a]", "message")
    assert rows[
        1
    ] == "parameter $app::page::text: declared modules/app/manifests/init.pp:18:19" or (
        rows[1].startswith("parameter $app::page::text: given where it is declared")
    )
    assert any("parameter $app::mode" in row for row in rows)
    assert not any("other" in row for row in rows)


def test_why_a_resource_exists(run: Run, site: Path) -> None:
    rows = told(run, "File[/srv/data]")
    assert rows[:5] == [
        "File[/srv/data]",
        "resource File[/srv/data] modules/app/manifests/init.pp:8:5",
        "variable $path modules/app/manifests/init.pp:6:3",
        "variable $part modules/app/manifests/suffix.pp:1:21",
        "if $manage is true modules/app/manifests/init.pp:7:3",
    ]
    assert rows[5:8] == [
        "parameter $app::manage: default modules/app/manifests/init.pp:3:11",
        "Class[App] is brought in manifests/site.pp:4:3",
        "node 'web1' manifests/site.pp:1:1",
    ]


def test_every_chain_of_a_class(run: Run, site: Path) -> None:
    rows = told(run, "Class[app]")
    assert rows == [
        "Class[App], first (this one counted)",
        "Class[App] is brought in manifests/site.pp:4:3",
        "node 'web1' manifests/site.pp:1:1",
        "Class[App], also",
        "Class[App] is brought in modules/app/manifests/other.pp:1:20",
        "Class[App::Other] is brought in modules/app/manifests/init.pp:14:3",
        "Class[App] is brought in manifests/site.pp:4:3",
        "node 'web1' manifests/site.pp:1:1",
    ]


def test_a_collector(run: Run, site: Path) -> None:
    rows = told(run, "User[web]", "uid")
    assert rows[1].startswith("collector User <| title == 'web' |>")
    assert any(row.startswith("collector User") for row in told(run, "User[web]")[1:])


def test_a_secret_names_its_place_only(run: Run, site: Path) -> None:
    for words in (
        ("File[/srv/key]", "content"),
        ("File[/srv/key]",),
        ("File[/srv/key]", "--explain"),
    ):
        out = run("why", ".", *words, "--facts", "@debian-12", "--no-cache").out
        assert "init.pp:4:" in out
        assert "hunter2" not in out


def test_json(run: Run, site: Path) -> None:
    out = run(
        "why", ".", "File[/srv/data]", "mode", "--facts", "@debian-12", "--format", "json"
    ).out
    (section,) = json.loads(out)["web1"]["origins"]
    assert [(row["kind"], row["file"], row["line"]) for row in section["rows"]][:2] == [
        ("parameter", "modules/app/manifests/init.pp", 2),
        ("data", "data/common.yaml", 2),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["File[/nowhere]"], "no node has File[/nowhere]"),
        (["File[/srv/data]", "nothing"], "has no parameter nothing; it has:"),
    ],
)
def test_what_is_not_there(words: list[str], message: str, run: Run, site: Path) -> None:
    result = run("why", ".", *words, "--facts", "@debian-12")
    assert result.code == 2
    assert message in result.err


def test_the_levels_that_a_value_hides_and_those_that_are_merged(run: Run, site: Path) -> None:
    (site / "data/common.yaml").write_text(
        "lookup_options:\n  app::list: { merge: unique }\napp::mode: '0600'\napp::list: [b]\n"
    )
    (site / "data/Debian.yaml").write_text("app::mode: '0700'\napp::list: [a]\n")
    init = site / "modules/app/manifests/init.pp"
    init.write_text(
        "class app (Array $list = [], String $mode = '0644') {\n"
        "  notify { 'list': message => join($list) }\n"
        "  file { '/a': mode => $mode, owner => 'a' }\n}\n"
    )
    assert told(run, "File[/a]", "mode") == [
        "File[/a] mode",
        "parameter $app::mode: from Hiera modules/app/manifests/init.pp:1:37",
        "key app::mode, level 'system' of Environment data/Debian.yaml:1",
        "hides level 'common' of Environment data/common.yaml:3",
        "facts.os.family",
    ]
    assert told(run, "Notify[list]", "message")[2:4] == [
        "key app::list, level 'system' of Environment (merge unique of lookup_options)"
        " data/Debian.yaml:2",
        "facts.os.family",
    ]
    assert (
        "key app::list, level 'common' of Environment (merge unique of lookup_options)"
        " data/common.yaml:4" in told(run, "Notify[list]", "message")
    )


def test_the_page_of_a_graph_has_the_nearest_cause_of_each_value(run: Run, site: Path) -> None:
    (site / "modules/app/manifests/other.pp").write_text(
        "class app::other (String $word = 'tr0ub4') {\n  user { 'u': password => 'tr0ub4' }\n}\n"
    )
    page = run("graph", ".", "--facts", "@debian-12", "--format", "html").out
    assert '["mode","0600","parameter $app::mode: from Hiera  modules/app/manifests/init.pp:2' in (
        page.replace('", "', '","')
    )
    assert "hunter2" not in page
    assert '["password","[redacted]","modules/app/manifests/other.pp:2:' in (
        page.replace('", "', '","')
    )


def test_create_resources_of_a_class_depends_on_its_name_and_on_its_own_entry(
    run: Run, site: Path
) -> None:
    (site / "modules/app/manifests/init.pp").write_text(
        "class app (String $part = 'one', String $mode = '0600', String $owner = 'me') {\n"
        "  create_resources('class', { \"app::${part}\" => { mode => $mode, owner => $owner } })\n"
        "}\n"
    )
    (site / "modules/app/manifests/one.pp").write_text("class app::one ($mode, $owner) {}\n")
    rows = told(run, "Class[app::one]")
    assert rows[2] == "parameter $app::part: default modules/app/manifests/init.pp:1:19"
    rows = told(run, "Class[app::one]", "mode")
    assert any(row.startswith("parameter $app::mode: from Hiera") for row in rows)
    assert not any("owner" in row for row in rows)


def test_the_key_of_a_loop_is_no_element(run: Run, site: Path) -> None:
    (site / "modules/app/manifests/init.pp").write_text(
        "class app (String $one = 'a', String $two = 'b', Hash $all = { x => $one, y => $two }) {\n"
        "  $all.each |$key, $value| { notify { $key: message => $value } }\n"
        '  [$one, $two].each |$i, $value| { file { "/${i}": content => $value } }\n'
        "  $all.each |$pair| { user { $pair[0]: comment => $pair[1] } }\n"
        "}\n"
    )
    for ref, parameter in (
        ("Notify[x]", "message"),
        ("File[/0]", "content"),
        ("User[x]", "comment"),
    ):
        for more in ((), (parameter,)):
            rows = told(run, ref, *more, "--explain")
            rows = rows[: rows.index(parameter)] if parameter in rows else rows
            assert any("$app::one" in row for row in rows) == bool(more)
            assert not any("$app::two" in row for row in rows)


def test_the_names_of_node_blocks_decide(run: Run, site: Path) -> None:
    (site / "manifests/site.pp").write_text(
        "node 'other' {}\nnode /^web/ { notify { 'here': } }\nnode default {}\n"
    )
    rows = told(run, "Notify[here]", "--explain", "--node", "web9")
    assert rows[3:6] == [
        "node /^web/ { notify { 'here': } } manifests/site.pp:2:1",
        "setting name of the node",
        "node name manifests/site.pp:2:6",
    ]
    assert "node name manifests/site.pp:1:6" in rows
    rows = told(run, "Notify[here]", "--node", "web9")
    assert not any("name of" in row or "node name" in row for row in rows)


def test_the_keys_of_a_hash_are_no_cause_of_its_elements(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(
        "$h = { mode => '0611', owner => 'root' }\n"
        "file { '/z': * => $h }\n"
        "create_resources('user', { 'u' => { uid => 3 } }, { shell => '/bin/sh' })\n"
    )
    for ref, parameter, expected in (
        ("File[/z]", "mode", ["variable $h", "literal '0611'"]),
        ("User[u]", "uid", ["literal 3"]),
        ("User[u]", "shell", ["literal '/bin/sh'"]),
    ):
        out = run("why", path, ref, parameter, "--facts", "@debian-12", "--no-cache").out
        rows = [line.strip().partition("  ")[0] for line in out.strip().split("\n")]
        assert rows == [f"{ref} {parameter}", *expected]


FUNCTION = """Puppet::Functions.create_function(:'app::named') do
  def named(text)
    "#{text} #{closure_scope['team']} #{closure_scope['facts']['kernel']}"
  end
end
"""


@pytest.mark.parametrize(
    ("value", "origins"),
    [
        ("getvar('team')", ["variable $team manifests/site.pp:1:1", "facts.os.name"]),
        ("fact('kernel')", ["facts.kernel"]),
        (
            "app::named($facts['os']['family'])",
            ["facts.os.family", "variable $team manifests/site.pp:1:1", "facts.os.name", "facts"],
        ),
    ],
)
def test_a_function_that_reads_variables(
    value: str, origins: list[str], run: Run, site: Path
) -> None:
    folder = site / "modules" / "app" / "lib" / "puppet" / "functions" / "app"
    folder.mkdir(parents=True)
    (folder / "named.rb").write_text(FUNCTION)
    (site / "manifests" / "site.pp").write_text(
        f"$team = \"team of ${{facts['os']['name']}}\"\nfile {{ '/x': content => {value} }}\n"
    )
    assert told(run, "File[/x]", "content") == ["File[/x] content", *origins]
