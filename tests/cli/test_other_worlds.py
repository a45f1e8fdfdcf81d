"""What `lint` and `cycles` find with other facts and parameters, without being asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer import lint
from analyzer.cli import main
from analyzer.session.worlds import bounded, budget
from analyzer.session.worlds.bounded import Bounded
from tests.cli.conftest import Run

CYCLE = "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }"
ON_REDHAT = f"if $facts['os']['family'] == 'RedHat' {{ {CYCLE} }}"
IF_REDHAT = [{"input": "facts.os.family", "op": "is", "value": "RedHat"}]


def site(folder: Path, code: str) -> Path:
    """Write a control repo of one class, which two nodes have; return its folder."""
    (folder / "manifests").mkdir(parents=True)
    (folder / "manifests/site.pp").write_text("node 'a', 'b' { include app }\n")
    (folder / "environment.conf").write_text("modulepath = modules\n")
    (folder / "modules/app/manifests").mkdir(parents=True)
    (folder / "modules/app/manifests/init.pp").write_text(f"class app {{\n{code}\n}}\n")
    return folder


def module(folder: Path, code: str, *systems: str, **classes: str) -> Path:
    """Write a module that supports some systems; return its folder."""
    made = folder / "app"
    (made / "manifests").mkdir(parents=True)
    rows = [{"operatingsystem": name} for name in systems]
    metadata = {"name": "me-app", "dependencies": [], "operatingsystem_support": rows}
    (made / "metadata.json").write_text(json.dumps(metadata))
    (made / "manifests/init.pp").write_text(code)
    for name, text in classes.items():
        (made / f"manifests/{name}.pp").write_text(text)
    return made


def found(run: Run, command: str, path: Path, *words: str) -> list[dict[str, Any]]:
    """Return the findings of a command, or its cycles."""
    document = json.loads(run(command, path, "--format", "json", *words).out)
    rows: list[dict[str, Any]] = document["findings" if command == "lint" else "cycles"]
    return rows


@pytest.mark.parametrize("command", ["lint", "cycles"])
def test_a_cycle_of_some_systems(command: str, run: Run, tmp_path: Path) -> None:
    path = site(tmp_path, ON_REDHAT)
    rows = found(run, command, path)
    assert [row["condition"] for row in rows] == [IF_REDHAT] * (1 if command == "lint" else 2)
    done = run(command, path)
    assert done.code == 1
    assert "if facts.os.family is 'RedHat'" in done.out
    assert "in 2 catalogs" in done.out
    assert found(run, command, path, "--worlds", "1") == []
    assert "RedHat" not in run(command, path, "--worlds", "1").out


@pytest.mark.parametrize("command", ["lint", "cycles"])
@pytest.mark.parametrize("form", ["sarif", "junit", "github", "markdown"])
def test_other_formats_have_the_condition(
    command: str, form: str, run: Run, tmp_path: Path
) -> None:
    done = run(command, site(tmp_path, ON_REDHAT), "--format", form)
    assert done.code == 1
    assert "if facts.os.family is 'RedHat'" in done.out


def test_the_file_turns_it_off(run: Run, tmp_path: Path) -> None:
    path = site(tmp_path, ON_REDHAT)
    (path / "catgraph.toml").write_text("worlds = 1\n")
    assert found(run, "lint", path) == found(run, "cycles", path) == []
    assert len(found(run, "lint", path, "--worlds", "8")) == 1
    (path / "catgraph.toml").write_text("worlds = 0\n")
    assert "'worlds' takes a number above 0" in run("lint", path).err


@pytest.mark.parametrize("command", ["lint", "cycles"])
def test_facts_that_are_given_stay(command: str, run: Run, tmp_path: Path) -> None:
    path = site(tmp_path, ON_REDHAT)
    facts = tmp_path / "facts.json"
    facts.write_text('{"os": {"family": "Debian"}}')
    assert found(run, command, path, "--facts", str(facts)) == []
    assert found(run, command, path, "--facts", "@debian-12") == []
    (path / "facts").mkdir()
    for node in "ab":
        (path / f"facts/{node}.json").write_text(facts.read_text())
    assert found(run, command, path, "--facts-dir", str(path / "facts")) == []


PARAMETERS = f"""class app (Boolean $purge = false, Enum['a', 'b'] $mode = 'a') {{
  if $purge and $mode == 'b' {{ {CYCLE} }}
}}
"""


@pytest.mark.parametrize("command", ["lint", "cycles"])
def test_parameters_of_a_module(command: str, run: Run, tmp_path: Path) -> None:
    path = module(tmp_path, PARAMETERS)
    (row,) = found(run, command, path)
    assert {part["input"]: part["value"] for part in row["condition"]} == {
        "app::purge": True,
        "app::mode": "b",
    }
    assert found(run, command, path, "--class", "app", "--param", "mode=a") == []


REFUSED = [
    "if $facts['os']['family'] != 'Debian' { fail('not here') }",
    "if $text != undef { assert_type(Integer, $text) }",
    "if $text != undef { $x = Integer($text) }",
    "if $text != undef { package { $flag: } }",
    "case $facts['os']['family'] { 'Debian': { $p = 'x' } default: { } } package { $p: }",
    "if $flag { include gone::app }",
    "notify { $facts['site']: } notify { $facts['place']: }",
    "notify { $text: } notify { $more: }",
    "notify { 'x': require => Package[$facts['site']] }",
]


@pytest.mark.parametrize("code", REFUSED)
def test_what_some_values_are_refused_for_is_no_finding(
    code: str, run: Run, tmp_path: Path
) -> None:
    head = "class app (Boolean $flag = false, $text = undef, String $more = 'more')"
    path = module(tmp_path, f"{head} {{\n{code}\n}}\n")
    assert [row for row in found(run, "lint", path) if row["condition"]] == []
    assert found(run, "cycles", path) == []


DUPLICATE = "package { 'x': } if $facts['os']['family'] == 'RedHat' { package { 'x': } }"
MISSING = """notify { 'x': require => Package['x'] }
if $facts['os']['family'] != 'RedHat' { package { 'x': } }"""


@pytest.mark.parametrize(("code", "rule"), [(DUPLICATE, "CG202"), (MISSING, "CG201")])
def test_what_puppet_refuses_on_some_systems(
    code: str, rule: str, run: Run, tmp_path: Path
) -> None:
    path = site(tmp_path, code)
    (row,) = [row for row in found(run, "lint", path) if row["severity"] == "error"]
    assert (row["code"], row["condition"]) == (rule, IF_REDHAT)
    assert run("lint", path).code == 1
    assert run("lint", path, "--ignore", rule).code == 0
    assert "RedHat" not in run("lint", path, "--select", "CG3").out


def test_systems_that_the_module_does_not_support(run: Run, tmp_path: Path) -> None:
    code = f"class app {{\n{ON_REDHAT}\n}}\n"
    assert found(run, "cycles", module(tmp_path / "1", code, "Debian")) == []
    assert len(found(run, "cycles", module(tmp_path / "2", code, "Debian", "Rocky"))) == 1


def test_a_class_is_for_the_systems_that_others_declare_it_on(run: Run, tmp_path: Path) -> None:
    code = "class app { if $facts['os']['family'] == 'Debian' { include app::debian } }\n"
    inside = f"class app::debian {{\n{ON_REDHAT}\n}}\n"
    assert found(run, "cycles", module(tmp_path, code, debian=inside)) == []
    assert len(found(run, "cycles", module(tmp_path / "2", "class app { }\n", debian=inside))) == 1


def test_comments_and_baselines(run: Run, tmp_path: Path) -> None:
    path = site(tmp_path, ON_REDHAT)
    known = tmp_path / "known.json"
    run("lint", path, "--write-baseline", str(known))
    done = run("lint", path, "--baseline", str(known), "--fail-stale")
    assert (done.code, "1 in the baseline" in done.out) == (0, True)
    # What was not looked for may be there.
    done = run("lint", path, "--baseline", str(known), "--fail-stale", "--worlds", "1")
    assert (done.code, done.err) == (0, "")
    manifest = path / "modules/app/manifests/init.pp"
    manifest.write_text(manifest.read_text().replace("\n", "\n# catgraph:ignore[CG301] known\n", 1))
    assert found(run, "lint", path) == []
    manifest.write_text("class app { }\n")
    assert run("lint", path, "--baseline", str(known), "--fail-stale").code == 1


def test_fixes_do_not_touch_it(run: Run, tmp_path: Path) -> None:
    path = site(tmp_path, ON_REDHAT)
    before = (path / "modules/app/manifests/init.pp").read_text()
    for words in (("--fix",), ("--fix", "--unsafe-fixes")):
        done = run("lint", path, *words)
        assert (done.code, "if facts.os.family is 'RedHat'" in done.out) == (1, True)
    assert (path / "modules/app/manifests/init.pp").read_text() == before


MANY = "class app ({}) {{\n{}\n}}\n".format(
    ", ".join(f"Boolean $p{n} = false" for n in range(40)),
    "\n".join(f"if $p{n} {{ notify {{ '{n}': }} }}" for n in range(40)),
)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["lint", "cycles"])
def test_what_the_budget_did_not_do_for(command: str, run: Run, tmp_path: Path) -> None:
    path = module(tmp_path, MANY)
    done = run(command, path)
    (line,) = [one for one in done.out.split("\n") if one.startswith("not explored: ")]
    assert line.endswith(" decisions: the search budget is used up; try --worlds 64")
    assert done.code == 0
    assert run(command, path).out == done.out
    rows = json.loads(run(command, path, "--format", "json").out)["incomplete"]
    assert [(row["kind"], row["hides"]) for row in rows] == [("worlds", False)]
    assert "not explored" not in run(command, path, "--worlds", "64").out


@pytest.mark.parametrize("command", ["lint", "cycles"])
def test_a_search_that_the_clock_ends_is_not_clean(
    command: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = site(tmp_path, ON_REDHAT)
    with monkeypatch.context() as patch:
        patch.setattr(bounded, "SECONDS", -1.0)
        done = run(command, path)
        assert (done.code, "took longer than" in done.out) == (3, True)
    # It is not kept.
    assert run(command, path).code == 1


def test_the_next_time_nothing_is_searched(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = site(tmp_path / "repo", ON_REDHAT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CATGRAPH_NO_CACHE", "")
    first = run("lint", path)
    searched: list[str] = []
    search = Bounded.search

    def noted(one: Bounded, *rest: Any) -> bounded.Searched:
        searched.append(one.path)
        return search(one, *rest)

    monkeypatch.setattr(Bounded, "search", noted)
    assert run("lint", path) == first
    assert searched == []
    manifest = path / "modules/app/manifests/init.pp"
    manifest.write_text(manifest.read_text().replace("RedHat", "Suse"))
    assert "is 'Suse'" in run("lint", path).out
    assert searched == [str(path)]


def test_a_class_that_is_no_program(run: Run, tmp_path: Path) -> None:
    path = module(tmp_path, "class app { include app::broken }\n", broken="class app::broken {\n")
    (row,) = found(run, "lint", path)
    assert row["message"].startswith("Syntax error")


def test_programs_are_not_asked_again(run: Run, tmp_path: Path) -> None:
    path = site(tmp_path, ON_REDHAT)
    assert found(run, "lint", path, "--store", str(tmp_path / "store")) == []


def test_catalogs_are_as_they_were(capsys: pytest.CaptureFixture[str]) -> None:
    catalog = "sample_catalogs/require_loop/catalog.json"
    assert main(["cycles", catalog]) == 1
    before = capsys.readouterr().out
    assert main(["cycles", catalog, "--worlds", "64"]) == 1
    assert capsys.readouterr().out == before


def test_the_library_finds_the_same(tmp_path: Path) -> None:
    (one,) = lint(site(tmp_path, ON_REDHAT))
    assert one.condition == (("facts.os.family", "is", "RedHat"),)


@pytest.mark.parametrize("command", ["lint", "cycles"])
def test_a_module_has_its_own_budget(
    command: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A part of the budget does for a few worlds only.
    monkeypatch.setattr(budget, "RESOURCES", 40)
    greedy = "".join(f"if $facts['f{n}'] {{ notify {{ 'n{n}': }} }}\n" for n in range(20))
    folder = tmp_path / "modules"
    for name in ("aa", "app", "zz"):
        manifests = folder / name / "manifests"
        manifests.mkdir(parents=True)
        (folder / name / "metadata.json").write_text(json.dumps({"name": f"me-{name}"}))
        code = ON_REDHAT if name == "app" else greedy
        (manifests / "init.pp").write_text(f"class {name} {{\n{code}\n}}\n")
    alone = found(run, command, folder / "app")
    together = found(run, command, folder)
    assert len(alone) == 1
    assert [row["condition"] for row in together] == [row["condition"] for row in alone]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["lint", "cycles"])
def test_a_module_that_is_named_is_searched_further(
    command: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An eighth of the budget does for two worlds.
    monkeypatch.setattr(budget, "RESOURCES", 8)
    facts = "".join(f"if $facts['f{n}'] {{ notify {{ 'n{n}': }} }}\n" for n in range(9))
    # Two constructs of one fact: no single arm has the cycle.
    apart = "if $facts['bad'] { N['a'] -> N['b'] }\nif $facts['bad'] { N['b'] -> N['a'] }\n"
    code = f"notify {{ ['a', 'b']: }}\n{apart.replace('N[', 'Notify[')}{facts}"
    path = module(tmp_path, f"class app {{\n{code}}}\n")
    assert not found(run, command, tmp_path)
    assert "not explored: " in run(command, tmp_path).out
    for named in (path, f"{path}/", path / "manifests"):
        (row,) = found(run, command, Path(named))
        assert [one["input"] for one in row["condition"]] == ["facts.bad"]


@pytest.mark.parametrize("command", ["lint", "cycles"])
def test_what_runs_programs_is_not_searched(command: str, run: Run, tmp_path: Path) -> None:
    path = site(tmp_path / "site", "notify { $facts['os']['family']: }")
    line = "not explored: other facts and parameters: not searched with --store"
    done = run(command, path, "--facts", "@debian-12", "--store", tmp_path / "store")
    assert (done.code, line in done.out) == (0, True)
    assert line not in run(command, path, "--facts", "@debian-12", "--worlds", "1").out


def test_a_class_that_its_module_does_not_have_is_missing(run: Run, tmp_path: Path) -> None:
    # Puppet: Could not find resource 'Class[App::Gone]' in parameter 'require'. Another class may
    # declare the others: `app::odd` is in a file that cannot be read, `other` in another module.
    code = (
        "class app(Boolean $b = false) {\n"
        "  if $b { notify { 'a': require => Class['app::gone'] } }\n"
        "  notify { 'b': require => [Class['app::here'], Class['app::odd'], Class['other']] }\n"
        "  notify { 'c': require => File['/gone'] }\n"
        "}\n"
    )
    path = module(tmp_path, code, here="class app::here { }\n", odd="class app::odd {\n")
    (row,) = found(run, "lint", path, "--select", "CG201")
    assert row["condition"] == [{"input": "app::b", "op": "is", "value": True}]
    for command in ("explore", "cycles"):
        done = run(command, path)
        assert done.out.count("missing target") == 1
        assert "missing target if $app::b is true: Could not find resource" in done.out


@pytest.mark.parametrize(
    ("nodes", "condition"),
    [
        ("node 'a' { }\n", IF_REDHAT),
        ("node 'a' { include lacking }\n", IF_REDHAT),
        ("node 'a' { include app include lacking }\n", IF_REDHAT),
        # After the program itself refuses to go on, nothing is certain.
        ("node 'a' { include app fail('no') }\n", None),
    ],
    ids=["no node has the class", "nor the node its own", "the node lacks another", "refused"],
)
def test_what_a_node_lacks_hides_no_world(
    nodes: str, condition: object, run: Run, tmp_path: Path
) -> None:
    """What compiles in spite of errors that no fact can change is searched, and so are the
    classes that no node has."""
    path = site(tmp_path, ON_REDHAT)
    (path / "manifests/site.pp").write_text(nodes)
    rows = [row for row in found(run, "lint", path) if row["code"] == "CG301"]
    assert [row["condition"] for row in rows] == ([condition] if condition else [])


def test_a_class_that_no_node_has_relates_to_what_others_declare(run: Run, tmp_path: Path) -> None:
    """It is one of many: only the user can name a class that must be whole by itself."""
    code = "class app { if $facts['os']['family'] == 'RedHat' { Notify['x'] -> Notify['y'] } }\n"
    path = site(tmp_path, "")
    (path / "manifests/site.pp").write_text("node 'a' { }\n")
    (path / "modules/app/manifests/init.pp").write_text(code)
    assert found(run, "lint", path) == []


def test_the_node_default_has_a_certname(run: Run, tmp_path: Path) -> None:
    """A node named `default` is declared by nobody: `Host[default]` twice is no finding."""
    names = "host { $trusted['certname']: } host { $trusted['hostname']: }"
    path = site(tmp_path, f"if $facts['os']['family'] == 'RedHat' {{ {names} }}")
    (path / "manifests/site.pp").write_text("node default { include app }\n")
    assert found(run, "lint", path) == []


@pytest.mark.parametrize("command", ["lint", "cycles", "explore", "check"])
def test_a_condition_on_a_hash(command: str, run: Run, tmp_path: Path) -> None:
    code = "class app (Hash $h = {}) {\n  notify { 'b': before => Notify['a'] }\n"
    code += "  notify { 'a': }\n  if $h['m'] == true { Notify['a'] -> Notify['b'] }\n}\n"
    done = run(command, module(tmp_path, code))
    assert done.code == 1
    assert "app::h is {'m' => true}" in done.out
