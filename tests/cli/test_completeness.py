"""Nothing is called clean that is not complete: what commands say of what they do not know."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analyzer.linter.registry import all_rules
from tests.cli.conftest import Run
from tests.conftest import ROOT

TREE = {
    "environment.conf": "modulepath = modules\n",
    "manifests/site.pp": (
        "node 'x' {\n  role('web')\n}\n"
        "node /^web/ {\n  notify { 'w': }\n}\n"
        "node default {\n  notify { 'd': }\n}\n"
    ),
    "modules/m/lib/puppet/functions/role.rb": "Puppet::Functions.create_function(:role) do\nend\n",
    "modules/m/manifests/init.pp": "class m(String $p) {\n  file { $p: }\n}\n",
    "modules/m/manifests/a.pp": "class m::a(String $p) {\n  file { $p: }\n}\n",
    "modules/m/manifests/b.pp": "class m::b {\n  notify { $facts['b']: }\n}\n",
    "modules/m/manifests/c.pp": "class m::c {\n  include nowhere\n  $x = 1 + 'a'\n}\n",
}

ROLE = (
    "incomplete: role() at manifests/site.pp:2:3 is a Ruby function: the resources that "
    "it declares are unknown; try --ruby auto"
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A control repo of which much is not known, and that is the current folder."""
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_function_in_ruby_is_not_passed_over(run: Run, site: Path) -> None:
    done = run("cycles", ".", "--node", "x")
    assert done.code == 3
    assert done.out.splitlines() == [
        ".: incomplete; no cycle in the known part (0 resources, 0 relationships)",
        ROLE,
    ]
    assert run("cycles", ".", "--node", "x", "--allow-incomplete").code == 0


def test_a_node_block_with_a_pattern_is_compiled_for_a_name_of_it(run: Run, site: Path) -> None:
    done = run("cycles", ".")
    assert done.code == 3
    assert done.out.splitlines()[1:5] == [
        ". (web): no dependency cycle (1 resource, 0 relationships)",
        ". (default): no dependency cycle (1 resource, 0 relationships)",
        ". (4 classes that no node has): incomplete; no cycle in the known part",
        "7 catalogs: 2 clean, 0 with cycles, 5 incomplete",
    ]
    assert ROLE in done.out.splitlines()
    done = run("cycles", ".", "--node", "other")
    assert (done.code, "incomplete" in done.out) == (0, False)


def test_a_cycle_is_told_all_the_same(run: Run, site: Path) -> None:
    cycle = "  notify { 'a': require => Notify['b'] }\n  notify { 'b': require => Notify['a'] }\n"
    text = TREE["manifests/site.pp"].replace("  role('web')\n", f"  role('web')\n{cycle}")
    (site / "manifests/site.pp").write_text(text)
    done = run("cycles", ".", "--node", "x")
    assert done.code == 1
    assert "(CG301)" in done.out
    assert done.out.endswith(f"{ROLE}\n")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["order", "SITE"], 3),
        (["why", "SITE", "Stage[main]", "Class[Settings]"], 1),
        (["impact", "SITE", "Class[main]"], 3),
        (["query", "SITE", "type = File"], 3),
        (["graph", "SITE"], 3),
        (["diff", "SITE", "SITE"], 3),
        (["apply", "SITE"], 3),
        (["compile", "SITE"], 0),
        (["cycles", "SITE", "--format", "json"], 3),
        (["cycles", "SITE", "--puppet-text"], 3),
        (["lint", "SITE", "--format", "gitlab"], 0),
    ],
    ids=lambda value: " ".join(value[::2]) if isinstance(value, list) else "",
)
def test_answers_come_with_what_is_not_known(
    run: Run, site: Path, command: list[str], code: int
) -> None:
    done = run(*(word.replace("SITE", ".") for word in command), "--node", "x")
    assert (done.code, ROLE in done.err.splitlines()) == (code, True)


def test_what_programs_get(run: Run, site: Path) -> None:
    def document(*words: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(run(*words, "--node", "x").out)
        return found

    row = {
        "kind": "function",
        "name": "role()",
        "reason": "is a Ruby function: the resources that it declares are unknown",
        "hint": "--ruby auto",
        "hides": True,
        "file": "manifests/site.pp",
        "line": 2,
        "column": 3,
    }
    assert document("cycles", ".", "--format", "json")["incomplete"] == [row]
    assert document("lint", ".", "--format", "json")["incomplete"] == [row]
    assert document("graph", ".", "--format", "json")["incomplete"] == [row]
    assert document("impact", ".", "Class[main]", "--format", "json")["incomplete"] == [row]
    assert document("compile", ".")["incomplete"] == [row]
    for command in ("cycles", "lint"):
        log = json.loads(run(command, ".", "--node", "x", "--format", "sarif").out)
        (told,) = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        assert told["level"] == "warning"
        assert told["message"]["text"] == ROLE
        assert told["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    junit = run("cycles", ".", "--node", "x", "--format", "junit").out
    assert junit.count("<skipped message=") == 2
    junit = run("lint", ".", "--node", "x", "--format", "junit").out
    assert f'<skipped message="{ROLE}"/>' in junit
    assert f"- `{ROLE}`" in run("cycles", ".", "--node", "x", "--format", "markdown").out
    github = run("cycles", ".", "--node", "x", "--format", "github").out
    assert github == f"::warning title=catgraph incomplete::{ROLE}\n"


def test_a_printed_catalog_says_what_it_lacks(run: Run, site: Path) -> None:
    (site / "a.json").write_text(run("compile", ".", "--node", "x").out)
    done = run("cycles", "a.json")
    assert done.code == 3
    assert done.out.endswith(f"{ROLE}\n")
    (site / "site.pp").write_text("user { 'u': }\nfile { '/a': owner => $facts['o'] }\n")
    (site / "b.json").write_text(run("compile", "site.pp").out)
    assert "parameter owner of File[/a] at site.pp:2: no facts" in run("cycles", "b.json").out


@pytest.mark.parametrize(
    "value", ["1", "null", "[1, {}]", '[{"name": [], "line": "x"}]', '{"a": 1}']
)
def test_a_damaged_statement_is_no_error(run: Run, site: Path, value: str) -> None:
    (site / "a.json").write_text(f'{{"resources": [], "edges": [], "incomplete": {value}}}')
    done = run("cycles", "a.json")
    assert done.code == (3 if "{" in value and value[0] == "[" else 0)
    assert done.err == ""


def test_lint_says_how_much_it_has_seen(run: Run, site: Path) -> None:
    done = run("lint", "modules/m")
    assert done.code == 0
    title = "incomplete: title at modules/m/manifests/b.pp:2:12: no facts are given; try"
    assert sorted(done.out.splitlines()) == [
        "incomplete: 2 titles unknown (first at modules/m/manifests/a.pp:2:10): key 'm::a::p', "
        "'m::p' of Hiera: the environment has no hiera.yaml, and none is given; try "
        "--hiera-config FILE",
        "incomplete: statement at modules/m/manifests/c.pp:2:3 was not compiled: Could not find "
        "class ::nowhere; try --modulepath DIRS",
        "incomplete: statement at modules/m/manifests/c.pp:3:12 was not compiled: The value 'a' "
        "cannot be converted to Numeric.",
        f"{title} --facts FILE",
        "no findings in 4 manifests and 4 catalogs",
    ]


def test_a_strict_lint_says_what_was_not_compiled(run: Run, site: Path) -> None:
    done = run("lint", "modules/m", "--strict")
    assert done.code == 0
    title = "incomplete: title at modules/m/manifests/b.pp:2:12: no facts are given; try"
    assert sorted(done.out.splitlines()) == [
        "incomplete: class m::a and 1 more: each was not compiled: Class[M::A]: expects a value "
        "for parameter 'p'",
        "incomplete: class m::c at modules/m/manifests/c.pp:2:3 was not compiled: Could not find "
        "class ::nowhere; try --modulepath DIRS",
        f"{title} --facts FILE",
        "no findings in 4 manifests and 1 catalog; 3 of 4 classes were not compiled",
    ]
    every = run("lint", "modules/m", "--strict", "--explain").out
    assert "class m::a was not compiled: Class[M::A]: expects a value for parameter 'p'" in every


def test_a_control_repo_with_metadata_is_no_module(run: Run, site: Path) -> None:
    (site / "metadata.json").write_text('{"name": "us-control"}')
    counts = "in 5 manifests, 3 catalogs and 4 more of classes that no node has\n"
    assert counts in run("lint", ".").out


def test_a_statement_is_short_and_explain_is_not(run: Run, site: Path) -> None:
    functions = [f"f{number}" for number in range(8)]
    for name in functions:
        file = site / f"modules/m/lib/puppet/functions/{name}.rb"
        file.write_text(f"Puppet::Functions.create_function(:{name}) do\nend\n")
    (site / "manifests/site.pp").write_text(
        "".join(f"{name}()\n" for name in functions)
        + "".join(f"if $facts['{n}'] {{ notify {{ '{n}': }} }}\n" for n in range(9))
    )
    brief = [
        line
        for line in run("cycles", ".", "--node", "n").out.splitlines()
        if line.startswith("incom")
    ]
    assert brief == [
        "incomplete: 9 conditions unknown (first at manifests/site.pp:9:4): no facts are given; "
        "try --facts FILE",
        "incomplete: f0() (first at manifests/site.pp:1:1) and 7 more: each is a Ruby "
        "function: the resources that it declares are unknown; try --ruby auto",
    ]
    every = run("cycles", ".", "--node", "n", "--explain").out.splitlines()
    assert sum(line.startswith("incomplete: ") for line in every) == 17


# Findings that a resource, or a relationship, which is not known may disprove.
ABSENT = {
    "CG104": "package { 'a': }\nPackage <| provider == 'pip' |> -> Package['a']\n",
    "CG203": "@package { 'a': }\npackage { 'b': }\nPackage['a'] -> Package['b']\n",
    "CG302": "package { 'a': }\nPackage <| tag == 'x' |> -> Package['a']\n",
    "CG308": "class a { file { '/x': } }\ninclude a\nnotify { 'n': notify => Class['a'] }\n",
    "CG309": "exec { '/bin/true': refreshonly => true }\n",
    "CG313": "class a { }\ninclude a\nnotify { 'n': require => Class['a'] }\n",
}
UNORDERED = {
    "CG310": "package { 'ntp': }\nfile { '/etc/ntp/ntp.conf': content => 'x' }\n",
    "CG311": (
        "file { '/etc/ntp.conf': content => 'x' }\n-> service { 'ntp': ensure => running }\n"
    ),
}


def test_the_manual_names_the_rules_about_absence() -> None:
    text = (ROOT / "docs" / "lint.md").read_text()
    section = text[text.index("## Coverage") : text.index("## As a gate")]
    named = re.findall(r"\((CG[^)]*)\)", section)
    kinds = ("resources", "relationships")
    codes = [[c for c, rule in all_rules().items() if rule.absence == kind] for kind in kinds]
    assert [words.replace("\n", " ").split(", ") for words in named] == codes


@pytest.mark.parametrize("code", [*ABSENT, *UNORDERED])
def test_absence_proves_nothing_of_an_incomplete_catalog(run: Run, site: Path, code: str) -> None:
    unknown = "if $facts['x'] { include m }\n"
    program = (ABSENT | UNORDERED)[code]
    severities = []
    for number, (here, elsewhere) in enumerate((("", ""), ("", unknown), (unknown, ""))):
        folder = site / f"absent{number}"
        folder.mkdir()
        (folder / "site.pp").write_text(f"{program}{here}")
        (folder / "other.pp").write_text(elsewhere or "# nothing")
        done = run("lint", folder, "--select", code, "--format", "json")
        severities.append([row["severity"] for row in json.loads(done.out)["findings"]])
    complete, incomplete, beside = severities
    assert complete
    assert complete != incomplete
    assert incomplete == ([] if code in ABSENT else ["note"])
    # What is unknown in the same file may order the two.
    assert beside == []


def test_no_comment_is_in_vain_for_what_is_not_known(run: Run, site: Path) -> None:
    path = site / "absent.pp"
    known = f"{ABSENT['CG309'].strip()} # catgraph:ignore[CG306]\n"
    for text, told in ((known, 1), (f"{known}if $facts['x'] {{ include m }}\n", 0)):
        path.write_text(text)
        assert run("lint", path, "--select", "CG0,CG3").out.count("(CG001)") == told
