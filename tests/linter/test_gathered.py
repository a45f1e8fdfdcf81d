"""Errors of one cause at many places are one finding, and old code is called that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli import main


def errors(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return the errors of a lint."""
    main(["lint", str(folder), "--select", "CG200", "--format", "json"])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return found


@pytest.mark.parametrize(
    ("one", "other", "form"),
    [
        ("class a::b-c { }", "class a-d { }", "names with a hyphen"),
        (
            "class a::1_1 { }",
            "class b inherits a::2_1::x { }",
            "names with a segment that begins with a digit",
        ),
        ("node 'a' inherits b { }", "node 'c' inherits d { }", "node inheritance"),
        ("$Upper = 1", "$Other = 2", "variables with a capital"),
        (
            "file { '/a': require => Package ['a'] }",
            "file { '/b': require => Package ['b'] }",
            "a space between a type and its title",
        ),
        (
            "class a inherits b { Service ['c'] { ensure => stopped } }",
            "file { '/b': require => Package ['b'] }",
            "a space between a type and its title",
        ),
        (
            "class a { import 'a.pp' } include a",
            "class b { import 'b.pp' } include b",
            "the function import",
        ),
        (
            "Stage['pre'] -> Stage ['main']\n$x = 1",
            "Stage['pre'] -> Stage ['last']\n$x = 1",
            "a space between a type and its title",
        ),
        (
            "class a { $x = private }",
            "class b { $x = private }",
            "these words without quotes",
        ),
        ("class a { $x += 1 }", "class b { $x += 2 }", "the operator +="),
        (
            "if $facts['os']['name'] == Debian { }",
            "if $facts['os']['name'] == Ubuntu { }",
            "capitalized words without quotes",
        ),
        (
            "notify { template('a.erb'): }",
            "notify { template('b.erb'): }",
            "templates that are in no module",
        ),
    ],
)
def test_old_code_is_one_finding_of_each_kind(
    one: str, other: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/a.pp").write_text(f"{one}\n")
    (tmp_path / "manifests/b.pp").write_text(f"{other}\n")
    (found,) = errors(tmp_path, capsys)
    more, old = found["notes"][-2:]
    assert more.startswith("at 1 more place: ")
    assert "b.pp:1:" in more
    assert old == f"this is code for Puppet 3 or older: Puppet 4 and later refuse {form}"
    assert any(also.get("file", "").endswith("b.pp") for also in found["also"])


def test_names_of_modules_that_are_not_there_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "modules/here/manifests").mkdir(parents=True)
    (tmp_path / "modules/here/manifests/init.pp").write_text("class here { }\n")
    (tmp_path / "Puppetfile").write_text("")
    nodes = "node a { include gone }\nnode b { include lost::one }\nnode c { include here::two }\n"
    (tmp_path / "manifests/site.pp").write_text(nodes)
    gone, two = errors(tmp_path, capsys)
    assert gone["message"] == "Could not find class ::gone"
    assert gone["notes"][-1] == (
        "also missing: lost::one; none of them is in a module on the modulepath"
    )
    assert two["message"] == "Could not find class ::here::two"


def test_a_class_in_a_wrong_file_is_one_finding_with_its_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet 7.23 refuses the definition, and finds no class of that name."""
    module = tmp_path / "modules/base/manifests"
    module.mkdir(parents=True)
    (tmp_path / "manifests").mkdir()
    (tmp_path / "Puppetfile").write_text("")
    (tmp_path / "manifests/site.pp").write_text("include base\ninclude curl\n")
    (module / "init.pp").write_text("class base {\n  include bash\n  include gone\n}\n")
    (module / "bash.pp").write_text("class bash { }\n")
    (module / "curl.pp").write_text("class curl { }\n")
    gone, misplaced = sorted(errors(tmp_path, capsys), key=lambda one: len(one["also"]))
    assert gone["message"] == "Could not find class ::gone"
    assert misplaced["message"].startswith("Unacceptable location. The name 'bash'")
    assert misplaced["notes"][-1] == "so that Puppet does not find curl, bash"


def test_code_beside_the_classes_of_modules_is_old(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, code in (("a", "import 'classes/*.pp'"), ("b", "notify { 'b': }")):
        (tmp_path / f"modules/{name}/manifests").mkdir(parents=True)
        (tmp_path / f"modules/{name}/manifests/init.pp").write_text(f"{code}\n")
    notes = [one["notes"][-1].partition("refuse ")[2] for one in errors(tmp_path, capsys)]
    assert notes == ["the function import", "code outside of classes in modules"]


def test_a_class_with_a_hyphen_that_is_missing_is_old_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "modules/a-b/manifests").mkdir(parents=True)
    (tmp_path / "modules/a-b/manifests/init.pp").write_text("class a-b { }\n")
    (tmp_path / "manifests/site.pp").write_text("include a-b\n")
    (found,) = errors(tmp_path, capsys)
    assert found["notes"][-1].endswith("refuse names with a hyphen")


def test_application_orchestration_is_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet 7.23 has the same words: `puppet parser validate`."""
    codes = ("site {\n  $e = 1\n}", "A produces B { x => 1 }", "application r($x) {\n $d = [1]\n}")
    module = tmp_path / "modules/d/manifests"
    module.mkdir(parents=True)
    (module / "init.pp").write_text("class d { }\nD produces B { }\n")
    for name, code in zip("abc", codes, strict=True):
        (tmp_path / f"{name}.pp").write_text(f"{code}\n")
    (found,) = errors(tmp_path, capsys)
    assert found["message"] == "Syntax error at '='"
    assert found["notes"][-1] == (
        "this is code for Puppet 4 or 5: Puppet 7 refuses the language of application orchestration"
    )


def test_errors_about_one_line_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet 7.23 reports these four errors about `include m`."""
    (tmp_path / "modules/m/manifests").mkdir(parents=True)
    (tmp_path / "modules/m/manifests/init.pp").write_text("Class m {\n}\n")
    (found,) = errors(tmp_path, capsys)
    assert found["message"].startswith("This Type-Name has no effect.")
    assert found["notes"][-3:] == [
        "also: This Type-Name is unacceptable as a top level construct in this location",
        "also: This Block Expression is unacceptable as a top level construct in this location",
        "also: This expression is invalid. Did you try declaring a 'm' resource without a title?",
    ]


def test_a_repeated_error_in_a_file_is_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.pp").write_text("file {\n  path => '/a',\n}\n\nfile {\n  path => '/b',\n}\n")
    (found,) = errors(tmp_path, capsys)
    notes = [note.partition(": ")[0] for note in found["notes"]]
    assert notes[-2:] == ["at 1 more place", "also"]


def test_a_default_node_that_refuses_is_no_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = "node 'a' { notify { 'a': } }\nnode default { fail(\"no: ${facts['fqdn']}\") }\n"
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(site)
    assert main(["lint", str(tmp_path)]) == 0
    assert "incomplete" not in capsys.readouterr().out
    named = "node default { if $trusted['certname'] !~ /^web/ { fail('no role') } }\n"
    (tmp_path / "manifests/site.pp").write_text(named)
    assert main(["lint", str(tmp_path)]) == 3
    assert "was not compiled: no role; try --node NAME" in capsys.readouterr().out


def test_placeholders_for_names_are_one_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet 7.23 refuses each of them: such files are filled in before it reads them."""
    codes = (
        "class REPLACE_ME::a { }",
        "class @@NAME@@ { }",
        "define <%= name %>::b() { }",
        "class {{ name }} { }",
    )
    module = tmp_path / "modules/template/manifests"
    module.mkdir(parents=True)
    (module / "init.pp").write_text("class template {\n")
    for name, code in zip("abcd", codes, strict=True):
        (module / f"{name}.pp").write_text(f"{code}\n")
    note, other = sorted(errors(tmp_path, capsys), key=lambda one: one["severity"], reverse=True)
    assert (note["severity"], len(note["also"])) == ("note", 3)
    assert note["notes"][-1] == "a file with placeholders for names is no manifest yet"
    assert other["severity"] == "error"


@pytest.mark.parametrize(
    "code",
    [
        "define site() { }\nsite { 'a': }\n}",
        "notify { 'a': } [",
        "File { mode => Nothing['a'] }",
        "class a(Acme::Port $p) { }\ninclude a",
    ],
)
def test_other_errors_are_not_called_old(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "site.pp").write_text(code)
    assert "Puppet 3" not in json.dumps(errors(tmp_path, capsys))


def test_a_missing_class_is_one_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "modules/m/manifests").mkdir(parents=True)
    code = "node a {\n include m::a\n}\nnode b {\n include ::m::a\n include m::b\n}\n"
    (tmp_path / "manifests/site.pp").write_text(code)
    found = errors(tmp_path, capsys)
    (one,) = found
    assert (one["line"], [also["line"] for also in one["also"]]) == (2, [5, 6])
    assert one["notes"][-1] == "also missing: m::b"


def test_an_accepted_place_leaves_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "Puppetfile").write_text("")
    accepted = "include gone # catgraph:ignore[CG200] soon"
    code = f"node a {{\n {accepted}\n}}\nnode b {{\n include gone\n}}\n"
    (tmp_path / "manifests/site.pp").write_text(code)
    (found,) = errors(tmp_path, capsys)
    assert found["line"] == 5


def test_one_statement_in_catalogs_that_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = {
        "app": "class app { include app::install file { '/srv/app': } }",
        "app/install": "class app::install { package { 'app': } }",
        "a": "class a { service { 'a': require => Class['app'] } include app }",
        "b": "class b { service { 'b': require => Class['app'] } include app }",
    }
    nodes = "node web1 { include a }\nnode web2 { include b }\n"
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(nodes + "\n".join(code.values()))
    main(["lint", str(tmp_path), "--select", "CG108", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert "Service[b]" in json.dumps(found["also"])
    about = ["also for Service[b]", "in 2 catalogs: . (web1), . (web2)"]
    assert [note.replace(f"{tmp_path}", ".") for note in found["notes"][-2:]] == about


def test_declarations_of_what_another_file_declares_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "environment.conf").touch()
    for name in "abc":
        (tmp_path / f"manifests/{name}.pp").write_text("package { 'vim': }\n")
    main(["lint", str(tmp_path), "--select", "CG202", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["file"].endswith("b.pp")
    assert any(also["file"].endswith("c.pp") for also in found["also"])


def test_manifests_that_puppet_applies_one_at_a_time_are_no_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`puppet apply 1.pp` reads no other file."""
    for name in "01":
        (tmp_path / f"{name}.pp").write_text("package { 'vim': }\nassert_type(Integer, 'x')\n")
    main(["lint", str(tmp_path), "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(one["code"], Path(one["file"]).name) for one in found] == [
        ("CG200", "0.pp"),
        ("CG200", "1.pp"),
    ]


@pytest.mark.parametrize(
    ("name", "code"), [("b.pp", "class b { }"), ("b.pp", "node b { }"), ("site.pp", "")]
)
def test_manifests_with_a_part_of_a_site_are_one(
    name: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`puppet apply $PWD` reads all."""
    (tmp_path / "a.pp").write_text("package { 'vim': }\n")
    (tmp_path / name).write_text(f"package {{ 'vim': }}\n{code}\n")
    main(["lint", str(tmp_path), "--select", "CG202", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["message"].startswith("Duplicate declaration: Package[vim]")


def test_a_target_that_is_missing_for_several_is_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = """class a {
  if $facts['os']['name'] == 'Ubuntu' { package { 'x': } }
  file { '/a': require => Package['x'] }
  file { '/b': require => Package['x'] }
}
"""
    (tmp_path / "a/manifests").mkdir(parents=True)
    (tmp_path / "a/manifests/init.pp").write_text(code)
    main(["lint", str(tmp_path), "--select", "CG201", "--worlds", "16", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["condition"]
    assert found["line"] == 3
    assert {also["line"] for also in found["also"]} == {4}


def test_a_class_with_a_hyphen_is_not_compiled_by_half_of_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a/manifests").mkdir(parents=True)
    (tmp_path / "a/manifests/b-c.pp").write_text("class a::b-c { }\n")
    (found,) = errors(tmp_path, capsys)
    assert found["message"].startswith("Unacceptable name. The name 'a::b-c'")


def test_defaults_of_several_manifests_are_one_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Puppet reads the folder as one manifest; each of these may be applied by itself."""
    (tmp_path / "manifests").mkdir()
    (tmp_path / "environment.conf").touch()
    for name in "abc":
        (tmp_path / f"manifests/{name}.pp").write_text("Exec { path => ['/bin'] }\n")
    (found,) = errors(tmp_path, capsys)
    assert found["message"] == "Default already defined for Exec { path }; cannot redefine"
    assert found["notes"][-1] == (
        "Puppet reads all manifests of this folder as one; to check one of them, name it"
    )


def test_data_that_cannot_be_parsed_are_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "hiera.yaml": "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n",
        "data/common.yaml": 'x: "\\\'"\n',
        "manifests/a.pp": "node 'a' { lookup('x') }\n",
        "manifests/b.pp": "node 'b' { lookup('y') }\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    known = tmp_path / "known.json"
    main(["lint", str(tmp_path), "--format", "json", "--select", "CG200"])
    (one,) = json.loads(capsys.readouterr().out)["findings"]
    assert "data/common.yaml" in one["message"]
    assert [Path(str(other["file"])).name for other in one["also"]] == ["b.pp"]
    main(["lint", str(tmp_path), "--write-baseline", str(known)])
    # The baseline counts in other checkouts, too.
    assert str(tmp_path) not in known.read_text()
    elsewhere = tmp_path.with_name(f"{tmp_path.name}-moved")
    tmp_path.rename(elsewhere)
    assert main(["lint", str(elsewhere), "--baseline", str(elsewhere / "known.json")]) != 1


def test_errors_of_one_word_of_old_code_are_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/a.pp").write_text("define d() { }\nd { B1CF47B7: }\n")
    assert len(errors(tmp_path, capsys)) == 1


def test_a_stage_that_nobody_declares_is_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    classes = "".join(f"class {one} {{ }}\nclass {{ '{one}': stage => setup }}\n" for one in "abc")
    (tmp_path / "manifests/site.pp").write_text(classes)
    (one,) = errors(tmp_path, capsys)
    assert len(one["also"]) == 2
