"""`catgraph explore` on the sample control repos: the findings and their conditions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli import main

REPOS = "sample_catalogs/control_repos"


@pytest.mark.parametrize(
    ("repo", "condition"),
    [
        ("roles_in_site", [("facts.os.family", "is", "RedHat")]),
        ("roles_in_hiera", [("facts.role", "is", "cache")]),
        ("single_module", [("mirror::purge", "is", True), ("mirror::frequency", "is", "hourly")]),
    ],
)
def test_conditions(repo: str, condition: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", f"{REPOS}/{repo}", "--format", "json"]) == 1
    nodes = json.loads(capsys.readouterr().out)["nodes"]
    findings = [one for node in nodes for one in node["findings"] if one["kind"] == "cycle"]
    # Each node with the class has it.
    assert findings
    for one in findings:
        assert [(p["input"], p["op"], p["value"]) for p in one["condition"]] == condition


Capture = pytest.CaptureFixture[str]
SITE = """
node /^web/ { include app }
node 'odd' { include app, other }
class other { }
class app {
  if $facts['os']['family'] == 'RedHat' {
    notify { 'a': require => Notify['b'] }
    notify { 'b': require => Notify['a'] }
  }
  notify { $::site: message => $facts['numa']['nodes'] }
}
"""


def site(folder: Path, code: str = SITE) -> str:
    """Write a site, with three nodes whose data are in Hiera; return its folder."""
    (folder / "manifests").mkdir()
    (folder / "manifests/site.pp").write_text(code)
    (folder / "data/node").mkdir(parents=True)
    for name in ("web1", "web2"):
        (folder / f"data/node/{name}.yaml").write_text("app::x: 1\n")
    (folder / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n  - {name: node, path: 'node/%{trusted.certname}.yaml'}\n"
    )
    return str(folder)


def explored(capsys: Capture, *words: str) -> dict[str, dict[str, object]]:
    """Return the nodes of an exploration by name."""
    main(["explore", *words, "--format", "json"])
    return {node["name"]: node for node in json.loads(capsys.readouterr().out)["nodes"]}


def test_nodes_that_do_the_same_share_a_search(tmp_path: Path, capsys: Capture) -> None:
    nodes = explored(capsys, site(tmp_path))
    first = next(name for name, node in nodes.items() if node["like"] is None)
    assert {name for name, node in nodes.items() if node["like"]} == set(nodes) - {first, "odd"}
    for node in nodes.values():
        (one,) = node["findings"]  # type: ignore[misc]
        assert [part["value"] for part in one["condition"]] == ["RedHat"]  # type: ignore[has-type]


def test_facts_of_the_site_get_a_value(tmp_path: Path, capsys: Capture) -> None:
    node = explored(capsys, site(tmp_path))["odd"]
    states = [world["state"] for world in node["worlds"]]  # type: ignore[attr-defined]
    assert "refused" not in states
    assert "ok" in states


def test_only_nodes_that_need_a_fact_of_the_site_get_it(tmp_path: Path, capsys: Capture) -> None:
    code = """
      node 'node1', 'node3' { include needs }
      node 'node2', 'node4' { include asks }
      class needs { notify { $::rack: } }
      class asks { if $facts['rack'] { notify { 'x': require => File['/gone'] } } }
    """
    nodes = explored(capsys, site(tmp_path, code))
    assert {name: node["like"] for name, node in nodes.items() if name.startswith("node")} == {
        "node1": None, "node2": None, "node3": "node1", "node4": "node2",
    }  # fmt: skip
    assert nodes["node1"]["worlds"][0]["state"] == "ok"  # type: ignore[index]
    for name in ("node2", "node4"):
        (one,) = nodes[name]["findings"]  # type: ignore[misc]
        assert [part["input"] for part in one["condition"]] == ["facts.rack"]  # type: ignore[has-type]


def test_nested_conditions_come_before_more_of_the_same(tmp_path: Path, capsys: Capture) -> None:
    releases = "".join(
        f"if $facts['os']['release']['full'] == '{number}.0' {{ notify {{ 'r{number}': }} }}\n"
        for number in range(30)
    )
    code = f"""
      node 'web9' {{
        {releases}
        if $facts['role'] == 'web' {{ if $facts['tier'] =~ /^prod/ {{ if $facts['lab'] {{
          if $trusted['extensions']['zone'] =~ /^dmz/ {{ notify {{ 'x': require => File['/a'] }} }}
        }} }} }}
      }}
    """
    node = explored(capsys, site(tmp_path, code), "--worlds", "24", "--node", "web9")["web9"]
    (one,) = node["findings"]  # type: ignore[misc]
    assert len(one["condition"]) == 4  # type: ignore[has-type]


def test_nodes_share_a_time(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(0, 10_000, 60))
    monkeypatch.setattr(
        "analyzer.session.worlds.time_budget.process_time", lambda: float(next(clock))
    )
    assert main(["explore", site(tmp_path), "--total", "100"]) == 3
    out = capsys.readouterr().out
    assert "not explored because --total was used up: 3 of 4 nodes: odd, web1, web2" in out
    assert out.splitlines()[1].split()[:2] == ["web", "1"]


def test_a_refused_world_shows_its_cycles(tmp_path: Path, capsys: Capture) -> None:
    code = "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }"
    broken = "class broken { include gone }"
    node = explored(capsys, site(tmp_path, f"{broken} node a {{ {code} include broken }}"))["a"]
    (world,) = node["worlds"]  # type: ignore[misc]
    assert world["state"] == "refused"  # type: ignore[has-type]
    assert len(world["cycles"]) == 1  # type: ignore[has-type]


def test_why_a_branch_is_never_taken(tmp_path: Path, capsys: Capture) -> None:
    tests = ("1 == 2", "unknown_module::test()", "$facts['os']['family'] == 'Nobody'")
    code = "\n".join(f"if {test} {{ notify {{ '{n}': }} }}" for n, test in enumerate(tests))
    main(["explore", site(tmp_path, f"node a {{\n{code}\n}}"), "--format", "json"])
    never = json.loads(capsys.readouterr().out)["decisions"]["never"]
    reasons = {row["line"]: row["reason"] for row in never}
    assert reasons[2] == "no fact or parameter decides it"


MODULE = r"""
class app(Integer $n = 5) {
  if $facts['zone'] == 'dark' { notify { 'dark': } }
  if $facts['zone'] { fail('no zones') }
  if $n > 9 and $facts['virtual'] == 'kvm' {
    notify { 'a': require => Notify['b'] }
    notify { 'b': require => Notify['a'] }
  }
  if $facts['shape'] == 'round' and $facts['colour'] =~ /^(red|blue)-\d+$/ {
    notify { 'c': require => File['/gone'] }
  }
  if $facts['rack'] != 'low' and $n == 3 { fail('too high') }
  if $n == 3 and $facts['kernel'] == 'Linux' {
    notify { 'd': require => Notify['e'] }
    notify { 'e': require => Notify['d'] }
  }
}
"""


def test_parts_of_a_condition_and_refused_worlds(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "app/manifests").mkdir(parents=True)
    (tmp_path / "app/manifests/init.pp").write_text(MODULE)
    (tmp_path / "app/metadata.json").write_text('{"name": "me-app"}')
    assert main(["explore", str(tmp_path / "app"), "--class", "app", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (node,) = found["nodes"]
    conditions = {
        one["path"][0] if "path" in one else one["kind"]: one["if"] for one in node["findings"]
    }
    kvm = "facts.virtual is 'kvm'"
    assert conditions == {
        "Notify[a]": f"if $app::n > 9 and {kvm}",
        "Notify[d]": "if facts.kernel is 'Linux' and $app::n is 3",
        "missing target": r"if facts.shape is 'round' and facts.colour matches /^(red|blue)-\d+$/",
    }
    refused = "only refused worlds take it"
    rows = found["decisions"]["never"]
    assert [row["line"] for row in rows if row["reason"] == refused] == [3]


@pytest.mark.parametrize("command", ["cycles", "lint"])
def test_worlds_of_other_commands(command: str, tmp_path: Path, capsys: Capture) -> None:
    module = f"{REPOS}/single_module"
    assert main([command, module, "--worlds", "16", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (one,) = found["cycles" if command == "cycles" else "findings"]
    assert {part["input"] for part in one["condition"]} == {"mirror::purge", "mirror::frequency"}
    assert main([command, module, "--worlds", "16", "--format", "sarif"]) == 1
    assert "if $mirror::purge is true and $mirror::frequency is 'hourly'" in capsys.readouterr().out


def test_the_page(tmp_path: Path, capsys: Capture) -> None:
    code = SITE.replace("'b'", "'<script>b'")
    assert main(["explore", site(tmp_path, code), "--format", "html"]) == 1
    page = capsys.readouterr().out
    assert "if facts.os.family is &#x27;RedHat&#x27;" in page
    assert "<script" not in page


def test_facts_and_parameters_of_a_finding(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "world.json"
    main(["explore", f"{REPOS}/single_module", "--write-facts", str(file)])
    assert json.loads(file.read_text())["os"]["family"]
    data = json.loads((tmp_path / "world.parameters.json").read_text())
    assert data == {"mirror::frequency": "hourly", "mirror::purge": True}


def test_environments_that_only_configure(tmp_path: Path, capsys: Capture) -> None:
    folder = site(tmp_path)
    (tmp_path / "environments/production").mkdir(parents=True)
    (tmp_path / "environments/production/environment.conf").write_text("config_version = x\n")
    assert "odd" in explored(capsys, folder)


def test_nodes_of_a_hiera_above_the_environments(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "environments/production"
    folder.mkdir(parents=True)
    site(folder, "notify { 'a': }")
    (folder / "hiera.yaml").unlink()
    (tmp_path / "data/node").mkdir(parents=True)
    (tmp_path / "data/node/db1.yaml").write_text("a: 1\n")
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n  - {name: node, path: 'node/%{trusted.certname}.yaml'}\n"
    )
    assert "db1" in explored(capsys, str(tmp_path))


def test_a_class_of_a_site_whose_node_blocks_are_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "manifests/site.pp"
    site.parent.mkdir()
    site.write_text(
        "class app(Boolean $purge = false) {\n"
        "  file { '/a': }\n  file { '/b': require => File['/a'] }\n"
        "  if $facts['os']['family'] == 'RedHat' and $purge { File['/b'] -> File['/a'] }\n}\n"
        "node 'web1' { notify { 'x': } }\n"
    )
    assert main(["cycles", str(tmp_path), "--class", "app", "--worlds", "1"]) == 0
    assert main(["cycles", str(tmp_path), "--class", "app"]) == 1
    assert main(["explore", str(tmp_path), "--class", "app"]) == 1
    said = "dependency cycle if facts.os.family is 'RedHat' and $app::purge is true"
    assert said in capsys.readouterr().out


def test_nothing_that_compiles_is_not_clean(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "metadata.json").write_text('{"name": "me-lone", "dependencies": []}')
    (tmp_path / "manifests/init.pp").write_text("class lone { fail('no') }\n")
    assert main(["explore", str(tmp_path)]) == 3


def test_a_condition_is_found_beside_errors_of_other_worlds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "metadata.json").write_text('{"name": "me-lone", "dependencies": []}')
    (tmp_path / "manifests/init.pp").write_text(
        "class lone(Integer[1, 10] $n = 3) {\n"
        "  if $n > 9 {\n"
        "    file { '/a': require => File['/b'] }\n"
        "    file { '/b': require => File['/a'] }\n  }\n"
        "  if $facts['mine'] =~ /^x/ { notify { 'm': } }\n}\n"
    )
    assert main(["explore", str(tmp_path)]) == 1
    assert "dependency cycle if $lone::n > 9" in capsys.readouterr().out


def test_values_from_a_modules_data_are_changed_too(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "metadata.json").write_text('{"name": "x-app", "version": "1.0.0"}')
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n  - {name: common, path: common.yaml}\n"
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data/common.yaml").write_text("app::manage: true\n")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/init.pp").write_text(
        "class app(Boolean $manage, Boolean $late = !$manage) {\n"
        "  $after = $manage ? { true => [], default => Notify['b'] }\n"
        "  notify { 'a': require => $after }\n"
        "  notify { 'b': require => Notify['a'] }\n"
        "  if $late { notify { 'c': } }\n"
        "}\n"
    )
    assert main(["explore", str(tmp_path), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (cycle,) = found["nodes"][0]["findings"]
    assert cycle["condition"] == [{"input": "app::manage", "op": "is not", "value": True}]
    assert found["decisions"]["never"] == []


def test_a_parameter_without_a_type_is_not_blamed_for_values_made_up(
    tmp_path: Path, capsys: Capture
) -> None:
    code = "class app({type}$n = undef) {{ if $n {{ notify {{ 'a': message => $n + 1 }} }} }}\n"
    (tmp_path / "manifests").mkdir()
    for type_, exit_code in (("", 0), ("Variant[Undef, Boolean] ", 1)):
        (tmp_path / "manifests/init.pp").write_text(code.format(type=type_))
        assert main(["explore", str(tmp_path), "--class", "app"]) == exit_code
        told = "error if $app::n" in capsys.readouterr().out
        assert told == bool(type_)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("String $user", "user"),
        ("Stdlib::Absolutepath $at", "/srv/at"),
        ("Enum['a', 'b'] $kind", "a"),
        ("String[4, 6] $x", "xxxx"),
        ("Integer[5] $n", 5),
        ("Array[Optional[String], 2] $names", ["names", "names"]),
        ("Struct[{mode => Pattern[/^0[0-7]+$/], Optional[x] => Boolean}] $s", {"mode": "01"}),
        ("Variant[Sensitive, App::Kind] $kind", {"kind": 1}),
        ("$any", "any"),
        ("Sensitive[String] $secret", None),
        ("String[1000000000] $long", None),
        ("App::Endless $endless", None),
    ],
)
def test_a_witness_gives_what_the_class_requires(
    parameter: str, value: object, tmp_path: Path, capsys: Capture
) -> None:
    # Without it Puppet says: Class[App]: expects a value for parameter $user
    for folder in ("manifests", "types"):
        (tmp_path / folder).mkdir()
    (tmp_path / "metadata.json").write_text('{"name": "x-app", "version": "1.0.0"}')
    (tmp_path / "manifests/init.pp").write_text(
        f"class app({parameter}) {{\n"
        "  notify { 'a': require => Notify['b'] }\n"
        "  notify { 'b': require => Notify['a'] }\n}\n"
    )
    (tmp_path / "types/kind.pp").write_text("type App::Kind = Hash[Enum['kind'], Integer[1], 1]\n")
    (tmp_path / "types/endless.pp").write_text("type App::Endless = Array[App::Endless, 1]\n")
    code = main(["explore", str(tmp_path), "--class", "app", "--format", "json"])
    assert code == (3 if value is None else 1)
    (node,) = json.loads(capsys.readouterr().out)["nodes"]
    findings, (world,) = node["findings"], node["worlds"]
    assert world["state"] == ("incomplete" if value is None else "cycle")
    name = "app::" + parameter.rpartition("$")[2]
    witnesses = [{k: v for k, v in one["witness"].items() if k != "system"} for one in findings]
    assert witnesses == ([{name: value}] if value is not None else [])


def test_a_finding_is_shown_in_a_world_that_puppet_accepts(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/init.pp").write_text(
        "class app(String $user, Boolean $ok = false) {\n"
        "  notify { 'a': require => Notify['b'] }\n"
        "  notify { 'b': require => Notify['a'] }\n"
        "  unless $ok { fail('no') }\n}\n"
    )
    assert main(["explore", str(tmp_path), "--class", "app", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["nodes"][0]["findings"]
    assert finding["witness"] == {"system": "debian-12", "app::user": "user", "app::ok": True}
    assert finding["condition"] == []


@pytest.mark.parametrize(
    "bug", ["Notify['b'] -> Notify['a']", "notify { 'a': message => 'again' }"]
)
def test_values_of_the_modules_data_count_in_worlds_with_an_error(
    bug: str, tmp_path: Path, capsys: Capture
) -> None:
    # Puppet finds either bug where role is 'web'. Data has undef, so nothing is to be given.
    for folder in ("manifests", "data"):
        (tmp_path / folder).mkdir()
    (tmp_path / "manifests/init.pp").write_text(
        "class app(Optional[String] $epp, Optional[String] $erb) {\n"
        "  if $epp and $erb { fail('both') }\n"
        "  notify { 'a': before => Notify['b'] }\n"
        "  notify { 'b': }\n"
        f"  if $facts['role'] == 'web' {{ {bug} }}\n}}\n"
    )
    (tmp_path / "metadata.json").write_text('{"name": "x-app", "version": "1.0.0"}')
    (tmp_path / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: all, path: a.yaml}]\n")
    (tmp_path / "data/a.yaml").write_text("{'app::epp': ~, 'app::erb': ~}")
    assert main(["explore", str(tmp_path), "--class", "app", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["nodes"][0]["findings"]
    assert finding["condition"] == [{"input": "facts.role", "op": "is", "value": "web"}]
    assert finding["witness"] == {"system": "debian-12", "facts.role": "web"}
